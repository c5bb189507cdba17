import { keepsForms } from "../../provider/engine/edits/authors";
import { auditOf, type Change, changeText } from "../../provider/schema/audit";
import type { ResourceDefinition } from "../../provider/schema/define";
import { isConsoleError, messageOf } from "../../provider/schema/errors";
import { hasUniqueNames } from "../../provider/schema/object-id";
import { withArticle } from "../../provider/schema/references";
import { countOf } from "../../provider/texts/count-text";
import { sentence } from "../../provider/texts/issue-text";
import { type LoggedLife, loggedLife } from "../drift/audited-changes";
import type { Report } from "../render/report";
import { type Consoles, readStack, type StackPorts } from "../stack/live";
import { UsageError } from "../stack/project";
import { objectOf, type Resource, resourceNamed, UnknownName } from "../stack/resources";
import { changesBetween } from "./changes";
import { type Form, formsOf } from "./forms";

/** An object of which the past is asked; it need not be in a stack. */
export type PastObject = Pick<Resource, "definition" | "id" | "name" | "applied" | "provider" | "secrets">;

/** One step in the life of an object. */
export interface PastVersion {
  /** Undefined for what no version shows, such as a deletion. */
  readonly version: number | undefined;
  readonly change: Change;
  /** A sentence for each change. */
  readonly changes: readonly string[];
}

/** The life of an object: its versions, newest first, whether it exists, and the gaps in the history, a sentence each. */
export type History = Awaited<ReturnType<typeof historyOf>>;

/** The life of an object: its versions, and from the audit log what no version shows. Reads only. */
async function historyOf(consoles: Consoles, object: PastObject, progress: (line: string) => void) {
  const forms = await formsOf(consoles, object);
  const logged = await loggedLife(consoles, object).catch((error: unknown) => {
    if (!isConsoleError(error)) throw error;
    progress(`The audit log was not read, so deletions are missing: ${messageOf(error)}`);
    return undefined;
  });
  const isKept = keepsForms(object.definition);
  const fromLog = (logged?.changes ?? []).filter(({ isDeletion }) => isDeletion || !isKept);
  const versions: PastVersion[] = [
    ...(isKept ? forms.map((form, at) => versionOf(object, form, forms[at + 1])) : []),
    ...fromLog.map(({ change, text, isDeletion }) => ({
      ...{ version: undefined, change },
      changes: [isDeletion ? "deleted, and its versions with it" : text],
    })),
  ];
  return {
    versions: versions.sort((one, other) => (other.change.at ?? 0) - (one.change.at ?? 0)),
    exists: forms.length > 0,
    unknown: unknownOf(object, forms, logged),
  };
}

function versionOf(
  object: PastObject,
  { version, change, values }: Form,
  former: Form | undefined,
): PastVersion {
  if (former !== undefined) {
    const changes = changesBetween(object, former.values, values);
    return { version, change, changes: changes.length > 0 ? changes : ["no change of an argument"] };
  }
  if (!isFirst(object, values))
    return { version, change, changes: ["the oldest version that the console keeps"] };
  const { created, madeBy } = auditOf(object.definition, values);
  const by = typeof madeBy === "string" && madeBy !== "" ? madeBy : null;
  return { version, change: { by, at: created }, changes: ["created"] };
}

function isFirst({ definition }: PastObject, values: Form["values"]): boolean {
  const { version, created, changed } = auditOf(definition, values);
  return version === undefined ? created !== undefined && created === changed : version <= 1;
}

function unknownOf({ definition }: PastObject, forms: readonly Form[], logged: LoggedLife | undefined) {
  const { title } = definition;
  const { readTo } = logged ?? {};
  const gaps = [
    !keepsForms(definition) &&
      `The console keeps no versions of ${withArticle(title)}: the audit log shows who changed it and when, without values.`,
    !hasUniqueNames(definition) &&
      `The audit log goes by names, which are not unique for this kind: no entry is known to be about this ${title}.`,
    keepsForms(definition) &&
      forms.length === 0 &&
      `The ${title} does not exist, and the console keeps the versions of existing objects only.`,
    logged === undefined && "The key may not read the audit log, which alone shows deletions.",
    readTo !== undefined &&
      `The audit log was read back to ${new Date(readTo).toISOString().slice(0, 10)}; older entries are missing.`,
  ];
  return gaps.filter((gap) => gap !== false);
}

/**
 * The life of the object that is named, by a name in the program, an id or a URN; with a kind also by the id of an object that the stack
 * does not have. Reads the state, the object, its versions and the audit log, and writes nothing.
 * @throws UsageError where nothing or more than one object is called so.
 */
export async function historyInStack(
  ports: StackPorts,
  name: string,
  definition: ResourceDefinition | undefined,
): Promise<{ readonly resource: PastObject; readonly history: History }> {
  const { progress } = ports;
  progress("Reading the state ...");
  const { resources, consoles } = await readStack(ports, "state");
  try {
    const resource = resourceNamed(resources, name, definition);
    return { resource, history: await historyOf(consoles, resource, progress) };
  } catch (error) {
    if (!(error instanceof UnknownName)) throw error;
    if (definition === undefined)
      throw new UsageError(
        `${sentence(error.message)} Of an object that left the stack, give the id and the kind: --kind gate`,
      );
    const resource = { definition, name, id: name, applied: undefined, provider: undefined, secrets: [] };
    const history = await historyOf(consoles, resource, progress);
    if (history.exists || history.versions.length > 0) return { resource, history };
    throw error;
  }
}

/** The life of an object, newest first. */
export function historyReport(resource: PastObject, { versions, unknown, exists }: History): Report {
  const { definition, id, name } = resource;
  const kept = versions.filter(({ version }) => version !== undefined).length;
  const shown = versions.map(({ version, change: { at, by }, changes }) => ({
    ...{ version, at: at === undefined ? undefined : new Date(at).toISOString(), by, changes },
  }));
  return {
    title: `${objectOf(resource)} · ${exists ? countOf(kept, "version") : "does not exist"}`,
    parts: [
      ...versions.map(({ version, change, changes }) => ({
        title: `${version === undefined ? "audit log" : `version ${version}`} · ${changeText(change)}`,
        parts: changes,
      })),
      ...unknown,
    ],
    json: { format: 1, kind: definition.kind, id, name, exists, versions: shown, unknown },
  };
}
