import {
  type CommandResult,
  failureText,
  isAmongStacks,
  type PulumiCommand,
  pulumiCommand,
  stackNames,
} from "../../provider/pulumi/runs/cli";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { pathText } from "../../provider/schema/path";

/** The `pulumi` of the PATH, in a folder. */
export function pulumiIn(folder: string, environment: NodeJS.ProcessEnv): PulumiCommand {
  return pulumiCommand({
    folder,
    // Nothing is created here, so a checkpoint after each resource protects nothing, and costs most of the time.
    environment: { ...environment, PULUMI_SKIP_CHECKPOINTS: "true" },
    missing: "there is no pulumi on the PATH: install it, or give --no-run and import later",
  });
}

/** A word of a command line. */
export function shellText(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** What was printed by a command that went right. @throws an error with what it printed otherwise. */
export function outputOf(what: string, { status, stdout, stderr }: CommandResult): string {
  if (status === 0) return stdout;
  throw new Error(`${what} failed:\n${stderr.trim() || stdout.trim()}`);
}

/** The stack that is meant: the one that is named, or the one that is selected; undefined where the one that is named is not there. */
async function stackThere(pulumi: PulumiCommand, named: string | undefined): Promise<string | undefined> {
  if (named === undefined) {
    const selected = await pulumi(["stack", "--show-name"]);
    if (selected.status === 0) return selected.stdout.trim();
    throw new Error("no stack is selected: name one with --stack, such as --stack dev");
  }
  return isAmongStacks(await stackNames(pulumi), named) ? named : undefined;
}

/** The stack that is meant, made where it is not there. */
export async function chosenStack(pulumi: PulumiCommand, named: string | undefined): Promise<string> {
  const there = await stackThere(pulumi, named);
  if (there !== undefined || named === undefined) return there ?? "";
  const made = await pulumi(["stack", "init", named]);
  // Another import may have made it in between.
  if (made.status !== 0 && (await stackThere(pulumi, named)) === undefined)
    outputOf(`pulumi stack init ${named}`, made);
  return named;
}

/** What a stack has; nothing where it is not there. Makes none. */
export async function resourcesIn(
  pulumi: PulumiCommand,
  named: string | undefined,
): Promise<readonly StateEntry[]> {
  const stack = await stackThere(pulumi, named);
  return stack === undefined ? [] : resourcesOf(pulumi, stack);
}

/** A resource of a stack's state. */
export interface StateEntry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
}

/** The resources that a stack has. */
export async function resourcesOf(pulumi: PulumiCommand, stack: string): Promise<readonly StateEntry[]> {
  const text = outputOf("pulumi stack export", await pulumi(["stack", "export", "--stack", stack]));
  const state = JSON.parse(text) as { deployment?: { resources?: unknown } };
  const resources = Array.isArray(state.deployment?.resources) ? state.deployment.resources : [];
  return resources.filter(isObject).map(({ type, urn, id }) => ({
    type: String(type),
    name: String(urn).split("::").slice(3).join("::"),
    id: String(id),
  }));
}

/** A resource that a preview would change. */
export interface PreviewedChange {
  readonly name: string;
  readonly type: string;
  /** As Pulumi calls it: `create`, `update`, `replace`, `delete`. */
  readonly op: string;
  /** The arguments that differ, as far as Pulumi tells. */
  readonly paths: readonly string[];
}

/** What a preview shows. */
export interface Previewed {
  readonly changes: readonly PreviewedChange[];
}

const quietOps = new Set(["same", "read", "refresh"]);

/** Runs a preview. @throws an error with what it printed where it fails. */
export async function previewOf(pulumi: PulumiCommand, stack: string): Promise<Previewed> {
  const result = await pulumi(["preview", "--json", "--stack", stack]);
  const plan = parsedPlan(result.stdout);
  if (plan === undefined || result.status !== 0)
    throw new Error(`pulumi preview failed:\n${failureText(result)}`);
  const steps = (Array.isArray(plan.steps) ? plan.steps : []).filter(isObject);
  const changed = steps.filter(({ op }) => !quietOps.has(String(op)) && !isFrame(op));
  return {
    changes: changed.map(({ urn, op, detailedDiff, diffReasons }) => ({
      name: String(urn).split("::").slice(3).join("::"),
      type: String(urn).split("::")[2] ?? "",
      op: String(op),
      paths: isObject(detailedDiff)
        ? Object.keys(detailedDiff)
        : Array.isArray(diffReasons)
          ? diffReasons.map((reason) => pathText([String(reason)]))
          : [],
    })),
  };
}

function isFrame(op: unknown): boolean {
  return op === "create-replacement" || op === "delete-replaced";
}

function parsedPlan(text: string): JsonObject | undefined {
  try {
    const plan: unknown = JSON.parse(text);
    return isObject(plan) ? plan : undefined;
  } catch {
    return undefined;
  }
}
