import { switchNames } from "../../provider/pulumi/provider-settings";
import {
  type CommandResult,
  failureText,
  isAmongStacks,
  type PulumiCommand,
  type PulumiOptions,
  pulumiCommand,
  stackNames,
} from "../../provider/pulumi/runs/cli";
import { isObject, type JsonObject, objectsIn } from "../../provider/schema/json";
import { urnParts } from "../../provider/schema/urn";
import { quote } from "../../provider/texts/issue-text";
import { type ExportedResource, type Preview, type PreviewResult, readPreview } from "./preview";
import { type LockPorts, lockPortsFor, withLock } from "./stack-lock";

/** A stack's state. */
export interface Exported {
  readonly resources: readonly ExportedResource[];
  /** Operations of which an interrupted run does not know the end; absent where nobody asked. */
  readonly pending?: number;
}

/** The Pulumi CLI on PATH, in a folder. */
export function pulumiIn(folder: string, options: Partial<PulumiOptions> = {}): PulumiCommand {
  // Confirmations that are skipped count as --yes, which some commands refuse beside others of their options.
  const { PULUMI_SKIP_CONFIRMATIONS: _, ...environment } = options.environment ?? process.env;
  const missing = "the Pulumi CLI does not start: is `pulumi` installed and on PATH?";
  return pulumiCommand({ missing, ...options, folder, environment });
}

/** The name of a resource in the program. */
export function nameInUrn(urn: string): string {
  return urnParts(urn).name;
}

/** The name of the stack that a resource is in. */
export function stackInUrn(urn: string): string {
  return urnParts(urn).stack;
}

/** The Pulumi type of a resource, behind those of its parents. */
export function typeInUrn(urn: string): string {
  return urn.split("::")[2] ?? "";
}

/** A stack, through the Pulumi CLI. Every method throws the CLI's message when the CLI fails. */
export interface Stack {
  /** The state of the last update or refresh. With secrets in plain text (the default): never print it. */
  exported(options?: { readonly showSecrets: boolean }): Promise<Exported>;
  /** The program's resources. Asks the console nothing but what an adoption or a replacement needs. `configFile`: settings in the place of the stack's own. */
  preview(options?: {
    readonly configFile?: string;
  }): Promise<Preview & Partial<Pick<PreviewResult, "diagnostics">>>;
  /** The stack's configuration, with its secrets in the open: never print it. */
  config(): Promise<Readonly<Record<string, string>>>;
  /** Takes the live values of resources into state. A lock that a killed process has left is taken away, here and below. */
  refresh(urns: readonly string[]): Promise<void>;
  /** Applies the program to these resources alone. */
  up(urns: readonly string[]): Promise<void>;
}

/**
 * The stack of that name; left out: the selected one. `report`: tells the user of a lock that is waited for or taken away.
 * @param named the stacks that the user named: a failure names those that there are not
 */
export function stackOf(
  run: PulumiCommand,
  name: string | undefined,
  report: LockPorts["report"] = () => undefined,
  named: readonly string[] = name === undefined ? [] : [name],
): Stack {
  const chosen = name === undefined ? [] : ["--stack", name];
  const resultText = async (args: readonly string[], result: CommandResult) => {
    if (result.status === 0) return result.stdout;
    const missing = await missingText(run, named);
    throw new Error(missing ?? `pulumi ${args[0]} failed: ${failureText(result)}`);
  };
  const text = async (...args: string[]) => resultText(args, await run([...args, ...chosen]));
  const onThese = async (urns: readonly string[], ...args: string[]) => {
    for (const some of portions(urns)) {
      const targeted = [...args, ...some.flatMap((urn) => ["--target", urn]), ...chosen];
      await resultText(args, await withLock(run, name, targeted, lockPortsFor(report)));
    }
  };
  return {
    async exported({ showSecrets } = { showSecrets: true }) {
      const secrets = showSecrets ? ["--show-secrets"] : [];
      return exportedIn(await text("stack", "export", ...secrets));
    },
    async preview({ configFile } = {}) {
      const args = ["preview", "--json", "--show-sames"];
      // A program that updates refuse has values all the same; other settings are tried as an update would take them.
      if (configFile === undefined)
        return readPreview(
          await resultText(args, await run([...args, ...chosen], { [switchNames.readProgram]: "1" })),
        );
      return readPreview(await text(...args, "--config-file", configFile));
    },
    async config() {
      return configIn(await text("config", "--json", "--show-secrets")).values;
    },
    refresh: (urns) => onThese(urns, "refresh", "--yes", "--skip-preview"),
    up: (urns) => onThese(urns, "up", "--yes", "--skip-preview"),
  };
}

/** A stack's state, with its name. */
export type ExportedStack = Awaited<ReturnType<typeof exportedStacks>>[number];

/** The state of these stacks. @throws Error that names the stacks that there are, where one of them is not. */
export async function exportedStacks(pulumi: PulumiCommand, names: readonly string[]) {
  return Promise.all(
    names.map(async (name) => ({
      name,
      exported: await stackOf(pulumi, name, undefined, names).exported(),
    })),
  );
}

/**
 * The stacks of these that there are not, and those that there are; undefined where all may be there: the CLI lists no stack of another project, and leaves
 * out an organization that is its usual one. Asked only after a failure: it takes as long as an export.
 */
async function missingText(pulumi: PulumiCommand, names: readonly string[]): Promise<string | undefined> {
  const plain = names.filter((name) => !name.includes("/"));
  const there = plain.length === 0 ? undefined : await stackNames(pulumi).catch(() => undefined);
  const missing = plain.filter((name) => there !== undefined && !isAmongStacks(there, name));
  if (missing.length === 0) return undefined;
  const has = there?.length ? `it has ${there.join(", ")}` : "it has none: `pulumi stack init dev` makes one";
  return `this project has no stack ${missing.map(quote).join(" and no stack ")}; ${has}`;
}

/** Longest command, characters: Windows takes 32,767, and others 1 MB with the environment. */
const longestCommand = process.platform === "win32" ? 30_000 : 500_000;

/** URNs by so many as one command may name. */
function portions(urns: readonly string[]): string[][] {
  const all: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const urn of urns) {
    length += urn.length + 10;
    if (length > longestCommand) {
      all.push([]);
      length = urn.length + 10;
    }
    all.at(-1)?.push(urn);
  }
  return all;
}

/** The state in the output of `pulumi stack export`; a stack without one has no resources. @throws SyntaxError for a text that is no JSON. */
export function exportedIn(text: string): Exported {
  const { deployment } = parsed(text);
  const { resources, pending_operations: pending } = isObject(deployment) ? deployment : {};
  return {
    resources: objectsIn(resources) as unknown as ExportedResource[],
    pending: objectsIn(pending).length,
  };
}

/** Values in the output of `pulumi config --json --show-secrets`, and the names of those that are encrypted. */
export function configIn(text: string) {
  const set = Object.entries(parsed(text)).flatMap(([name, one]) =>
    isObject(one) && typeof one.value === "string" ? [{ name, value: one.value, secret: one.secret }] : [],
  );
  return {
    values: Object.fromEntries(set.map(({ name, value }) => [name, value])),
    encrypted: new Set(set.flatMap(({ name, secret }) => (secret === true ? [name] : []))),
  };
}

/** The object in the output of a command. @throws SyntaxError */
export function parsed(text: string): JsonObject {
  const start = text.indexOf("{");
  return start < 0 ? {} : (JSON.parse(text.slice(start)) as JsonObject);
}
