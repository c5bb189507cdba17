import { check } from "../../decisions/check";
import { takesOver } from "../../decisions/claim";
import { overclaims, overclaimText, shareClaimOf } from "../../decisions/declared-shares";
import { type IgnoringArguments, lostPathTexts, strayValueProblems } from "../../decisions/ignored-places";
import { isCalledOtherwise, keptByConsole } from "../../decisions/plan";
import { nameOf, objectLabel } from "../../engine";
import { type Problem, type ResourceDefinition, secretNames } from "../../schema/define";
import { adoptMember, resourceMember } from "../../schema/internal";
import { type JsonObject, picked } from "../../schema/json";
import { expectedId, nameArguments, programId, programIdArgument } from "../../schema/object-id";
import type { Path } from "../../schema/path";
import { wrongKindProblems } from "../../schema/references";
import { holdsUnknown } from "../../schema/unknown";
import { urnParts } from "../../schema/urn";
import { foreignProviderText } from "../../texts/allowed-hosts";
import { argumentName, placeText } from "../../texts/argument-names";
import { type SecretTexts, secretTexts, withoutSecrets } from "../../texts/secret-texts";
import { managedNames } from "../../values/managed";
import { optionsOf } from "../../values/options";
import { willFail } from "../../words/text";
import { previewCreate, problemsOf } from "../previews/create-preview";
import { withdrawnReplaceProblems } from "../previews/replacement";
import type { KindInProcess, ProviderProcess } from "../process";
import { permissionsOf } from "../provider-settings";
import { digestOf } from "../runs/console-digest";
import type { ResourceRecord } from "../runs/run";
import { toPulumi } from "../wire";
import { type ProgramNote, programNote } from "./program-note";

/** Arguments as they go into state, or all that is wrong with them. */
export async function checkArguments(kind: KindInProcess, olds: JsonObject, news: JsonObject) {
  const { definition, process } = kind;
  const creating = Object.keys(olds).length === 0;
  const note = programNote(news);
  process.progress.checked(creating, note.declared);
  const resource = rememberRun(process, note);
  const { args, problems: unread } = process.ids.take(definition, news);
  const record = process.run.resource(resource);
  record.note = note;
  const result = check(definition, olds, withKeptNames(definition, record, olds, args));
  const inputs: JsonObject = {
    ...result.inputs,
    ...(resource === undefined ? {} : { [resourceMember]: resource }),
  };
  const hidden = [...(note.secrets ?? []), ...secretNames(definition).map((name) => [name])];
  const secrets = secretTexts([args, olds, inputs], hidden);
  if (secrets.length > 0) record.secrets = secrets;
  record.secretNames = new Set(hidden.map(([name]) => String(name)));
  const problems = [...unread, ...result.problems, ...settingProblems(process, note)];
  problems.push(...wrongKindProblems(definition, args, note.kinds ?? {}));
  if (note.ignored !== undefined) {
    const { paths, args: program } = note.ignored;
    problems.push(...ignoredPlaceProblems(kind, paths, { olds, news: inputs, program }));
  }
  problems.push(...declare(kind, resource, note, inputs));
  problems.push(...sharedNameProblems(kind, resource, olds, inputs));
  problems.push(...process.demands.resource(definition, inputs));
  // The preview looks for the object that is to be taken over.
  if (creating && !takesOver(inputs)) problems.push(...process.demands.newObject(definition, inputs));
  if (creating) {
    problems.push(...withdrawnReplaceProblems(kind, resource, inputs));
    if (note.held !== undefined) record.inState = nameOf(definition, expectedId(definition, note.held) ?? "");
  } else {
    record.omitted = keptByConsole(definition, managedNames(definition, olds), inputs);
    record.inState = nameOf(definition, expectedId(definition, olds) ?? "");
  }
  if (problems.length === 0) problems.push(...(await otherConsoleProblems(process, note, creating)));
  const replaced = creating ? record.compared : undefined;
  // Imported long ago: what comes in its place is a new object.
  if (replaced !== undefined && inputs[adoptMember] === replaced.id) delete inputs[adoptMember];
  if (problems.length === 0) {
    const isNew = creating && record.compared === undefined && !takesOver(inputs);
    announceNames(kind, note, inputs, isNew);
    if (process.isPreview === true && creating) announceForgetting(kind, note, inputs);
    const found = creating ? await previewCreate(kind, replaced, inputs) : [];
    if (!process.readsProgram) problems.push(...found);
    else for (const { message } of found) process.reportOnce(willFail(message), resource);
  }
  if (creating && resource !== undefined && typeof inputs[adoptMember] === "string") {
    record.imports = inputs[adoptMember];
    delete inputs[adoptMember];
  }
  if (process.isPreview === true) {
    const found = await problemsOf(async () => {
      await process.endOfProgram();
      return [];
    });
    // Settings that cannot be used are among the problems already.
    problems.push(...found.filter(({ message }) => problems.every((one) => one.message !== message)));
  }
  const id = creating || olds[resourceMember] !== undefined ? undefined : expectedId(definition, olds);
  if (id !== undefined && resource !== undefined) {
    // Version 0.1.0 had no such input, which Pulumi would show beside the first change: diff and update have it from here.
    process.run.object(nameOf(definition, id)).resource = resource;
    delete inputs[resourceMember];
  }
  return {
    // Arguments that are refused go back to Pulumi all the same: what its wire cannot hold is left out.
    inputs: toPulumi(problems.length === 0 ? inputs : (JSON.parse(JSON.stringify(inputs)) as JsonObject)),
    failures: problems.map((problem) => failureOf(definition, problem, { hidden, secrets, news })),
  };
}

/**
 * Problems of the paths that Pulumi ignores, each judged once in a run: as the program notes it, or as Pulumi shows it to a native
 * provider. Reports those that lead nowhere.
 */
export function ignoredPlaceProblems(
  { definition, process }: KindInProcess,
  paths: readonly string[],
  args: IgnoringArguments,
): Problem[] {
  const { news } = args;
  const record = process.run.resource(news[resourceMember]);
  const open = paths.filter((one) => record.judgedPaths?.includes(one) !== true);
  record.judgedPaths = [...(record.judgedPaths ?? []), ...open];
  if (process.isPreview !== false)
    for (const text of lostPathTexts(definition, open, args))
      process.reportOnce(`${objectLabel(definition, news)}: ${text}`, news[resourceMember]);
  return strayValueProblems(definition, open, args);
}

/** An object in another console than that of the settings stops a program before its first request, whichever resource stands first. */
async function otherConsoleProblems(
  process: ProviderProcess,
  { provider, consoles }: ProgramNote,
  creating: boolean,
): Promise<Problem[]> {
  if (provider !== undefined) process.explicit = digestOf(provider);
  if (consoles !== undefined) process.session().guard.know(consoles);
  // Of what state has, the diff says it by its name.
  const message = creating ? await process.session().otherConsole({ asks: false }) : undefined;
  return message === undefined ? [] : [{ path: [], message }];
}

/** Keeps what the program notes of the run. @returns the digest of the resource's URN. */
function rememberRun(process: ProviderProcess, { urn, preview, asks }: ProgramNote): string | undefined {
  if (preview !== undefined) process.isPreview = preview;
  if (asks === true) process.hasProgramAsked = true;
  if (urn === undefined) return undefined;
  const { stack, project } = urnParts(urn);
  if (project !== "") process.stack.name = `${project}/${stack}`;
  return digestOf(urn);
}

/** Problems of the settings. They are the same for every resource of this process: checked once. */
function settingProblems(
  process: ProviderProcess,
  { name, misspelt = [], provider }: ProgramNote,
): Problem[] {
  const isForeign = provider !== undefined && process.hasUnmarkedSettings();
  const messages = isForeign
    ? [foreignProviderText(`The resource "${name}"`)]
    : process.settingProblems(misspelt);
  return messages.map((message) => ({ path: [], message }));
}

/**
 * Arguments with the names that the object to be replaced has. Pulumi checks the arguments of a replacement a second time,
 * without those of last time: under an alias the object would come back under another key than the one that code asks for.
 */
function withKeptNames(
  definition: ResourceDefinition,
  record: ResourceRecord,
  olds: JsonObject,
  news: JsonObject,
): JsonObject {
  if (Object.keys(olds).length === 0) return { ...record.keptNames, ...news };
  const isAnother = isCalledOtherwise(definition, olds, news);
  const kept = nameArguments(definition).filter(
    (name) => !isAnother && news[name] === undefined && olds[name] !== undefined,
  );
  if (kept.length > 0) record.keptNames = picked(olds, kept);
  return news;
}

/** Notes what the program declares. One object cannot be two resources', nor go and stay in one run. */
function declare(
  { definition, process }: KindInProcess,
  resource: string | undefined,
  { name, urn, duplicateDeclaration }: ProgramNote,
  inputs: JsonObject,
): Problem[] {
  const { create } = definition.lifecycle;
  const { how } = definition.identity;
  const called = programId(definition, inputs);
  if (typeof called !== "string" || holdsUnknown(called)) return [];
  const id = create.how === "run" ? called : (expectedId(definition, inputs) ?? called);
  const object = nameOf(definition, id);
  const isUnique = create.how !== "run" && how !== "server";
  const names = { name: String(name), ...(urn === undefined ? {} : { urn }) };
  const other = process.run.declare(
    { ...names, resource, object, calledAs: nameOf(definition, called) },
    isUnique,
  );
  if (other === undefined && duplicateDeclaration === undefined) return [];
  const argument = programIdArgument(definition);
  // Of what every project has once, no resource can name another.
  const advice =
    argument === undefined
      ? "remove one of the two"
      : `give one of the two another ${argument}, or remove it`;
  const later =
    argument === undefined
      ? 'run "pulumi up" twice, and remove the one before the other comes'
      : `change the ${argument} of "${other?.name}" first, in an up of its own`;
  const own = `"${String(name)}" of this program; ${advice}`;
  const message =
    other === undefined
      ? `${object} is named by the ${duplicateDeclaration} and the resource ${own}`
      : other.how === "declares"
        ? `${object} is named by the resources "${other.name}" and ${own}`
        : `${object} is what the resource "${other.name}" gives up in this same run, and it is not free before the end of it; ${later}`;
  return [{ path: argument === undefined ? [] : [argument], message }];
}

/**
 * Finds two resources of one name in kinds whose ids the console generates. A create that takes over goes by the name there, and
 * Pulumi may begin it before it shows the state of the other resources: it would take the object of one of them.
 */
function sharedNameProblems(
  { definition, process }: KindInProcess,
  resource: string | undefined,
  olds: JsonObject,
  inputs: JsonObject,
): Problem[] {
  const argument = programIdArgument(definition);
  if (definition.identity.how !== "server" || argument === undefined) return [];
  const creating = Object.keys(olds).length === 0;
  const name = creating ? inputs[argument] : olds[argument];
  if (typeof name !== "string" || holdsUnknown(name)) return [];
  const goesByName = inputs.adopt === true || permissionsOf(process.ports.environment()).takeOver;
  if (creating && (!goesByName || inputs[adoptMember] !== undefined)) return [];
  const object = nameOf(definition, name);
  const other = process.run.named(resource, object, creating ? "takes" : "in-state");
  if (other === undefined) return [];
  const [does, option] = creating ? ["has", "the import option"] : ["would take over", "its import option"];
  const message = `${object} is what the resource "${other}" of this program ${does}: name the one to take over with ${option}, or choose another ${argument}`;
  return [{ path: [argument], message }];
}

/**
 * Reports the shares that the program asks for too much of, and in a preview the names that it may have misspelt, once all of it was
 * checked; a share at once where nobody can say which resource is the last.
 */
function announceNames(
  { definition, process }: KindInProcess,
  { name, sources = {} }: ProgramNote,
  inputs: JsonObject,
  isNew: boolean,
): void {
  const { labels, names, parameters, progress } = process;
  const called = objectLabel(definition, inputs);
  const resource = `${definition.kind} ${name}`;
  labels.set(resource, called);
  const comesOf = new Set(Object.values(sources).flatMap((one) => one.split("\n")));
  const labelOf = (argument: string) => labels.get(sources[argument] ?? "");
  // No note of another language tells a preview, nor the resource that a value comes of.
  const user = progress.isUncounted() ? undefined : { resource, comesOf, isNew };
  if (process.isPreview !== false) {
    names.resource(definition, inputs, called, user);
    parameters.resource(definition, inputs, called, labelOf(definition.parameters?.of ?? ""));
  }
  const claim = shareClaimOf(definition, inputs, called, labelOf);
  if (claim !== undefined) process.shares.push(claim);
  if (!progress.isComplete() && !progress.isUncounted()) return;
  if (progress.isComplete()) process.reportDeclared();
  for (const overclaim of overclaims(process.shares)) process.reportOnce(`${overclaimText(overclaim)}.`);
}

/** At its end nobody can: a destroy runs no program, and Pulumi asks no provider about such a resource. */
function announceForgetting(
  { definition, process }: KindInProcess,
  { deletedWith }: ProgramNote,
  inputs: JsonObject,
): void {
  if (deletedWith === undefined || optionsOf(definition).onDelete === undefined) return;
  process.reportOnce(
    `${objectLabel(definition, inputs)} has ${argumentName("deletedWith")}: when the other resource goes, also in a destroy, Pulumi forgets it and leaves it in the console as it is.`,
    inputs[resourceMember],
  );
}

/** The texts of a resource: messages about it show none of those that are hidden or secret. */
interface ProgramTexts {
  readonly hidden: readonly Path[];
  readonly secrets: SecretTexts;
  readonly news: JsonObject;
}

/**
 * A finding as Pulumi prints it. It would print the whole value of an argument that a failure names before the reason, with the
 * secrets in it, or {<nil>}: so of a place inside, of a long value, of a secret, of what is not set and of what the program calls
 * otherwise the path stands in the text alone.
 */
function failureOf(definition: ResourceDefinition, { path, message }: Problem, program: ProgramTexts) {
  const { hidden, secrets, news } = program;
  const [first = ""] = path;
  const text = withoutSecrets(message, secrets);
  const isHidden = hidden.some(([name]) => name === first);
  const isSet = (news[first] ?? undefined) !== undefined;
  const place = placeText(definition, path);
  if (path.length === 1 && !isHidden && isSet && isShort(news[first]) && place === first)
    return { property: place, reason: text };
  return { property: "", reason: path.length === 0 ? text : `${place}: ${text}` };
}

/** Longest value that Pulumi may print before the reason. */
const longestShown = 80;

function isShort(value: unknown): boolean {
  return typeof value !== "object" || value === null
    ? String(value).length <= longestShown
    : JSON.stringify(value).length <= longestShown;
}
