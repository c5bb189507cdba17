import { takesOver } from "../decisions/claim";
import { seenMark } from "../decisions/console-edits";
import { movedState, plan } from "../decisions/plan";
import { replacementOrder } from "../decisions/replacement-order";
import {
  anotherObjectText,
  attempting,
  compareConsoles,
  create,
  forgetCreate,
  isElsewhere,
  isMissing,
  nameOf,
  objectLabel,
  ownerOf,
  PartialFailure,
  read,
  refusalInArchive,
  remove,
  reviewsIn,
  seenMarks,
  update,
} from "../engine";
import { departureProblems } from "../id-lists/changes";
import { hideIdHashes, type Provider } from "../id-lists/hidden-hashes";
import { inputNames, type ResourceDefinition } from "../schema/define";
import {
  type ConsoleError,
  invalidArgument,
  isConsoleError,
  objectExists,
  objectNotFound,
  reworded,
  unusableSettings,
} from "../schema/errors";
import {
  adoptMember,
  consoleMember,
  explicitMember,
  formatMember,
  projectMember,
  resourceMember,
  reviewsMember,
  seenMember,
  selfMember,
  stackMember,
} from "../schema/internal";
import { type JsonObject, membersOf, picked } from "../schema/json";
import { programId, programIdArgument } from "../schema/object-id";
import { placeText } from "../texts/argument-names";
import { restoredProblems, sentAtCreation } from "../values/machine";
import { managedMember, partialStateOf } from "../values/managed";
import { refuseNewerState, stateFormat } from "../values/upgrade";
import { willFail } from "../words/text";
import { checkArguments, ignoredPlaceProblems } from "./arguments/argument-check";
import { announceChanges } from "./previews/change-notice";
import { takenTwiceText } from "./previews/create-preview";
import { prepareReplacement } from "./previews/replacement";
import { type KindInProcess, type ProviderProcess, thisProcess } from "./process";
import { permissionsOf } from "./provider-settings";
import { consoleIn } from "./runs/console-guard";
import { marksOf, newSelf, outputsOf, placeMarks } from "./runs/state-marks";
import { initializationFailure, printedOnce, providerMember, toPulumi } from "./wire";

export type { Provider };

/** Pulumi's view of a kind: what the provider text in state leads to. */
export function providerOf(definition: ResourceDefinition, process: ProviderProcess = thisProcess): Provider {
  return hideIdHashes(definition, wholeProviderOf({ definition, process }), process.ids.hashesIn);
}

function wholeProviderOf(kind: KindInProcess): Provider {
  const { definition, process } = kind;
  const described = (verb: string, id: unknown) => `${verb} ${nameOf(definition, String(id))}`;
  /** Arguments with the mark of their resource, which a check leaves out beside a state of version 0.1.0. */
  const marked = (id: string, news: JsonObject): JsonObject => {
    const { resource } = process.run.object(nameOf(definition, id));
    return resource === undefined ? news : { [resourceMember]: resource, ...news };
  };
  /** Runs a verb on what state has, whose errors Pulumi's host prints by itself. */
  const withPrintedErrors = async <T>(
    verb: string,
    id: string,
    state: JsonObject,
    work: () => Promise<T>,
  ): Promise<T> => {
    const what = described(verb, id);
    try {
      return await attempting(what, () => {
        refuseNewerState(nameOf(definition, id), state);
        return work();
      });
    } catch (error) {
      throw error instanceof Error ? printedOnce(error, what) : error;
    }
  };
  return {
    configure({ config }) {
      // A refresh and a destroy start dynamic providers with the settings that state has of them.
      process.configure((key) => config.get(key), true);
      return Promise.resolve();
    },

    check: (olds, news) => checkArguments(kind, olds, news),

    diff: (id, olds, given) =>
      withPrintedErrors("change", id, olds, () => {
        const news = marked(id, given);
        return hidingSecrets(process, news, () => difference(kind, id, olds, news)).catch((error) => {
          if (!process.readsProgram || !isConsoleError(error)) throw error;
          process.reportOnce(willFail(error.message), news[resourceMember]);
          return { changes: true };
        });
      }),

    create(inputs) {
      const before = argsSentByCreate(definition, inputs);
      const marks: JsonObject = { [selfMember]: newSelf(process) };
      return writing(kind, described("create", programId(definition, inputs)), inputs, async () => {
        Object.assign(marks, await marksOf(process, inputs));
        const program = { ...inputs, ...importOf(kind, inputs), ...marks };
        const replaced = process.run.replacedBy(inputs[resourceMember]);
        const { id, live, seenOfReplaced } = await create(process.declared(definition, program), replaced);
        noteSuccessor(kind, inputs, seenOfReplaced);
        return { id, outs: outputsOf(kind, { live, args: inputs, marks, before }) };
      }).catch((error) => {
        process.run.createFailed(objectLabel(definition, inputs), inputs[resourceMember]);
        if (error instanceof PartialFailure) noteSuccessor(kind, inputs);
        return fail(definition, error, { ...inputs, ...marks }, before);
      });
    },

    update(id, olds, given) {
      const news = marked(id, given);
      const marks: JsonObject = { [selfMember]: olds[selfMember] ?? newSelf(process) };
      return writing(kind, described("update", id), news, async () => {
        refuseNewerState(nameOf(definition, id), olds);
        noteConsole(process, nameOf(definition, id), olds);
        Object.assign(marks, await marksOf(process, news, olds));
        const live = await update({ context: process.context(), definition, id, program: news, state: olds });
        return { outs: outputsOf(kind, { live, args: news, marks, before: olds }) };
      }).catch((error) => fail(definition, error, { ...news, ...marks }, olds));
    },

    read: (id, props = {}) => withPrintedErrors("read", id, props, () => refresh(kind, id, props)),

    delete: (id, props) =>
      withPrintedErrors("delete", id, props, async () => {
        const object = nameOf(definition, id);
        noteConsole(process, object, props);
        const { renamed = {}, declarer } = process.run.object(object);
        const { failedCreate } = process.run.object(objectLabel(definition, props));
        const replaced = process.run.deleting(object);
        const { resource } = ownerOf(props);
        const stored = { context: process.context(), definition, id, state: { ...props, ...renamed } };
        return remove(stored, {
          replaced,
          comesBack: resource !== undefined && declarer === resource,
          failedDeclarer: process.run.nameOfOther(failedCreate, resource),
          isDependent: (other) => process.run.object(other).isDependent === true,
        });
      }),
  };
}

/** Notes that an object exists which takes the place of another one: that one need not make room any more. */
function noteSuccessor(
  { definition, process }: KindInProcess,
  { [resourceMember]: resource }: JsonObject,
  seen?: JsonObject,
): void {
  const replaced = process.run.replacedBy(resource);
  if (replaced === undefined) return;
  const record = process.run.object(replaced.object);
  record.hasSuccessor = true;
  if (seen !== undefined) record.renamed = seenMark(definition, seen);
}

/** The object that the `import` option names. One that was deleted in this run was imported long ago. */
function importOf({ definition, process }: KindInProcess, inputs: JsonObject): JsonObject {
  const imported = process.run.resource(inputs[resourceMember]).imports ?? inputs[adoptMember];
  const isFulfilled =
    typeof imported === "string" && process.run.object(nameOf(definition, imported)).isDeleted === true;
  return { [adoptMember]: isFulfilled ? undefined : imported };
}

/** Runs a create or an update, and counts it. */
function writing<T>(
  { definition, process }: KindInProcess,
  what: string,
  inputs: JsonObject,
  work: () => Promise<T>,
): Promise<T> {
  process.progress.started();
  return hidingSecrets(process, inputs, () => attempting(what, work, definition));
}

/** Runs a verb of which no error shows what the program has as a secret, also where the console repeats it. */
async function hidingSecrets<T>(
  { run }: ProviderProcess,
  news: JsonObject,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const hidden = (one: ConsoleError) => {
      const message = run.withoutSecrets(one.message, news[resourceMember]);
      return message === one.message ? one : reworded(one, message);
    };
    if (error instanceof PartialFailure) throw new PartialFailure(error.id, error.live, hidden(error.error));
    throw isConsoleError(error) ? hidden(error) : error;
  }
}

async function difference(kind: KindInProcess, id: string, olds: JsonObject, news: JsonObject) {
  const { definition, process } = kind;
  const { run } = process;
  const object = nameOf(definition, id);
  const resource = news[resourceMember];
  noteConsole(process, object, olds);
  const isDeclared = run.isDeclared(resource, objectLabel(definition, news));
  const refreshed = run.refreshed(object, isDeclared);
  if (refreshed === "unread") return { changes: false };
  if (refreshed === undefined && (await isLeftElsewhere(kind, id, olds))) {
    run.replacing(object, resource);
    run.resource(resource).isElsewhere = true;
    return {
      changes: true,
      replaces: [programIdArgument(definition) ?? inputNames(definition)[0] ?? "id"],
      // Nothing is deleted in the other console: state keeps what is there until the new object exists.
      deleteBeforeReplace: false,
    };
  }
  const adopter =
    isDeclared && refreshed === undefined ? run.nameOfOther(run.object(object).adopter, resource) : undefined;
  if (adopter !== undefined) throw objectExists(takenTwiceText(object, adopter));
  refuseChange(kind, { object, isDeclared }, olds, news);
  const result = plan(definition, olds, news);
  if (isDeclared && result.how === "update") {
    const refusal = refusalInArchive({ definition, id, live: olds, program: news }, result.names);
    if (refusal !== undefined) throw refusal;
  }
  process.progress.compared(result.how);
  if (refreshed === undefined) {
    if (result.how === "replace") {
      if (isDeclared) await prepareReplacement(kind, { id, state: olds, names: result.names }, news);
      else run.resource(resource).replacedDependent = { id, state: olds, names: result.names };
      run.replacing(object, resource);
    }
    if (isDeclared) run.resource(resource).compared = { id, state: olds };
    if (!isDeclared) run.object(object).isDependent = true;
    else if (result.how !== "replace")
      process.session().ownership.claim(object, { ...ownerOf(olds), resource: ownerOf(news).resource });
    // Of an object that takes outputs of a replaced one, the diff after its check knows more.
    if (isDeclared) announceChanges(kind, { id, planned: result }, olds, news);
    if (process.isPreview === true) await process.endOfProgram();
  }
  // A change that waits for people goes on, or is taken back, without any difference between program and state.
  if (result.how === "nothing") return { changes: refreshed === "moved" || reviewsIn(olds).length > 0 };
  if (result.how === "replace")
    return {
      replaces: [...result.names],
      deleteBeforeReplace: replacementOrder(definition, id, news) === "delete-first",
    };
  // Left open, `changes` makes the engine compare the arguments and show each property; where only the live object moved, or where
  // the last update left the change to people, there is nothing for it to find.
  const isLeft = refreshed === undefined && reviewsIn(olds).length > 0;
  return (result.names.length === 0 && result.revive) || isLeft ? { changes: true } : {};
}

/** Refuses a change that state alone tells is impossible. @throws ConsoleError "invalid-argument". */
function refuseChange(
  kind: KindInProcess,
  { object, isDeclared }: { readonly object: string; readonly isDeclared: boolean },
  olds: JsonObject,
  news: JsonObject,
): void {
  const { definition, process } = kind;
  const { paths, args } = process.run.resource(news[resourceMember]).ignored ?? { paths: [], args: {} };
  const [problem] = [
    ...departureProblems(definition, olds, news, process.ids.idsOf),
    ...(isDeclared ? restoredProblems(definition, olds, news) : []),
    ...(isDeclared ? ignoredPlaceProblems(kind, paths, { olds: args, news }) : []),
  ];
  if (problem !== undefined)
    throw invalidArgument(`${object}: ${placeText(definition, problem.path)}: ${problem.message}.`);
}

/** State has all objects of a provider in one place: none of them may come to be elsewhere. */
function noteConsole(process: ProviderProcess, object: string, state: JsonObject): void {
  const known = consoleIn(state, object);
  if (known !== undefined) process.session().guard.know([known]);
}

/**
 * True for an object of another console that this run leaves there and makes anew. A diff asks for the project only then: a preview
 * that changes nothing sends no request. @throws ConsoleError "settings" where nobody has said that it is to be left.
 */
async function isLeftElsewhere(
  { definition, process }: KindInProcess,
  id: string,
  state: JsonObject,
): Promise<boolean> {
  if (state[projectMember] === undefined && !isElsewhere(process.session().console, state)) return false;
  const letsGo = permissionsOf(process.ports.environment()).leaveInOtherConsole;
  const object = nameOf(definition, id);
  const compared = await compareConsoles(process.context(), object, state, { asks: letsGo });
  if (compared.how !== "other") return false;
  if (!letsGo) throw unusableSettings(compared.text);
  return true;
}

async function refresh({ definition, process }: KindInProcess, id: string, props: JsonObject) {
  const { run } = process;
  const object = nameOf(definition, id);
  run.object(object).isOther = false;
  // Without the list of what the program owns these are the arguments of a get, whose object must be there.
  const isGet = props[managedMember] === undefined;
  noteConsole(process, object, props);
  const session = process.session();
  const readObject = async () => {
    const compared = await compareConsoles(session.context, object, props);
    if (compared.how === "other") session.requireFileOf(definition, id, props);
    if (compared.how === "other") throw unusableSettings(compared.text);
    const found = await read({ context: session.context, definition, id, state: props });
    if (isMissing(found) && !isGet) session.requireFileOf(definition, id, props);
    return found;
  };
  const found = isGet
    ? await readObject()
    : await session.reads.read({ definition, id, outputs: props }, readObject);
  if (found === undefined) {
    run.object(object).read = "unread";
    // Without inputs the engine keeps those that it has.
    return { id, props };
  }
  if (isMissing(found)) {
    if (isGet) throw absent(definition, id);
    const { other } = found;
    if (other === undefined) process.session().ownership.releaseByAll(object);
    else {
      process.session().ownership.noteForeign(object);
      run.object(object).isOther = true;
      process.reportFound(anotherObjectText("refresh", { definition, id, state: props }, other));
    }
    await forgetCreate({ context: process.context(), definition, id, state: props });
    return {};
  }
  process.ports.noteLive?.(object, found.live);
  const moved = isGet ? undefined : movedState(definition, props, found.state);
  if (moved !== undefined)
    process.reportFound(
      `${object} is ${moved.to} in the console and was ${moved.from}: the last update did not set it, so it stays unless the program sets it.`,
    );
  run.object(object).read = moved === undefined ? "as-compared" : "moved";
  const kept = picked(props, [providerMember, selfMember, resourceMember, stackMember, reviewsMember]);
  const marks = { [formatMember]: stateFormat, ...(await placeMarks(process, props)) };
  const seen = isGet ? {} : seenMarks(process.declared(definition, props), found.live);
  return {
    id,
    props: toPulumi({ ...found.state, ...marks, ...kept, ...seen }),
    inputs: toPulumi({ ...found.inputs, ...picked(kept, [providerMember, resourceMember]) }),
  };
}

function fail(
  definition: ResourceDefinition,
  error: unknown,
  program: JsonObject,
  previousArgs: JsonObject,
): never {
  if (!(error instanceof PartialFailure)) throw error;
  const state = partialStateOf(definition, error.live, program, previousArgs);
  const own = picked(program, [providerMember, selfMember, formatMember, stackMember, resourceMember]);
  const place = picked(program, [consoleMember, projectMember, explicitMember]);
  const seen = previousArgs[seenMember] === undefined ? {} : seenMark(definition, error.live);
  const reviews = picked(error.live, [reviewsMember]);
  throw initializationFailure(error.error, error.id, { ...state, ...own, ...place, ...seen, ...reviews });
}

/** The arguments that the request of a create has sent, as far as it is certain that there was one. */
function argsSentByCreate(definition: ResourceDefinition, program: JsonObject): JsonObject {
  const { create: strategy } = definition.lifecycle;
  if (strategy.how !== "send" || takesOver(program)) return {};
  return membersOf(sentAtCreation(definition, strategy.route), (name) => program[name]);
}

/** The error for an object that is not there. */
export function absent(definition: ResourceDefinition, id: string): ConsoleError {
  return objectNotFound(
    `There is no ${nameOf(definition, id)} in the console. Correct the id, or create the object.`,
  );
}
