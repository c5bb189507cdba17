import { check } from "../core/check";
import { inputNames, type Problem, type ResourceDefinition } from "../core/define";
import { isConsoleError, messageOf } from "../core/errors";
import {
  adoptMember,
  declaredMember,
  kindsMember,
  misspeltMember,
  nameMember,
  previewMember,
  resourceMember,
  urnMember,
} from "../core/internal";
import { isObject, type JsonObject } from "../core/json";
import { calledBy, callingArgument, expectedId, namingArguments } from "../core/object-id";
import { pathText } from "../core/path";
import { wrongKindProblems } from "../core/references";
import { holdsUnknown } from "../core/unknown";
import { announcement, findClaim, findOnly, nameOf, refusalFor } from "../engine";
import { announceWarnings } from "./change-notice";
import { digestOf } from "./console-digest";
import type { ProviderProcess } from "./process";
import { toPulumi } from "./wire";

/** Arguments as they go into state, or all that is wrong with them. */
export async function checked(
  definition: ResourceDefinition,
  process: ProviderProcess,
  olds: JsonObject,
  news: JsonObject,
) {
  const creating = Object.keys(olds).length === 0;
  process.progress.checked(creating, news[declaredMember]);
  const resource = learn(process, news);
  const { args, problems: unread } = process.ids.take(definition, news);
  const result = check(definition, olds, withKeptNames(definition, process, resource, olds, args));
  const inputs: JsonObject = {
    ...result.inputs,
    ...(resource === undefined ? {} : { [resourceMember]: resource }),
  };
  const problems = [...unread, ...result.problems, ...settingsFound(process, news[misspeltMember])];
  problems.push(...wrongKindProblems(definition, args, kindsIn(news)));
  problems.push(...declare(definition, process, resource, news[nameMember], inputs));
  if (!creating) {
    process.run.silenced(resource, silencedNames(definition, olds, inputs));
    process.run.hasState(resource, nameOf(definition, expectedId(definition, olds) ?? ""));
  }
  if (problems.length === 0 && process.isPreview === true) {
    announceNames(definition, process, inputs);
    if (creating) problems.push(...(await foretell(definition, process, inputs)));
  }
  if (creating && process.run.importing(resource, inputs[adoptMember])) delete inputs[adoptMember];
  return {
    inputs: toPulumi(problems.length === 0 ? inputs : finite(inputs)),
    failures: problems.map(failureOf),
  };
}

/** Kinds of the resources that the program passed, by the path of the argument. */
function kindsIn(news: JsonObject): Readonly<Record<string, string>> {
  const kinds = news[kindsMember];
  return isObject(kinds) ? (kinds as Record<string, string>) : {};
}

/** Pulumi shows the value of the argument that a failure names: of a nested path it would find none. */
function failureOf({ path, message }: Problem) {
  const [first = ""] = path;
  return { property: String(first), reason: path.length > 1 ? `${pathText(path)}: ${message}` : message };
}

/** What a program tells of the run. @returns the digest of the resource's URN. */
function learn(process: ProviderProcess, news: JsonObject): string | undefined {
  const { [urnMember]: urn, [previewMember]: isPreview } = news;
  if (typeof isPreview === "boolean") process.isPreview = isPreview;
  if (typeof urn !== "string") return undefined;
  const [, , stack, project] = /^(urn:pulumi:)([^:]+)::([^:]+)::/.exec(urn) ?? [];
  if (stack !== undefined) process.stack = `${project}/${stack}`;
  return digestOf(urn);
}

/** What is wrong with the settings. They are the same for every resource of this process: looked at once. */
function settingsFound(process: ProviderProcess, misspelt: unknown): Problem[] {
  const unknown = Array.isArray(misspelt) ? misspelt.map(String) : [];
  return process.settingProblems(unknown).map((message) => ({ path: [], message }));
}

/** Arguments that decide, where a program is silent, under which name code finds an object. */

/**
 * Arguments with the names that the object to be replaced has. Pulumi checks the arguments of a replacement a second time,
 * without those of last time: under an alias the object would come back under another key than the one that code asks for.
 */
function withKeptNames(
  definition: ResourceDefinition,
  { run }: ProviderProcess,
  resource: string | undefined,
  olds: JsonObject,
  news: JsonObject,
): JsonObject {
  if (Object.keys(olds).length === 0) return { ...run.namesOf(resource), ...news };
  const kept = namingArguments(definition).filter(
    (name) => news[name] === undefined && olds[name] !== undefined,
  );
  if (kept.length > 0) run.keptNames(resource, Object.fromEntries(kept.map((name) => [name, olds[name]])));
  return news;
}

/** Notes what the program declares. One object cannot be two resources', nor go and stay in one run. */
function declare(
  definition: ResourceDefinition,
  { run }: ProviderProcess,
  resource: string | undefined,
  name: unknown,
  inputs: JsonObject,
): Problem[] {
  const { create } = definition.lifecycle;
  const { how } = definition.identity;
  const said = calledBy(definition, inputs);
  if (typeof said !== "string" || holdsUnknown(said)) return [];
  const object = nameOf(definition, create.how === "run" ? said : (expectedId(definition, inputs) ?? said));
  const isUnique = create.how !== "run" && how !== "server";
  const other = run.checked(
    { resource, name: String(name), object, spoken: nameOf(definition, said) },
    isUnique,
  );
  if (other === undefined) return [];
  const argument = callingArgument(definition);
  // Of what every project has once, no resource can name another.
  const advice =
    argument === undefined
      ? "remove one of the two"
      : `give one of the two another ${argument}, or remove it`;
  const later =
    argument === undefined
      ? "do it in two ups"
      : `change the ${argument} of "${other.name}" first, in an up of its own`;
  const message =
    other.how === "declares"
      ? `${object} is named by the resources "${other.name}" and "${String(name)}" of this program; ${advice}`
      : `${object} is what the resource "${other.name}" gives up in this same run, and it would be out of use in between; ${later}`;
  return [{ path: argument === undefined ? [] : [argument], message }];
}

/** Arguments that a program said last time, says no more, and that cannot be emptied. */
function silencedNames(definition: ResourceDefinition, olds: JsonObject, news: JsonObject): string[] {
  return inputNames(definition).filter(
    (name) =>
      olds[name] !== undefined &&
      news[name] === undefined &&
      !("clearWith" in (definition.fields[name]?.facts ?? {})),
  );
}

/** Says which names the program may have misspelt, once all of it was seen. */
function announceNames(definition: ResourceDefinition, process: ProviderProcess, inputs: JsonObject): void {
  process.names.resource(definition, inputs, nameOf(definition, String(calledBy(definition, inputs))));
  if (process.progress.isComplete()) for (const line of process.names.warnings()) process.sayOnce(`${line}.`);
}

/** Says what a create would do: of what it takes over it looks, and only in a preview. */
async function foretell(
  definition: ResourceDefinition,
  process: ProviderProcess,
  inputs: JsonObject,
): Promise<Problem[]> {
  const { create } = definition.lifecycle;
  const takes = inputs.adopt === true || inputs[adoptMember] !== undefined;
  announceWarnings(definition, process, String(calledBy(definition, inputs)), {}, inputs);
  if (create.how === "run" || (create.how === "send" && !takes)) return [];
  if ([calledBy(definition, inputs), inputs[adoptMember], expectedId(definition, inputs)].some(holdsUnknown))
    return [];
  try {
    const context = process.context();
    const entry = await context.journal?.find(nameOf(definition, String(calledBy(definition, inputs))));
    const finding =
      create.how === "claim"
        ? await findOnly(context, definition, inputs)
        : await findClaim(context, definition, inputs, { lost: false, entry });
    const { claim } = finding;
    if (claim.act === "refuse") {
      const { message } = refusalFor(definition, { finding, wants: inputs, entry }, claim.reason);
      return [{ path: [], message }];
    }
    const lines = announcement(definition, finding, inputs);
    if (lines.length > 0) process.sayOnce(lines.join("\n"));
    return [];
  } catch (error) {
    if (!isConsoleError(error)) throw error;
    return [{ path: [], message: messageOf(error) }];
  }
}

/** Arguments that are refused go back to Pulumi all the same: what its wire cannot hold is left out. */
function finite(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
