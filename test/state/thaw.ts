import type { Seed } from "../../src/emulator";
import type { RouteClient } from "../../src/provider/client/client";
import { pathParameters } from "../../src/provider/client/route-path";
import { routeTo } from "../../src/provider/engine/context";
import { keptNames } from "../../src/provider/schema/audit";
import { acceptedFields, type ResourceDefinition, routeOf, wireName } from "../../src/provider/schema/define";
import { isConsoleError } from "../../src/provider/schema/errors";
import { isInternal } from "../../src/provider/schema/internal";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { idMember, secretOf } from "../../src/provider/schema/object-id";
import { toWire } from "../../src/provider/schema/wire-names";
import { revealed } from "../support/wire-json";
import { type Frozen, frozenIds, frozenProject, isPart, listOf } from "./frozen";

/** A frozen state and its kind. */
export interface Sheet {
  readonly definition: ResourceDefinition;
  readonly frozen: Frozen;
}

/** What the console held: the objects as outputs show them, and what was there beside them. */
export function seedOf(sheets: readonly Sheet[]): Seed {
  const lists: Record<string, unknown[]> = { projects: [{ id: frozenProject }] };
  const add = (list: string, item: unknown) => {
    lists[list] ??= [];
    const isThere = lists[list].some((one) => isObject(one) && isObject(item) && one.name === item.name);
    // What stands beside two of them is there once.
    if (!isThere || (isObject(item) && item.id !== undefined)) lists[list].push(item);
  };
  for (const { definition, frozen } of sheets) {
    for (const [list, items] of Object.entries(frozen.beside ?? {}))
      for (const item of items) add(list, item);
    if (definition.lifecycle.create.how === "claim" || isPart(definition)) continue;
    const ids = frozen.inputs.ids === undefined ? {} : { ids: frozenIds };
    add(listOf(definition), { ...liveOf(definition, frozen), ...ids });
  }
  return lists;
}

/** What is there without being made, such as the one object of its kind in a project, becomes what it was. */
export async function plantOnly(door: RouteClient, { definition, frozen }: Sheet): Promise<void> {
  const { create, update } = definition.lifecycle;
  if (create.how !== "claim" && !isPart(definition)) return;
  for (const part of update) {
    if (part.how !== "patch" && part.how !== "put") continue;
    const route = routeOf(definition, part.route);
    const params = Object.fromEntries(pathParameters(route.path).map((name) => [name, frozen.id]));
    const accepted = acceptedFields(definition, route).map((name) => wireName(definition, name));
    const live = Object.entries(liveOf(definition, frozen)).filter(([name]) => accepted.includes(name));
    await door.maybeItem(route, { params, body: Object.fromEntries(live) });
  }
}

/** What the console calls the object of a state: its id, or the secret that leads to it. */
export function addressOf(definition: ResourceDefinition, { id, outputs }: Frozen): string {
  const secret = secretOf(definition);
  return secret === undefined ? id : String(revealed(outputs[secret]));
}

function liveOf(definition: ResourceDefinition, frozen: Frozen): JsonObject {
  const { key: _key, ...said } = frozen.outputs;
  const members = Object.entries(said).filter(([name]) => !isInternal(name));
  // States leave out what was null.
  const owner = "owner" in definition.fields && said.owner === undefined ? { owner: null } : {};
  const shown = toWire(definition, Object.fromEntries(members));
  // What an object has under this name may be another id than the one that leads to it.
  const isOther = definition.identity.how === "address";
  return {
    ...owner,
    ...shown,
    ...(isOther ? {} : { [idMember(definition)]: addressOf(definition, frozen) }),
  };
}

/** An object as the console shows it; undefined for one that is gone. */
export async function liveItem(
  door: RouteClient,
  definition: ResourceDefinition,
  id: string,
): Promise<JsonObject | undefined> {
  const { read } = definition.lifecycle;
  if (read.how === "get") {
    const { route, params } = routeTo(definition, read.route, id);
    return door.item(route, { params }).catch((error: unknown) => {
      if (isConsoleError(error, "not-found")) return undefined;
      throw error;
    });
  }
  if (read.how === "remember") return undefined;
  for await (const item of door.items(routeOf(definition, read.list), {})) {
    if (item[idMember(definition)] === id) return item;
  }
  return undefined;
}

/** What a program of today says: the arguments of last time, and what the class tells beside them. */
export function programOf({ definition: { kind }, frozen: { name, inputs } }: Sheet): JsonObject {
  const said = Object.entries(inputs).filter(([name]) => !isInternal(name) || name === "__provider");
  return {
    ...Object.fromEntries(said),
    ...(inputs.ids === undefined ? {} : { ids: frozenIds }),
    __program: {
      name,
      urn: `urn:pulumi:dev::flags::pulumi-nodejs:dynamic/feature-console:${kind}::${name}`,
      ...{ preview: false, declared: 1 },
    },
  };
}

/** What any program may change in place. */
export function changeOf({ definition: { kind, fields }, frozen: { inputs } }: Sheet): {
  readonly name: string;
  readonly value: unknown;
} {
  const changes: JsonObject = {
    ...{ ids: [...frozenIds.slice(1), "user_9"], description: "Changed", message: "Changed" },
    ...{ triggerNotice: "Changed", defaultProjectRole: "Changed", visibility: "EXTERNAL" },
    ...{ isMetricReviewRequired: false, requireTeamsOnConfigs: false, scheduledHourPST: 5 },
    ...{ query: "select 1", bigquery: { project: "changed" } },
    ...{ passingUserIDs: [], userIDOverrides: [], conditionalOverrides: [] },
    rules: [{ name: "Changed", passPercentage: 1, conditions: [] }],
    permissions: { create_configs: false },
    environments: (inputs.environments as unknown[] | undefined)?.slice(0, -1),
  };
  const [name] = Object.keys(changes).filter(
    (one) => inputs[one] !== undefined && fields[one]?.traits.fixed !== true,
  );
  if (name === undefined) throw new Error(`test/state/thaw.ts does not say what to change of ${kind}`);
  return { name, value: changes[name] };
}

/** Values without what mattered in the moment of the create only. */
export function lasting({ __adopt, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Outputs without the values that only lookups show today. */
export function keptIn(definition: ResourceDefinition, outputs: JsonObject): JsonObject {
  const kept = keptNames(definition);
  return Object.fromEntries(
    Object.entries(outputs).filter(([name]) => kept.has(name) || definition.fields[name] === undefined),
  );
}

/** The digest of the frozen ids, as states hold it today: frozen here a second time. */
const digest = { ids: { count: 3, hash: "0b4ac5c8a2ad820a" }, __ids: "a5As7OJFebCqAEKz058z0Jvw" };

/** The first states held ids themselves; today their digest stands there, and in outputs the table of it. */
export function current(values: JsonObject): JsonObject {
  if (!Array.isArray(values.ids)) return values;
  const { ids, __ids } = digest;
  return { ...values, ids, ...(values.__managed === undefined ? {} : { __ids }) };
}
