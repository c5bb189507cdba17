import { createHash } from "node:crypto";
import { startConsole } from "../../scripts/bench/console";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, type PulumiStack } from "../support/pulumi-cli";
import { startRelay } from "../support/relay";
import { watchHosts } from "./memory";

/** How the program gives its ids. */
export type Form = "array" | "file";

/** One command of the CLI. */
export interface Step {
  readonly name: string;
  readonly seconds: number;
  /** Method and path of each request. */
  readonly requests: readonly string[];
  /** Ids in the bodies of writes: all, and the most in one. */
  readonly ids: number;
  readonly most: number;
  /** Most memory of the provider host, in bytes. */
  readonly peak: number | undefined;
  /** What the command printed. */
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
    stack = await createStack(project, { env: { ...settings, NODE_OPTIONS: "" } });
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
