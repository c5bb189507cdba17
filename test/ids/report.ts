import type { Measured, Step } from "./measure";

/** Bytes that state and memory must stay below. Source: issue "Nothing lost, nothing slow". */
const bounds = { state: 1_000_000, memory: 512 * 1024 * 1024 };

/** What is not as it must be, one sentence each. */
export function misses({ steps, changed, resourceBytes, stateHoldsId }: Measured): string[] {
  const by = (name: string) => steps.find((step) => step.name === name);
  const said = `ids +${changed.toLocaleString("en-US")} / −${changed.toLocaleString("en-US")}`;
  const preview = by("preview of 1 %");
  const second = by("up of 1 %");
  return [
    ...(resourceBytes < bounds.state ? [] : [`The segment takes ${resourceBytes} bytes of state.`]),
    ...(stateHoldsId ? ["The state holds an id."] : []),
    ...steps.flatMap(({ name, peak }) =>
      peak === undefined || peak < bounds.memory ? [] : [`${name}: the provider took ${megabytes(peak)} MB.`],
    ),
    ...steps.flatMap(({ name, requests }) =>
      name.startsWith("preview") && requests.length > 0 ? [`${name}: ${requests.length} requests.`] : [],
    ),
    ...(preview?.output.includes(said) ? [] : [`The preview does not say "${said}".`]),
    ...(second?.ids === 2 * changed ? [] : [`The change sent ${second?.ids} ids and not ${2 * changed}.`]),
    ...steps.flatMap(({ name, most }) => (most > 100_000 ? [`${name}: ${most} ids in one request.`] : [])),
  ];
}

/** One step as a line. */
export function stepLine({ name, seconds, requests, ids, most, peak }: Step): string {
  const cells = [
    name.padEnd(26),
    seconds.toFixed(1).padStart(7),
    String(requests.length).padStart(9),
    ids.toLocaleString("en-US").padStart(10),
    most.toLocaleString("en-US").padStart(10),
    (peak === undefined ? "unknown" : megabytes(peak)).padStart(9),
  ];
  return cells.join("");
}

/** The heads of the columns. */
export const stepHead: string =
  `${"step".padEnd(26)}${"seconds".padStart(7)}${"requests".padStart(9)}${"ids sent".padStart(10)}` +
  `${"at most".padStart(10)}${"peak MB".padStart(9)}`;

/** Bytes as MiB. */
function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
