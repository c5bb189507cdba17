import { check } from "../core/check";
import type { ResourceDefinition } from "../core/define";
import { ConsoleError } from "../core/errors";
import { departureProblems } from "../core/id-changes";
import { declaredMember, selfMember, stackMember } from "../core/internal";
import type { JsonObject } from "../core/json";
import { createdFields } from "../core/machine";
import { managedMember, stateOf, unfinishedStateOf } from "../core/managed";
import { pathText } from "../core/path";
import { plan } from "../core/plan";
import {
  attempting,
  create,
  type EngineContext,
  holderOf,
  nameOf,
  read,
  remove,
  Unfinished,
  update,
} from "../engine";
import { contextOf, holdersIn } from "./context";
import {
  declarationOf,
  isDependent,
  isOfRefresh,
  noteCheck,
  noteCreate,
  noteDependent,
  noteRead,
} from "./declarations";
import { announceIds, idsOf, takeIds } from "./id-sources";
import { type Provider, tablesApart } from "./id-tables";
import { noteStack } from "./notes";
import { runProgress } from "./progress";
import { announceReplacement, makesRoom, withKeptNames, withoutFulfilledImport } from "./replacements";
import type { ConfigReader } from "./settings";
import { partialFailure, providerMember, saidOnce, toPulumi } from "./wire";

/** The configuration of this process. Pulumi's host calls a provider before `configure` has returned. */
let readConfig: ConfigReader = () => undefined;

/** Pulumi's view of a kind: what the provider text in state leads to. */
export function providerOf(definition: ResourceDefinition): Provider {
  return tablesApart(definition, wholeProviderOf(definition));
}

function wholeProviderOf(definition: ResourceDefinition): Provider {
  const context = (): EngineContext => contextOf(readConfig);
  const described = (verb: string, id: unknown) => `${verb} ${nameOf(definition, String(id))}`;
  return {
    configure(request) {
      // Only this, and at once: the host swallows a failure here, and other calls do not wait for it.
      readConfig = (key) => request.config.get(key);
      return Promise.resolve();
    },

    check: (olds, news) => Promise.resolve(checked(definition, olds, news)),

    diff: (id, olds, news) =>
      attemptingAloud(described("change", id), () => Promise.resolve(difference(definition, id, olds, news))),

    create(inputs) {
      const strategy = definition.lifecycle.create;
      const said = strategy.how === "claim" ? strategy.id : inputs[definition.identity.argument];
      const self = { [selfMember]: newSelf() };
      return writing(described("create", said), async () => {
        const wants = withoutFulfilledImport(inputs, (id) => nameOf(definition, id));
        const here = context();
        const { id, live } = await create(here, definition, { ...wants, ...self });
        noteCreate(spokenName(definition, inputs), () =>
          here.holders.leave(nameOf(definition, id), self[selfMember]),
        );
        return { id, outs: toPulumi({ ...stateOf(definition, live, inputs), ...self }) };
      }).catch((error) => fail(definition, error, { ...inputs, ...self }, saidByCreate(definition, inputs)));
    },

    update(id, olds, news) {
      const self = { [selfMember]: olds[selfMember] ?? newSelf() };
      return writing(described("update", id), async () => {
        const live = await update(context(), definition, { id, wants: news, state: olds });
        return { outs: toPulumi({ ...stateOf(definition, live, news), ...self }) };
      }).catch((error) => fail(definition, error, { ...news, ...self }, olds));
    },

    read: (id, props = {}) =>
      attemptingAloud(described("read", id), () => refresh(context(), definition, id, props)),

    delete: (id, props) =>
      attemptingAloud(described("delete", id), () =>
        remove(context(), definition, id, props, removalOf(nameOf(definition, id))),
      ),
  };
}

function removalOf(object: string) {
  return { replaced: makesRoom(object), follows: isDependent };
}

function newSelf(): string {
  return Math.random().toString(36).slice(2);
}

/** Runs a create or an update, and counts it. */
function writing<T>(what: string, work: () => Promise<T>): Promise<T> {
  runProgress.started();
  return attempting(what, work);
}

/** The object by the name that the program gives it. */
function spokenName(definition: ResourceDefinition, inputs: JsonObject): string {
  return nameOf(definition, String(inputs[definition.identity.argument]));
}

/** Arguments as they go into state, or all that is wrong with them. */
function checked(definition: ResourceDefinition, olds: JsonObject, news: JsonObject) {
  runProgress.checked(Object.keys(olds).length === 0, news[declaredMember]);
  noteStack(news[stackMember]);
  const { args, problems: unread } = takeIds(definition, news);
  const { inputs, problems } = check(definition, olds, withKeptNames(definition.name, olds, args));
  noteCheck(spokenName(definition, inputs), args, Object.keys(olds).length > 0);
  const found = [...unread, ...problems];
  const failures = found.map(({ path, message }) => ({ property: pathText(path), reason: message }));
  return { inputs: toPulumi(inputs), failures };
}

function difference(definition: ResourceDefinition, id: string, olds: JsonObject, news: JsonObject) {
  const [departure] = departureProblems(definition, olds, news, idsOf);
  if (departure !== undefined)
    throw new ConsoleError(`${nameOf(definition, id)}: ${pathText(departure.path)}: ${departure.message}.`, {
      category: "invalid-argument",
    });
  announceIds(definition, id, olds, news);
  const result = plan(definition, olds, news);
  runProgress.compared(result.how);
  const object = nameOf(definition, id);
  const declared = spokenName(definition, news);
  const declaration = declarationOf(declared);
  const isRefresh = isOfRefresh(object, declared);
  if (result.how === "replace" && !isRefresh) announceReplacement(object);
  if (declaration === undefined && !isRefresh) noteDependent(object);
  if (result.how !== "replace" && declaration !== undefined) {
    const holders = holdersIn(readConfig);
    holders?.add(object, holderOf(olds));
    declaration.takeBack = () => holders?.leave(object, holderOf(olds));
  }
  if (result.how === "nothing") return { changes: false };
  if (result.how === "replace") return { replaces: [...result.names], deleteBeforeReplace: true };
  // Left open, `changes` makes the engine compare the arguments and show each property; where only the live object
  // moved, there is nothing for it to find.
  return result.names.length === 0 && result.revive ? { changes: true } : {};
}

async function refresh(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  props: JsonObject,
) {
  const observed = await read(context, definition, id, props);
  noteRead(nameOf(definition, id));
  // Without the list of what the program owns these are the arguments of a get, whose object must be there.
  if (observed === undefined && props[managedMember] === undefined) throw absent(definition, id);
  if (observed === undefined) {
    context.holders.free(nameOf(definition, id));
    return {};
  }
  const text = { [providerMember]: props[providerMember] };
  return {
    id,
    props: toPulumi({ ...observed.state, ...text, [selfMember]: props[selfMember] }),
    inputs: toPulumi({ ...observed.inputs, ...text }),
  };
}

/** Runs a verb whose errors Pulumi's host prints by itself. */
async function attemptingAloud<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await attempting(what, work);
  } catch (error) {
    throw error instanceof Error ? saidOnce(error, what) : error;
  }
}

function fail(definition: ResourceDefinition, error: unknown, wants: JsonObject, said: JsonObject): never {
  if (!(error instanceof Unfinished)) throw error;
  const state = unfinishedStateOf(definition, error.live, wants, said);
  const own = { [providerMember]: wants[providerMember], [selfMember]: wants[selfMember] };
  throw partialFailure(error.error, error.id, { ...state, ...own });
}

/** What the request of a create has said, as far as it is certain that there was one. */
function saidByCreate(definition: ResourceDefinition, wants: JsonObject): JsonObject {
  const { create: strategy } = definition.lifecycle;
  if (strategy.how !== "send" || wants.adopt === true || wants.__adopt !== undefined) return {};
  return Object.fromEntries(createdFields(definition, strategy.route).map((name) => [name, wants[name]]));
}

function absent(definition: ResourceDefinition, id: string): ConsoleError {
  return new ConsoleError(
    `There is no ${nameOf(definition, id)} in the console. Correct the id, or create the object.`,
    {
      category: "not-found",
    },
  );
}
