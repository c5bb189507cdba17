import { acceptedFields, wireName } from "../../provider/schema/define";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { type PageRules, paginate, readPage, usualPages } from "../http/pagination";
import {
  addItem,
  changeItem,
  emptyItem,
  findItem,
  findWritable,
  removeItem,
  show,
  showListed,
  versionsOf,
} from "../store/items";
import { auditMember } from "../store/stamps";
import type { Call, Operation } from "./behaviour";
import { endOf, readFilter } from "./rules/filters";
import { type Outcome, sentence } from "./rules/outcomes";

const title = (call: Call): string => sentence(call.behaviour.definition.title);

/** The body of a call whose route takes the kind's own fields. */
export function bodyOf(call: Call): JsonObject {
  return isObject(call.body) ? call.body : {};
}

/** Answers one item. */
export function answerItem(call: Call, item: JsonObject, done: string): Outcome {
  return { message: `${title(call)} ${done} successfully.`, data: show(call, item) };
}

/** Answers a page of things that were read whole. `shown`: makes the form of one in the answer. */
export function answerPage<T>(
  call: Call,
  items: readonly T[],
  rules: PageRules = usualPages,
  shown: (item: T) => unknown = (item) => item,
): Outcome {
  const page = readPage(call.query, rules);
  return {
    message: "Listed successfully.",
    data: items.slice(page.offset, page.offset + page.limit).map(shown),
    pagination: paginate(call.path, call.query, page, items.length),
  };
}

/** A page of a kind's objects, oldest first; only that page is read unless a filter has to see them all. */
export function list(rules: PageRules = usualPages): Operation {
  return (call) => {
    const { world, behaviour, query, path } = call;
    const collection = behaviour.definition.name;
    const everything = query.get("includeArchived")?.[0] === "true";
    const shown = (item: JsonObject): JsonObject => showListed(call, item);
    const filter = readFilter(call);
    if (filter !== undefined)
      return answerPage(call, world.list(collection, everything).filter(filter), rules, shown);
    const page = readPage(query, rules);
    return {
      message: `${title(call)}s listed successfully.`,
      data: world.list(collection, everything, page).map(shown),
      pagination: paginate(path, query, page, world.count(collection, everything)),
    };
  };
}

/** Makes an object of the body. */
export const create: Operation = (call) => answerItem(call, addItem(call, bodyOf(call)), "created");

/** Declared defaults of the members that a partial update leaves out, under the switch `partialDefaults`. */
function declaredDefaults({ switches, behaviour, approved }: Call): JsonObject {
  if (switches.partialDefaults !== "apply" || approved === true) return {};
  return Object.fromEntries(
    Object.entries(behaviour.definition.fields).flatMap(([name, { traits }]) =>
      traits.always ? [[traits.wire ?? name, traits.serverDefault]] : [],
    ),
  );
}

/** Reads one object. */
export const get: Operation = (call) => answerItem(call, findItem(call).item, "read");

/** Lays the body over the object: absent keeps, arrays and nested objects are replaced whole. */
export const patch: Operation = (call) => {
  const { id, item } = findWritable(call);
  call.behaviour.refuseChange?.(call, id, item);
  const sent = { ...declaredDefaults(call), ...bodyOf(call) };
  return answerItem(call, changeItem(call, id, item, sent), "updated");
};

/** Replaces the object: optional data that the body leaves out falls back to what a new object has. */
export const replace: Operation = (call) => {
  const { id, item } = findWritable(call);
  call.behaviour.refuseChange?.(call, id, item);
  return answerItem(call, changeItem(call, id, item, bodyOf(call), withoutOptional(call, item)), "updated");
};

/** A name that is left out stays: the name of an object is not optional data (assumption). */
function withoutOptional({ behaviour, route }: Call, item: JsonObject): JsonObject {
  const { definition } = behaviour;
  const empty = emptyItem(definition);
  const base = { ...item };
  for (const name of acceptedFields(definition, route)) {
    const member = wireName(definition, name);
    if (member === "name") continue;
    delete base[member];
    if (Object.hasOwn(empty, member)) base[member] = empty[member];
  }
  return base;
}

/** Removes an object for ever, archived or not. */
export const remove: Operation = (call) => {
  const { id, item } = findItem(call);
  call.behaviour.refuseRemoval?.(call, id, item);
  removeItem(call, id, item);
  return { message: `${title(call)} deleted successfully.` };
};

/** Former forms of an object, newest first. */
export const versions: Operation = (call) => {
  const { id } = findItem(call);
  const inRange = timeRange(call, auditMember(call.behaviour.definition, "changed"));
  const former = call.world.list(versionsOf(call.behaviour, id), true).filter(inRange).reverse();
  return answerPage(call, former, usualPages, (item) => show(call, item));
};

/** The range of a query, by a time of the items. */
export function timeRange({ query }: Call, member: string | undefined): (item: JsonObject) => boolean {
  const start = Date.parse(query.get("startDate")?.[0] ?? "");
  const end = endOf(query.get("endDate")?.[0] ?? "");
  return (item) => {
    const time = member === undefined ? Number.NaN : Number(item[member]);
    return !(time < start) && !(time > end);
  };
}
