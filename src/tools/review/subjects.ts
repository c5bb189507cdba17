import { changesOf, fixedChanges, isArchived, wantsArchived } from "../../provider/decisions/plan";
import type { ResourceDefinition } from "../../provider/schema/define";
import { adoptMember, isInternal } from "../../provider/schema/internal";
import { equalJson, type JsonObject } from "../../provider/schema/json";
import { expectedId, programId } from "../../provider/schema/object-id";
import { UNKNOWN } from "../../provider/schema/unknown";
import { sameMeaning } from "../../provider/values/compare";
import { objectValues, viewOf } from "../../provider/values/managed";
import { onDeleteOf, optionsOf } from "../../provider/values/options";
import { withUnknownRollout } from "../../provider/values/owned-arguments";
import { hiddenValue, isHidden } from "../../provider/words";
import { kindOfType } from "../stack/resources";
import { nameInUrn } from "../stack/stack";
import type { Step, StepResource } from "./preview-json";
import type { Act } from "./review";

/** A resource of this package in a preview. */
export interface Subject {
  readonly urn: string;
  /** Its name in the program. */
  readonly name: string;
  readonly definition: ResourceDefinition;
  readonly step: Step;
  /** Undefined where it stays as it is. */
  readonly act: Act | undefined;
  /** What becomes of it where Pulumi replaces it. */
  readonly replacement?: Replacement;
  /** As the console knows it, or will know it; undefined where only the console can tell. */
  readonly id: string | undefined;
  /** What a program calls it, else its id. */
  readonly called: string;
  /** The object as state has it; empty for a new one. */
  readonly outputs: JsonObject;
  /** The same as a program would say it. */
  readonly before: JsonObject;
  /** What the program says; undefined where it does not have the resource any more. */
  readonly program: JsonObject | undefined;
  /** Arguments that change -> what they will be; undefined: emptied. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Paths at which Pulumi sees a change; none where it does not say. */
  readonly changedPaths: readonly string[];
}

/**
 * How an object is replaced. "in place": it is changed where it is. "revived": it goes to the archive and comes back.
 * "another": one of another id is made, and the old one goes or stays. "anew": it is deleted for good and made anew.
 */
export type Replacement = "in place" | "revived" | "another" | "anew";

/** What a step is about; undefined for resources of other packages, and for those that a program only reads. */
export function subjectOf(step: Step): Subject | undefined {
  const shown = step.newState ?? step.oldState;
  const definition = kindOfType(shown?.type ?? "");
  if (definition === undefined || shown === undefined || shown.external === true) return undefined;
  const outputs = publicValues(definition, step.oldState?.outputs);
  const isNew = step.oldState === undefined || step.op.startsWith("create");
  const program = step.op === "delete" ? undefined : publicValues(definition, step.newState?.inputs);
  const replacement = replacementOf(definition, step);
  const act = replacement === "in place" ? "update" : actOf(definition, step);
  const id = step.oldState?.id ?? (program && knownId(definition, program, step.newState));
  const called = programId(definition, program ?? outputs);
  return {
    ...{ urn: step.urn, name: nameInUrn(step.urn), definition, step, act, id, program },
    ...(replacement === undefined ? {} : { replacement }),
    called: typeof called === "string" && called !== UNKNOWN ? called : (id ?? nameInUrn(step.urn)),
    changedPaths: step.changedPaths,
    outputs: isNew ? {} : outputs,
    before: isNew ? {} : viewOf(definition, outputs),
    changes: act === undefined || program === undefined ? {} : changedBy(definition, step, program),
  };
}

function knownId(
  definition: ResourceDefinition,
  program: JsonObject,
  now: StepResource | undefined,
): string | undefined {
  const adopted = now?.inputs?.[adoptMember];
  if (typeof adopted === "string") return adopted;
  const id = expectedId(definition, program);
  return id?.includes(UNKNOWN) || id === "undefined" ? undefined : id;
}

/** What a program or the console says, without what may not be shown. */
export function publicValues({ fields }: ResourceDefinition, values: JsonObject = {}): JsonObject {
  const own = Object.entries(values).filter(([name]) => !isInternal(name));
  return Object.fromEntries(
    own.map(([name, value]) => [name, fields[name]?.traits.secret === true ? hiddenValue : value]),
  );
}

const creates: ReadonlySet<string> = new Set([
  "create",
  "create-replacement",
  "import",
  "import-replacement",
]);

function actOf(
  definition: ResourceDefinition,
  { op, oldState, newState, forgottenWith }: Step,
): Act | undefined {
  const runs = definition.lifecycle.create.how === "run";
  const inputs = newState?.inputs ?? {};
  if (creates.has(op)) {
    if (runs) return "run";
    const adopts = inputs.adopt === true || inputs[adoptMember] !== undefined || op.startsWith("import");
    return adopts ? "adopt" : "create";
  }
  if (op === "replace") return runs ? "run" : "replace";
  if (op === "update") {
    const [was, will] = [isArchived(definition, oldState?.outputs ?? {}), wantsArchived(definition, inputs)];
    return was === will ? "update" : will ? "archive" : "restore";
  }
  if (forgottenWith !== undefined) return "release";
  return op === "delete" && oldState !== undefined ? endOf(definition, oldState) : undefined;
}

/**
 * What a replacement does. A key can have one object at a time: where the new one comes first and keeps the key, the provider
 * finds its own object and brings it in line (`provider/decisions/claim.ts`, the row of "itself").
 */
function replacementOf(
  definition: ResourceDefinition,
  { op, oldState, newState, createsFirst }: Step,
): Replacement | undefined {
  if (op !== "replace" || oldState === undefined || definition.lifecycle.create.how !== "send")
    return undefined;
  const [olds, program] = [oldState.outputs ?? {}, newState?.inputs ?? {}];
  const isSame = expectedId(definition, program) === oldState.id;
  if (isSame && (createsFirst ?? replacedNames(definition, olds, program).length === 0)) return "in place";
  if (!isSame) return "another";
  const comesBack =
    onDeleteOf(definition, olds) === "archive" && definition.lifecycle.archived?.undo !== undefined;
  const isRemade =
    program.onImmutableChange === "replace" && fixedChanges(definition, olds, program).length > 0;
  return comesBack && !isRemade ? "revived" : "anew";
}

/** Arguments whose change replaces the object, by the definition: then the old one goes first. */
function replacedNames(definition: ResourceDefinition, olds: JsonObject, program: JsonObject): string[] {
  const fixed = program.onImmutableChange === "replace" ? fixedChanges(definition, olds, program) : [];
  const replacing = Object.keys(program).filter(
    (name) =>
      definition.fields[name]?.traits.replaces === true &&
      !sameMeaning(definition, name, olds[name], program[name]),
  );
  return [...replacing, ...fixed.map(({ name }) => name)];
}

/** What becomes of an object whose resource leaves the program. */
function endOf(
  definition: ResourceDefinition,
  { inputs = {}, retainOnDelete, outputs = {} }: StepResource,
): Act {
  const { remove } = definition.lifecycle.delete;
  const how = onDeleteOf(definition, { onDelete: outputs.onDelete ?? inputs.onDelete });
  if (retainOnDelete === true || how === "retain" || definition.lifecycle.create.how === "run")
    return "release";
  if (how === "archive") return isArchived(definition, outputs) ? "release" : "archive";
  return remove?.clears === undefined ? "delete" : "empty";
}

function changedBy(definition: ResourceDefinition, step: Step, program: JsonObject): Record<string, unknown> {
  const { op, oldState, changedPaths } = step;
  if (creates.has(op) || oldState?.outputs === undefined)
    return actOf(definition, step) === "adopt" ? withUnknownRollout(definition, program) : program;
  const olds = oldState.outputs;
  const sent = { ...changesOf(definition, objectValues(program, olds)) };
  const options = Object.keys(optionsOf(definition)).filter((name) => !equalJson(olds[name], program[name]));
  // Secrets look alike before and after: Pulumi alone sees them change.
  const named = new Set(changedPaths.map((path) => path.split(/[.[]/, 1)[0] ?? path));
  const hidden = [...named].filter((name) => isHidden(program[name]) || isHidden(olds[name]));
  for (const name of [...options, ...hidden]) sent[name] ??= program[name];
  return sent;
}
