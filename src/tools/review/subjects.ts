import { changesOf, fixedChanges, isArchived, plan, wantsArchived } from "../../provider/decisions/plan";
import { fieldsWith, type ResourceDefinition } from "../../provider/schema/define";
import { adoptMember } from "../../provider/schema/internal";
import { equalJson, type JsonObject, mapped } from "../../provider/schema/json";
import { expectedId, programId } from "../../provider/schema/object-id";
import { replacedAt } from "../../provider/schema/path";
import { referencesIn } from "../../provider/schema/references";
import { UNKNOWN } from "../../provider/schema/unknown";
import { unpacked } from "../../provider/values/hidden-state";
import { objectValues, viewOf } from "../../provider/values/managed";
import { onDeleteOf, optionsOf } from "../../provider/values/options";
import { withConsoleOwned, withUnknownRollout } from "../../provider/values/owned-arguments";
import { hiddenValue, isHidden, nameIn } from "../../provider/words";
import type { ExportedResource, PreviewResult, Step } from "../stack/preview";
import { type StackResource, stackResource, withoutInternal } from "../stack/resources";
import { placesHere } from "../stack/source-places";
import type { Act } from "./review";

/** A resource of this package in a preview. Its `id` is that of the console, or the one that it will get there, as far as it is known. */
export interface Subject extends StackResource {
  readonly step: Step;
  /** Undefined where it stays as it is. */
  readonly act: Act | undefined;
  /** Undefined where Pulumi does not replace it. */
  readonly replacement: Replacement | undefined;
  /** Its name in the program, else its id. */
  readonly called: string;
  /** The whole state, with internal members; undefined for a new resource. */
  readonly state: JsonObject | undefined;
  /** The object as state has it; empty for a new one. */
  readonly outputs: JsonObject;
  /** The same as a program would set it. */
  readonly before: JsonObject;
  /** Arguments that the program sets; undefined for a resource that leaves it. */
  readonly program: JsonObject | undefined;
  /** Arguments that change -> new values; undefined: emptied. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Paths at which Pulumi sees a change; none where it shows none. */
  readonly changedPaths: readonly string[];
}

/**
 * "in place": the object is changed where it is. "revived": it goes to the archive and comes back. "another": one of another id is
 * created, and the old one goes or stays. "anew": it is deleted for good and created anew.
 */
export type Replacement = "in place" | "revived" | "another" | "anew";

/** Resources of this package in a preview, changing or not. */
export function subjectsOf({ steps }: Pick<PreviewResult, "steps">): Subject[] {
  const meant = placesHere();
  const subjects = steps.flatMap((step) => subjectOf(step, meant) ?? []);
  const kept = new Map(subjects.flatMap((one) => (one.replacement === "in place" ? [[one.urn, one]] : [])));
  if (kept.size === 0) return subjects;
  return subjects.map((one) => subjectOf(withKeptIds(one, kept), meant) ?? one);
}

/** The step of a subject with the ids of objects that are replaced in place: Pulumi calls them unknown, and they stay. */
function withKeptIds(
  { definition, step, program = {}, state }: Subject,
  kept: ReadonlyMap<string, Subject>,
): Step {
  const { inputs } = step.newState ?? {};
  const withIds = referencesIn(definition, program).reduce((args, { value, kind, path }) => {
    const sources = sourcesOf(step, path[0], kept) ?? [];
    const [meant, ...others] = sources.filter((one) => one.definition.name === kind);
    if (value !== UNKNOWN || meant === undefined || others.length > 0) return args;
    return replacedAt(args, path, () => meant.id) as JsonObject;
  }, inputs ?? {});
  if (step.newState === undefined || equalJson(withIds, inputs)) return step;
  // A check that knows the ids finds more of what the console owns.
  const known = withConsoleOwned(definition, step.oldState?.inputs ?? {}, withIds);
  const isSame = step.op === "update" && plan(definition, state ?? {}, known).how === "nothing";
  return { ...step, op: isSame ? "same" : step.op, newState: { ...step.newState, inputs: known } };
}

/** Resources on which an argument depends, of these; undefined where the preview does not show on which it does. */
export function sourcesOf(
  { newState }: Step,
  argument: string | number | undefined,
  among: ReadonlyMap<string, Subject>,
): Subject[] | undefined {
  const urns = newState?.propertyDependencies?.[String(argument)];
  return urns?.flatMap((urn) => among.get(urn) ?? []);
}

/** The resource of a step; undefined for one of another package, and for one that a program only reads. */
function subjectOf(step: Step, meant: (file: string) => string): Subject | undefined {
  const { op, urn, oldState, newState, changedPaths } = step;
  const resource = stackResource(urn, oldState, step, meant);
  if (resource === undefined || (newState ?? oldState)?.external === true) return undefined;
  const { definition, name } = resource;
  const state = oldState?.outputs && unpacked(oldState.outputs);
  const outputs = publicValues(definition, state);
  const isNew = oldState === undefined || op.startsWith("create");
  const program = op === "delete" ? undefined : publicValues(definition, newState?.inputs);
  const replacement = replacementOf(definition, step, state);
  const act = replacement === "in place" ? "update" : actOf(definition, step, state);
  const id = oldState?.id ?? (program && knownId(definition, program));
  const called = programId(definition, program ?? outputs);
  return {
    ...{ ...resource, step, act, replacement, id, program, state, changedPaths },
    called: typeof called === "string" && called !== UNKNOWN ? called : (id ?? name),
    outputs: isNew ? {} : outputs,
    before: isNew ? {} : viewOf(definition, outputs),
    changes: act === undefined || program === undefined ? {} : changedBy(definition, step, program, state),
  };
}

function knownId(definition: ResourceDefinition, program: JsonObject): string | undefined {
  const id = expectedId(definition, program);
  return id?.includes(UNKNOWN) || id === "undefined" ? undefined : id;
}

/** Values of a program or of the console, without internal members and secrets. */
export function publicValues({ fields }: ResourceDefinition, values: JsonObject = {}): JsonObject {
  return mapped(withoutInternal(values), (value, name) =>
    fields[name]?.traits.secret === true ? hiddenValue : value,
  );
}

const creates: ReadonlySet<string> = new Set(["create", "import", "import-replacement"]);

function actOf(
  definition: ResourceDefinition,
  { op, oldState, newState, forgottenWith }: Step,
  state: JsonObject = {},
): Act | undefined {
  const { how } = definition.lifecycle.create;
  const runs = how === "run";
  const inputs = newState?.inputs ?? {};
  if (creates.has(op)) {
    if (runs) return "run";
    // Of an id to import, a preview shows that the program passes one: the check takes it out of the arguments.
    const imports = newState?.propertyDependencies?.[adoptMember] !== undefined || op.startsWith("import");
    // An object that every project has is there before the program.
    const adopts = how === "claim" || inputs.adopt === true || imports;
    return adopts ? "adopt" : "create";
  }
  if (op === "replace") return runs ? "run" : "replace";
  if (op === "update") {
    const [was, will] = [isArchived(definition, state), wantsArchived(definition, inputs)];
    return was === will ? "update" : will ? "archive" : "restore";
  }
  if (forgottenWith !== undefined) return "release";
  return op === "delete" && oldState !== undefined ? endOf(definition, oldState, state) : undefined;
}

/**
 * The effect of a replacement. A key can have one object at a time: where the new one comes first and keeps the key, the provider
 * finds its own object and brings it in line (`provider/decisions/claim.ts`, the row of "itself").
 */
function replacementOf(
  definition: ResourceDefinition,
  { op, oldState, newState, createsFirst }: Step,
  state: JsonObject = {},
): Replacement | undefined {
  if (op !== "replace" || oldState === undefined || definition.lifecycle.create.how !== "send")
    return undefined;
  const program = newState?.inputs ?? {};
  if (expectedId(definition, program) !== oldState.id) return "another";
  if (createsFirst ?? plan(definition, state, program).how !== "replace") return "in place";
  const comesBack =
    onDeleteOf(definition, state) === "archive" && definition.lifecycle.archived?.undo !== undefined;
  const isRemade =
    program.onImmutableChange === "replace" && fixedChanges(definition, state, program).length > 0;
  return comesBack && !isRemade ? "revived" : "anew";
}

/** The end of an object whose resource leaves the program. */
function endOf(
  definition: ResourceDefinition,
  { inputs = {}, retainOnDelete }: ExportedResource,
  state: JsonObject,
): Act {
  const { remove } = definition.lifecycle.delete;
  const how = onDeleteOf(definition, { onDelete: state.onDelete ?? inputs.onDelete });
  if (retainOnDelete === true || how === "retain" || definition.lifecycle.create.how === "run")
    return "release";
  if (how === "archive") return isArchived(definition, state) ? "release" : "archive";
  return remove?.clears === undefined ? "delete" : "empty";
}

function changedBy(
  definition: ResourceDefinition,
  step: Step,
  program: JsonObject,
  state: JsonObject | undefined,
): Record<string, unknown> {
  if (creates.has(step.op) || state === undefined)
    return actOf(definition, step) === "adopt" ? withUnknownRollout(definition, program) : program;
  const sent = { ...changesOf(definition, objectValues(program, state)) };
  const options = Object.keys(optionsOf(definition)).filter((name) => !equalJson(state[name], program[name]));
  // Secrets look alike before and after: Pulumi alone sees them change.
  const named = new Set(step.changedPaths.map((path) => path.split(/[.[]/, 1)[0] ?? path));
  const hidden = [...named].filter((name) => isHidden(program[name]) || isHidden(state[name]));
  for (const name of [...options, ...hidden]) sent[name] ??= program[name];
  return sent;
}

/** A change, as far as words need it. */
export type ChangingObject = Pick<
  Subject,
  "definition" | "before" | "program" | "changes" | "called" | "act" | "changedPaths"
> &
  Partial<Pick<Subject, "step">> & {
    /** Text for a side that does not set an argument, where two objects are compared. */
    readonly unset?: string;
  };

/** True where there was nothing before: an object is new, or nobody knows what it was. */
export function isFirst(before: JsonObject): boolean {
  return Object.keys(before).length === 0;
}

/** The field that counts how often code asks for an object; undefined for a kind that no code asks for. */
export function trafficField(definition: ResourceDefinition): string | undefined {
  return fieldsWith(definition, ({ traits }) => traits.traffic === true)[0];
}

/** True for an object that the update changes where it is. */
export function isUpdated({ step, replacement }: Subject): boolean {
  return step.op === "update" || replacement === "in place";
}

/** `experiment "buttons"`. */
export function objectText({ title }: Pick<ResourceDefinition, "title">, called: unknown): string {
  return `${title} ${nameIn(called)}`;
}
