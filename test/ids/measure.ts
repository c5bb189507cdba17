import { createHash } from "node:crypto";
import { readdirSync, readlinkSync } from "node:fs";
import { startConsole } from "../../scripts/bench/console";
import { isProviderHost, peakBytes } from "../../scripts/process/provider-host";
import { mostHashes } from "../../src/provider/id-lists/digest";
import { countOf, countText } from "../../src/provider/texts/count-text";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { asUsersHaveIt, createStack, type PulumiStack } from "../support/pulumi-cli";
import { startRelay } from "../support/relay";

/** How the program gives its ids. */
export type Form = "array" | "file";

export interface Step {
  readonly name: string;
  readonly seconds: number;
  readonly requests: readonly string[];
  /** Ids in the bodies of writes: all, and the most in one. */
  readonly ids: number;
  readonly most: number;
  /** Most memory of the provider host, in bytes. */
  readonly peak: number | undefined;
  readonly output: string;
}

const stepLimitMs = 600_000;
const key = ["console", "ids", String(process.pid)].join("-");

/**
 * Runs a segment with `count` ids of 36 characters through the real CLI against a console in a process of its own: up, a
 * preview of nothing, then one id in a hundred replaced: preview, up, refresh. `tell` hears of each step.
 */
export async function measureIds(count: number, form: Form, tell: (step: Step) => void = () => {}) {
  const changed = Math.ceil(count / 100);
  const console = await startConsole(0);
  let requests: string[] = [];
  let sent: number[] = [];
  const relay = await startRelay(console.url, (request, ask) => {
    requests.push(`${request.method} ${request.path}`);
    const { ids } = JSON.parse(request.body || "{}") as { ids?: unknown };
    if (Array.isArray(ids)) sent.push(ids.length);
    return ask(request);
  });
  const steps: Step[] = [];
  let project: PackedProject | undefined;
  let stack: PulumiStack | undefined;
  try {
    project = await createPackedProject({ program: programOf(form) });
    const settings = {
      FEATURE_CONSOLE_PROFILE: "custom",
      FEATURE_CONSOLE_BASE_URL: relay.url,
      FEATURE_CONSOLE_API_KEY: key,
    };
    stack = await createStack(project, { env: { ...settings, ...asUsersHaveIt } });
    const [{ folder }, cli] = [project, stack];
    const step = async (name: string, ...args: string[]) => {
      [requests, sent] = [[], []];
      const { seconds, peak, output } = await measured(cli, folder, args);
      const ids = sent.reduce((sum, one) => sum + one, 0);
      const done = { name, seconds, requests, ids, most: Math.max(0, ...sent), peak, output };
      steps.push(done);
      tell(done);
    };
    await project.write("ids.txt", idText(0, count));
    await step("up", "up", "--yes", "--skip-preview");
    await step("preview, nothing changed", "preview");
    await project.write("ids.txt", idText(changed, count));
    await step("preview of 1 %", "preview");
    await step("up of 1 %", "up", "--yes", "--skip-preview");
    await step("refresh", "refresh", "--yes", "--skip-preview");
    return { steps, count, changed, ...(await stateFacts(stack, [idOf(count - 1), idOf(count)])) };
  } finally {
    await stack?.remove();
    await project?.remove();
    await relay.close();
    console.stop();
  }
}

/** Looks like a UUID. */
function idOf(number: number): string {
  const text = createHash("sha256").update(String(number)).digest("hex");
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

function idText(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) => idOf(from + index)).join("\n");
}

function programOf(form: Form): string {
  const ids = form === "file" ? `{ file: "ids.txt" }` : `readFileSync("ids.txt", "utf8").split("\\n")`;
  return `import { readFileSync } from "node:fs";
import * as fc from "pulumi-feature-console";
export const size = readFileSync("ids.txt").length;
new fc.Segment("vip", { type: "id_list", ids: ${ids} });
`;
}

async function measured(stack: PulumiStack, folder: string, args: string[]) {
  const watch = watchHosts(folder);
  const started = Date.now();
  const { code, stdout, stderr, problem } = await stack.run(args, { timeoutMs: stepLimitMs });
  const seconds = (Date.now() - started) / 1000;
  const peak = watch.stop();
  const output = `${stdout}\n${stderr}`;
  if (code !== 0) throw new Error(`pulumi ${args.join(" ")} failed (${problem ?? code}):\n${output}`);
  return { seconds, peak, output };
}

async function stateFacts(stack: PulumiStack, ids: readonly string[]) {
  const state = await stack.exportStack();
  const text = JSON.stringify(state);
  const segment = state.deployment.resources?.find(({ urn }) => urn.endsWith("::vip"));
  return {
    stateBytes: Buffer.byteLength(text),
    resourceBytes: Buffer.byteLength(JSON.stringify(segment)),
    stateHoldsId: ids.some((id) => text.includes(id)),
  };
}

const everyMs = 50;

/**
 * Watches the provider hosts that Pulumi starts for a project. `stop` returns the most memory that any of them had, in bytes, which
 * only Linux tells.
 */
function watchHosts(folder: string) {
  let most: number | undefined;
  const timer = setInterval(() => {
    for (const peak of hostsOf(folder).map(peakBytes)) {
      if (peak !== undefined) most = Math.max(most ?? 0, peak);
    }
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

function hostsOf(folder: string): number[] {
  const pids = entries("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  return pids.filter((pid) => isProviderHost(pid) && folderOf(pid) === folder);
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined when the process has ended: it may between two looks at it. */
function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

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

export function stepLine({ name, seconds, requests, ids, most, peak }: Step): string {
  const sent = `${requests.length} requests, ${ids.toLocaleString("en-US")} ids, at most ${most} in one`;
  const memory = peak === undefined ? "" : `, peak ${megabytes(peak)} MB`;
  return `${name}: ${seconds.toFixed(1)} s, ${sent}${memory}`;
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
