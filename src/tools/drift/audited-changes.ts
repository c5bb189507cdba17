import { readables } from "../../provider/definitions";
import { auditOf, type Change, showsChanges } from "../../provider/schema/audit";
import { isConsoleError, messageOf } from "../../provider/schema/errors";
import type { JsonObject } from "../../provider/schema/json";
import { hasUniqueNames } from "../../provider/schema/object-id";
import type { Consoles } from "./live";
import { type Comparison, isDrift } from "./three-ways";

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
  const open = comparisons.filter((one) => isDrift(one) && (one.what === "gone" || !showsOwnChange(one)));
  const found = new Map<string, Change>();
  for (const provider of new Set(open.map(({ resource }) => resource.provider))) {
    try {
      const here = open.filter(({ resource }) => resource.provider === provider);
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

function showsOwnChange({ resource }: Comparison): boolean {
  return showsChanges(resource.definition);
}

/** Looks for the newest entry of each, page by page, until all are found. */
async function findChanges(
  client: ReturnType<Consoles["context"]>["client"],
  comparisons: readonly Comparison[],
  found: Map<string, Change>,
): Promise<void> {
  let left = [...comparisons];
  let pages = 0;
  const startDate = firstDay(left);
  const query = startDate === undefined ? {} : { startDate };
  for await (const page of client.pages(readables.auditLog.routes.list, { query })) {
    for (const entry of page)
      left = left.filter((one) => {
        const isIts = isEntryOf(entry, one);
        if (isIts) found.set(one.resource.urn, changeIn(entry));
        return !isIts;
      });
    pages += 1;
    if (left.length === 0 || pages === mostPages) return;
  }
}

/** The day before the first change that may be new; undefined where an object does not show when it last changed. */
function firstDay(comparisons: readonly Comparison[]): string | undefined {
  const times = comparisons.map(knownUntil);
  const first = Math.min(...times.map((time) => time ?? 0));
  // The log may count days by another clock.
  return first === 0 ? undefined : new Date(first - dayMs).toISOString().slice(0, 10);
}

/** When the object last changed, as state knows it, milliseconds since 1970. */
function knownUntil({ resource: { definition, applied } }: Comparison): number | undefined {
  const { changed, created } = auditOf(definition, applied?.outputs ?? {});
  return changed ?? created;
}

/** True for an entry about the object: its deletion, where it is gone. Earlier objects of its name are others. */
function isEntryOf(entry: JsonObject, comparison: Comparison): boolean {
  const { resource, what } = comparison;
  const { definition, id, applied } = resource;
  const names = hasUniqueNames(definition) ? [id, applied?.outputs.name] : [id];
  const kind = definition.title.split(" ");
  const action = String(entry.actionType).split("_");
  const { at } = changeIn(entry);
  const isLater =
    at === undefined || at >= secondOf(auditOf(definition, applied?.outputs ?? {}).created ?? 0);
  const isAbout = typeof entry.name === "string" && names.includes(entry.name) && isLater;
  const hasKind = kind.every((word) => action.includes(word));
  // "delete_gate_rule" ends a part of a gate alone.
  return isAbout && hasKind && (what !== "gone" || isDeletion(action, kind));
}

function isDeletion(action: readonly string[], kind: readonly string[]): boolean {
  const others = action.filter((word) => !kind.includes(word));
  return action.length === kind.length + 1 && ["delete", "deleted"].includes(others.join());
}

function secondOf(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

/** Author and time of an entry, whose day and time of day are in UTC. Without an e-mail, the author as the log calls it. */
function changeIn({ modifierEmail, updatedBy, date, time }: JsonObject): Change {
  const at = Date.parse(`${String(date)}T${String(time)}Z`);
  const by = [modifierEmail, updatedBy].find((one) => typeof one === "string" && one !== "");
  return { by: by as string | undefined, at: Number.isNaN(at) ? undefined : at };
}
