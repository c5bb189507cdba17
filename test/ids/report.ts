import { mostHashes } from "../../src/provider/id-lists/digest";
import { countOf, countText } from "../../src/provider/texts/count-text";
import type { measureIds, Step } from "./measure";

/** Bytes that state and memory must stay below. Source: issue "Nothing lost, nothing slow". */
const bounds = { state: 300_000, memory: 512 * 1024 * 1024 };

/** What is not as it must be, one sentence each. */
export function misses(measured: Awaited<ReturnType<typeof measureIds>>): string[] {
  const { steps, count, changed, resourceBytes, stateHoldsId } = measured;
  const by = (name: string) => steps.find((step) => step.name === name);
  const said =
    count > mostHashes
      ? `${countText(count)} → ${countOf(count, "id")}`
      : `ids +${countText(changed)} / −${countText(changed)}`;
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
  const sent = `${requests.length} requests, ${ids.toLocaleString("en-US")} ids, at most ${most} in one`;
  const memory = peak === undefined ? "" : `, peak ${megabytes(peak)} MB`;
  return `${name}: ${seconds.toFixed(1)} s, ${sent}${memory}`;
}

/** Bytes as MiB. */
function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
