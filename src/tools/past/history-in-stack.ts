import type { ResourceDefinition } from "../../provider/schema/define";
import { Consoles, type DriftPorts } from "../drift";
import { resourcesOf } from "../stack/resources";
import { type History, historyOf } from "./history";
import { type NamedResource, resourceNamed, UnclearName } from "./named-resource";

/** What is asked: a name in the program, an id or a URN; with a kind also the id of an object that the stack does not have. */
export interface HistoryQuestion {
  readonly name: string;
  readonly definition: ResourceDefinition | undefined;
}

/**
 * The life of the object that is named. Reads the state, the object, its versions and the audit log, and writes nothing.
 * @throws UnclearName where nothing or more than one object is called so.
 */
export async function historyInStack(
  { stack, console, progress }: DriftPorts,
  { name, definition }: HistoryQuestion,
): Promise<{ readonly resource: NamedResource; readonly history: History }> {
  progress("Reading the state ...");
  const exported = await stack.exported();
  const resources = resourcesOf(exported);
  const consoles = new Consoles(await stack.config(), exported, console);
  try {
    const resource = resourceNamed(resources, name, definition);
    return { resource, history: await historyOf(consoles, resource, progress) };
  } catch (error) {
    if (!(error instanceof UnclearName) || error.isAmbiguous || definition === undefined) throw error;
    const resource = { definition, name, id: name, applied: undefined, provider: undefined, secrets: [] };
    const history = await historyOf(consoles, resource, progress);
    if (history.exists || history.versions.length > 0) return { resource, history };
    throw error;
  }
}
