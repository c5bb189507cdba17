import { catalog } from "../catalog";
import { countOf, pluralOf } from "../core/count-text";
import type { ResourceDefinition } from "../core/define";
import type { MeantKind } from "../core/field";
import { isObject, type JsonObject } from "../core/json";
import { isArchived } from "../core/plan";
import { holdsNode, treeOf } from "../core/tree";
import { Consoles, explicitSettings, providerUrn, type Stack } from "../drift";
import type { ProcessPorts } from "../pulumi/process";
import type { ConsoleFindings } from "./make-review";
import type { ConsoleObject } from "./references";
import type { Subject } from "./subjects";

/** What the console is asked with. */
export interface ConsolePorts {
  readonly stack: Stack;
  /** What the provider's code works with, such as the door to the console. */
  readonly process: Partial<ProcessPorts>;
  /** Tells how far it is. */
  readonly progress: (line: string) => void;
}

/** A report waits no longer for an answer than this, unless the environment says otherwise; milliseconds. */
const patience = { "feature-console:requestTimeoutMs": "10000" };

/**
 * Reads what the console has of the kinds that change and of those that may refer to them: a list each. What cannot be read is
 * a note, never an error: a report without it is worth more than none.
 */
export async function askConsole(
  subjects: readonly Subject[],
  ports: ConsolePorts,
): Promise<ConsoleFindings> {
  const changing = subjects.filter(({ act }) => act !== undefined);
  if (changing.length === 0) return { asked: "not asked", objects: [], notes: [] };
  const kinds = kindsToRead(changing);
  const providers = new Set(changing.map(providerOf));
  const consoles = await consolesOf(ports, providers);
  const objects: ConsoleObject[] = [];
  const failures: string[] = [];
  let reads = 0;
  ports.progress(`Asking the console about ${countOf(kinds.length, "kind")} ...`);
  for (const provider of providers) {
    for (const { definition, list } of kinds) {
      try {
        for (const { id, values } of await consoles.listed(definition, list, provider))
          if (!isArchived(definition, values)) objects.push({ definition, id, values });
        reads += 1;
      } catch (error) {
        failures.push(
          `${pluralOf(definition.title)}: ${error instanceof Error ? error.message : String(error)}`,
        );
        // What one kind was refused for want of an answer, the others would wait for as long.
        if (reads === 0) break;
      }
    }
  }
  const asked = failures.length === 0 ? "asked" : reads > 0 ? "partly" : "not asked";
  return { asked, objects, notes: failures.map((text) => `The console was not read: ${text}`) };
}

function providerOf({ step }: Subject): string | undefined {
  const urn = providerUrn((step.newState ?? step.oldState)?.provider);
  // State holds the settings of others; these have none, and a state that is not read is a second saved.
  return urn === undefined || /::default(_\w+)?$/.test(urn) ? undefined : urn;
}

async function consolesOf(
  { stack, process }: ConsolePorts,
  providers: ReadonlySet<string | undefined>,
): Promise<Consoles> {
  // The environment may say all of it: then a stack that cannot be read is no loss.
  const config = await stack.config().catch(() => ({}));
  const isExplicit = [...providers].some((provider) => provider !== undefined);
  const exported = isExplicit ? await stack.exported().catch(() => undefined) : undefined;
  const explicit =
    exported === undefined ? new Map<string, Record<string, string>>() : explicitSettings(exported);
  return new Consoles({ ...patience, ...config }, explicit, process);
}

interface ReadKind {
  readonly definition: ResourceDefinition;
  readonly list: string;
}

/** Kinds of objects that change, and kinds whose objects may refer to them, as far as a list shows them. */
function kindsToRead(changing: readonly Subject[]): ReadKind[] {
  const names = new Set(
    changing.filter(({ act }) => act !== "create").map(({ definition }) => definition.name),
  );
  return Object.values(catalog as Readonly<Record<string, ResourceDefinition>>).flatMap((definition) => {
    const { read } = definition.lifecycle;
    if (read.how === "remember" || read.list === undefined) return [];
    const isNeeded = names.has(definition.name) || [...names].some((name) => mayReferTo(definition, name));
    return isNeeded ? [{ definition, list: read.list }] : [];
  });
}

function mayReferTo(definition: ResourceDefinition, kind: string): boolean {
  const holds = holdsNode(({ refersTo }) => means(refersTo, kind));
  return Object.values(treeOf(definition)).some(({ node }) => holds(node));
}

function means(fact: MeantKind | undefined, kind: string): boolean {
  if (typeof fact === "string") return fact === kind;
  return isObject(fact) && Object.values(fact.of as JsonObject).includes(kind);
}
