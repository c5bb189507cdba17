import { readables } from "../../provider/definitions";
import { auditOf, type Change, showsChanges } from "../../provider/schema/audit";
import type { ResourceDefinition } from "../../provider/schema/define";
import { isConsoleError, messageOf } from "../../provider/schema/errors";
import type { JsonObject } from "../../provider/schema/json";
import { hasUniqueNames } from "../../provider/schema/object-id";
import type { Consoles } from "../stack/live";
import type { Resource } from "../stack/resources";
import { type Comparison, isDrift } from "./comparison";

/** Pages of the log that are read at most: the newest entries are on the first. */
const mostPages = 3;

const dayMs = 86_400_000;

/**
 * The comparisons, each with its change in the audit log where the object itself does not show one: it is gone, or its kind has no
 * audit fields. A log that the key may not read is reported once.
 */
export async function withAuditedChanges(
  consoles: Consoles,
  comparisons: readonly Comparison[],
  progress: (line: string) => void,
): Promise<readonly Comparison[]> {
  const open = comparisons.filter(
    (one) => isDrift(one) && (one.what === "gone" || !showsChanges(one.resource.definition)),
  );
  const found = new Map<string, Change>();
  for (const [provider, here] of Map.groupBy(open, ({ resource }) => resource.provider)) {
    try {
      await findChanges(consoles.context(provider).client, here, found);
    } catch (error) {
      if (!isConsoleError(error)) throw error;
      progress(`The audit log was not read, so authors come from the objects alone: ${messageOf(error)}`);
      break;
    }
  }
  return comparisons.map((one) => {
    const audited = found.get(one.resource.urn);
    return audited === undefined ? one : { ...one, audited };
  });
}

type Client = ReturnType<Consoles["context"]>["client"];

/** The newest pages of the log. */
async function* newestPages(client: Client, query: Readonly<Record<string, string>> = {}) {
  let pages = 0;
  for await (const page of client.pages(readables.auditLog.routes.list, { query })) {
    yield page;
    pages += 1;
    if (pages === mostPages) return;
  }
}

/** Looks for the newest entry of each, page by page, until all are found. */
async function findChanges(client: Client, comparisons: readonly Comparison[], found: Map<string, Change>) {
  let left = [...comparisons];
  const startDate = firstDay(left);
  for await (const page of newestPages(client, startDate === undefined ? {} : { startDate })) {
    for (const entry of page)
      left = left.filter((one) => {
        const isIts = isEntryOf(entry, one);
        if (isIts) found.set(one.resource.urn, changeIn(entry));
        return !isIts;
      });
    if (left.length === 0) return;
  }
}

/** The day before the first change that may be new; undefined where an object does not show when it last changed. */
function firstDay(comparisons: readonly Comparison[]): string | undefined {
  const times = comparisons.map(({ resource: { definition, applied } }) => {
    const { changed, created = 0 } = auditOf(definition, applied?.outputs ?? {});
    return changed ?? created;
  });
  const first = Math.min(...times);
  // The log may count days by another clock.
  return first === 0 ? undefined : new Date(first - dayMs).toISOString().slice(0, 10);
}

/** True for an entry about the object: its deletion, where it is gone. Earlier objects of its name are others. */
function isEntryOf(entry: JsonObject, { resource, what }: Comparison): boolean {
  const { definition, applied } = resource;
  const { at } = changeIn(entry);
  const { created = 0 } = auditOf(definition, applied?.outputs ?? {});
  // The log has no milliseconds.
  const isLater = at === undefined || at > created - 1000;
  return isAbout(entry, resource) && isLater && (what !== "gone" || isDeletion(entry, definition));
}

/** True for an entry about an object of the name and kind of a resource. */
function isAbout(entry: JsonObject, { definition, id, applied }: LoggedObject): boolean {
  const names = hasUniqueNames(definition) ? [id, applied?.outputs.name] : [id];
  const action = actionOf(entry);
  const hasKind = definition.title.split(" ").every((word) => action.includes(word));
  return typeof entry.name === "string" && names.includes(entry.name) && hasKind;
}

/** "delete_gate_rule" ends a part of a gate alone. */
function isDeletion(entry: JsonObject, { title }: ResourceDefinition): boolean {
  const [kind, action] = [title.split(" "), actionOf(entry)];
  const others = action.filter((word) => !kind.includes(word));
  return action.length === kind.length + 1 && ["delete", "deleted"].includes(others.join());
}

function actionOf({ actionType }: JsonObject): string[] {
  return String(actionType).split("_");
}

/** The object of a resource, as far as the log knows it. */
type LoggedObject = Pick<Resource, "definition" | "id" | "applied" | "provider">;

/** The newest part of the log, as far as it is about one object. */
export type LoggedLife = Awaited<ReturnType<typeof loggedLife>>;

/** The entries of the log about an object, and about earlier ones of its name and kind. @throws ConsoleError */
export async function loggedLife(consoles: Consoles, object: LoggedObject) {
  const pages = await Array.fromAsync(newestPages(consoles.context(object.provider).client));
  const own = pages.flat().filter((entry) => isAbout(entry, object));
  return {
    /** Newest first. */
    changes: own.map((entry) => ({
      change: changeIn(entry),
      /** In the console's words. */
      text: String(entry.changeLog ?? entry.actionType),
      isDeletion: isDeletion(entry, object.definition),
    })),
    /** Time of the oldest entry that was read, where the log may have more; milliseconds since 1970. */
    readTo: pages.length < mostPages ? undefined : changeIn(pages.at(-1)?.at(-1) ?? {}).at,
  };
}

/** Author and time of an entry, whose day and time of day are in UTC. Without an e-mail, the author as the log calls it. */
function changeIn({ modifierEmail, updatedBy, date, time }: JsonObject): Change {
  const at = Date.parse(`${String(date)}T${String(time)}Z`);
  const by = [modifierEmail, updatedBy].find((one) => typeof one === "string" && one !== "");
  return { by: by as string | undefined, at: Number.isNaN(at) ? undefined : at };
}
