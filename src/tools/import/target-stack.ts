import {
  type CommandResult,
  failureText,
  isAmongStacks,
  type PulumiCommand,
  stackNames,
} from "../../provider/pulumi/runs/cli";
import { pathText } from "../../provider/schema/path";
import { ownConsoles } from "../stack/consoles";
import { nameInUrn, stackOf, typeInUrn } from "../stack/stack";

/** A word of a command line. */
export function shellText(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** @throws Error with what a command printed that failed. */
export function requireSuccess(what: string, result: CommandResult): void {
  if (result.status === 0) return;
  throw new Error(`${what} failed:\n${failureText(result)}`);
}

/** The named stack, or the selected one; undefined where there is none of that name. */
async function existingStack(pulumi: PulumiCommand, named: string | undefined): Promise<string | undefined> {
  if (named !== undefined) {
    if (isAmongStacks(await stackNames(pulumi), named)) return named;
    // The CLI lists no organization that is its usual one, and no project.
    const asked = named.includes("/") ? await pulumi(["stack", "--show-name", "--stack", named]) : undefined;
    return asked?.status === 0 ? named : undefined;
  }
  const selected = await pulumi(["stack", "--show-name"]);
  if (selected.status === 0) return selected.stdout.trim();
  throw new Error("no stack is selected: name one with --stack, such as --stack dev");
}

/** The named stack, or the selected one. Creates the named one where it does not exist. */
export async function chosenStack(pulumi: PulumiCommand, named: string | undefined): Promise<string> {
  const found = await existingStack(pulumi, named);
  if (found !== undefined || named === undefined) return found ?? "";
  const made = await pulumi(["stack", "init", named]);
  // Another import may have made it in between.
  if (made.status !== 0 && (await existingStack(pulumi, named)) === undefined)
    requireSuccess(`pulumi stack init ${named}`, made);
  return named;
}

/** A resource of a stack's state. */
export type StateEntry = Awaited<ReturnType<typeof resourcesOf>>[number];

/** The resources of a stack; none where it does not exist. Creates no stack. */
export async function resourcesIn(pulumi: PulumiCommand, named: string | undefined) {
  const stack = await existingStack(pulumi, named);
  return stack === undefined ? [] : resourcesOf(pulumi, stack);
}

/** The resources of a stack that exists. */
export async function resourcesOf(pulumi: PulumiCommand, stack: string) {
  const { resources } = await stackOf(pulumi, stack).exported({ showSecrets: false });
  return resources.map(({ type, urn, id = "" }) => ({ type, name: nameInUrn(urn), id }));
}

/** The consoles that the state of a stack names for its own settings; none where it does not exist. Creates no stack. */
export async function consolesIn(pulumi: PulumiCommand, named: string | undefined) {
  const stack = await existingStack(pulumi, named).catch(() => undefined);
  if (stack === undefined) return [];
  return ownConsoles(await stackOf(pulumi, stack).exported({ showSecrets: false }));
}

/** A resource that a preview would change, and the arguments that differ, as far as Pulumi shows them. */
export type PreviewedChange = Awaited<ReturnType<typeof previewedChanges>>[number];

/** Steps that change nothing. */
const quietOps = new Set(["same", "read", "refresh"]);

/** The changes that a preview shows. @throws Error with what Pulumi printed where the preview fails. */
export async function previewedChanges(pulumi: PulumiCommand, stack: string) {
  const { steps } = await stackOf(pulumi, stack).preview();
  return steps
    .filter(({ op }) => !quietOps.has(op))
    .map(({ urn, op, changedPaths, changedNames = [] }) => ({
      ...{ name: nameInUrn(urn), type: typeInUrn(urn), op },
      paths: changedPaths.length > 0 ? changedPaths : changedNames.map((name) => pathText([name])),
    }));
}
