import { pathPrefix } from "../../provider/client/profile";
import { type ObjectDefinition, routeOf, wireName } from "../../provider/schema/define";
import type { FieldMessage } from "../../provider/schema/errors";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { idMember } from "../../provider/schema/object-id";
import type { Route } from "../../provider/schema/verbs";
import { fromWire } from "../../provider/schema/wire-names";
import type { Behaviour, Call } from "../console/behaviour";
import type { ConsoleSettings } from "../console/console";
import { Refusal } from "../console/rules/outcomes";
import { rulesOf, schedulesOf } from "../console/rules/rules";
import { mildest } from "../console/rules/switches";
import { withServiceUnitId } from "../console/rules/unit-id";
import { checkBody, findingsOf } from "../console/rules/validation";
import { wordIssues } from "../http/wording";
import { addItem, identify, save } from "./items";
import type { Store, World } from "./store";

/**
 * Objects by the last part of their list's path, in the plural and apart from `list`: `gates`, `dynamic_configs`,
 * `segments`, `metrics`, `metric_sources` and so on. Each is what a create takes, or a whole object as a read shows it: members that a create does
 * not take (a state, times, ids of rules, a layer's parameters, a segment's `ids`) are laid over what it made.
 */
export type Seed = Readonly<Record<string, readonly unknown[]>>;

/**
 * Puts the objects of a seed into the world, all or none. Those that a file already holds stay as they are, so that a
 * console can be started again with the same seed. Throws an error that names the place of a bad entry.
 */
export function plantSeed(
  store: Store,
  settings: ConsoleSettings,
  behaviours: readonly Behaviour[],
  seed: Seed,
): void {
  const lists = new Map(behaviours.map((behaviour) => [listName(behaviour), behaviour]));
  for (const name of Object.keys(seed)) {
    if (!lists.has(name))
      throw new Error(`seed.${name}: there is no such list; there are ${[...lists.keys()].join(", ")}`);
  }
  if (Object.keys(seed).length === 0) return;
  store.transaction("write", (world) => {
    for (const [name, behaviour] of lists) {
      const entries: unknown = seed[name] ?? [];
      if (!Array.isArray(entries)) throw new Error(`seed.${name}: not an array`);
      const planted = new Set<string>();
      for (const [index, entry] of entries.entries()) {
        plantAt(`seed.${name}[${index}]`, () => plant(world, settings, behaviour, entry, planted));
      }
    }
  });
}

/** A last part `list` says nothing: the one before it does, in the plural. */
function listName({ definition }: Behaviour): string {
  const parts = definition.routes.list?.path.split("/").filter((part) => part !== "list");
  const { kind, plural = `${kind}s` } = definition;
  const name = parts?.at(-1) ?? plural.charAt(0).toLowerCase() + plural.slice(1);
  return name.endsWith("s") ? name : `${name}s`;
}

function plantAt(place: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { errors } = error.answer.body;
    const findings = Array.isArray(errors) ? (errors as FieldMessage[]) : [];
    if (findings.length === 0) throw new Error(`${place}: ${error.message}`);
    const texts = findings.map(
      ({ property, errorMessage }) => `${[place, property].filter(Boolean).join(".")}: ${errorMessage}`,
    );
    throw new Error(texts.join("; "));
  }
}

function plant(
  world: World,
  settings: ConsoleSettings,
  behaviour: Behaviour,
  entry: unknown,
  planted: Set<string>,
): void {
  const { definition } = behaviour;
  const strategy = definition.lifecycle?.create;
  if (strategy === undefined || behaviour.planted !== undefined) {
    plantWhole(world, settings, behaviour, entry);
    return;
  }
  if (strategy.how !== "send") throw new Error(`${definition.kind} cannot be planted.`);
  const route = routeOf(definition, strategy.route);
  const whole = withServiceUnitId(entry, settings.profile.unitIdMember);
  const body = checkBody(
    definition,
    route,
    isObject(whole) ? creatable(behaviour, route, whole) : whole,
    "anything",
  ) as JsonObject;
  const known = identify(definition, body).id ?? givenId(definition, whole);
  if (known !== undefined && !planted.has(known) && world.get(behaviour.definition.name, known) !== undefined)
    return;
  const path = `${pathPrefix}${route.path}`;
  const call: Call = {
    world,
    ports: settings.ports,
    behaviour,
    // A seed may name objects before it plants them.
    switches: mildest,
    route,
    path,
    params: {},
    query: new Map(),
    body,
    planting: true,
  };
  const item = addItem(call, body);
  const member = idMember(definition);
  const made = String(item[member]);
  const id = known ?? made;
  world.rename(behaviour.definition.name, made, id);
  planted.add(id);
  const given = isObject(whole) ? whole : {};
  save(call, id, { ...item, [member]: id, ...restOf(behaviour, body, given), ...ruleMarks(item, given) });
  behaviour.onSeed?.(call, id, given);
}

/** Plants an object that only the console makes, as it is unless its behaviour changes it. */
function plantWhole(world: World, settings: ConsoleSettings, behaviour: Behaviour, entry: unknown): void {
  if (!isObject(entry)) throw new Refusal(400, "Expected an object");
  const member = idMember(behaviour.definition);
  const whole = withServiceUnitId(entry, settings.profile.unitIdMember) as JsonObject;
  const { id, item } = behaviour.planted?.(whole, settings.ports) ?? {
    id: String(whole[member] ?? settings.ports.makeId()),
    item: whole,
  };
  if (world.get(behaviour.definition.name, id) !== undefined) return;
  world.put(behaviour.definition.name, id, { [member]: id, ...item });
  behaviour.onAdd?.(world, id);
}

/** The id that an entry says although the console generates ids: others may refer to it. */
function givenId(definition: ObjectDefinition, entry: unknown): string | undefined {
  const id =
    definition.identity.how === "server" && isObject(entry) ? entry[idMember(definition)] : undefined;
  return typeof id === "string" ? id : undefined;
}

/**
 * The part of an entry that a create takes: new rules have no ids yet, some values only the console sets, and what a create
 * takes in another form the entry says as a read does.
 */
function creatable(behaviour: Behaviour, { body }: Route, entry: JsonObject): JsonObject {
  const otherForm = body !== undefined && !("schema" in body) ? body.otherForm : undefined;
  const taken = Object.entries(entry).filter(
    ([member, value]) => !behaviour.ownValues?.[member]?.includes(value) && otherForm?.[member] === undefined,
  );
  return Object.fromEntries(
    taken.map(([member, value]) => [
      member,
      member === "rules" && Array.isArray(value) ? value.map(withoutIds) : value,
    ]),
  );
}

function withoutIds(rule: unknown): unknown {
  if (!isObject(rule)) return rule;
  const { id: _id, baseID: _baseID, ...rest } = rule;
  return rest;
}

function ruleMarks(item: JsonObject, entry: JsonObject): JsonObject {
  const given = rulesOf(entry);
  if (given.length === 0) return {};
  const rules = rulesOf(item).map((rule, index) => {
    const { id = rule.id, baseID = rule.baseID, ...rest } = given[index] ?? {};
    return { ...rule, ...schedulesOf(rest), id, baseID };
  });
  return { rules };
}

/** Members that a read shows and a create does not take, checked like any other. */
function restOf(behaviour: Behaviour, taken: JsonObject, entry: JsonObject): JsonObject {
  const { definition } = behaviour;
  const rest: JsonObject = {};
  for (const [name, { mode, schema }] of Object.entries(definition.fields)) {
    const member = wireName(definition, name);
    const value = entry[member];
    const isApart = (definition.lifecycle?.update ?? []).some(
      (part) => part.how === "ids" && part.field === name,
    );
    if (value === undefined || mode === "writeOnly" || isApart || Object.hasOwn(taken, member)) continue;
    if (behaviour.ownValues?.[member]?.includes(value)) {
      rest[member] = value;
      continue;
    }
    const result = schema.safeParse(value, { reportInput: true });
    // A read may show members under other names than those that a definition has.
    const isOther = !result.success && schema.safeParse(fromWire(definition, entry)[name]).success;
    const issues =
      result.success || isOther ? [] : findingsOf(definition, name, value, result.error.issues, "anything");
    if (issues.length > 0) throw new Refusal(400, "Bad Request Exception", wordIssues(issues, [member]));
    rest[member] = result.success ? result.data : value;
  }
  return rest;
}
