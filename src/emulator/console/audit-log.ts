import { readables } from "../../provider/definitions/index";
import { type ObjectDefinition, wireName } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";
import { programIdArgument } from "../../provider/schema/object-id";
import { kindInWords } from "../../provider/schema/references";
import type { World } from "../store/store";
import type { Call } from "./behaviour";
import { sentence } from "./rules/outcomes";

const collection = readables.auditLog.name;

/** The most entries that are kept. */
const mostEntries = 5000;
const counter = "audit log count";

/** The author of a request with a machine's key, as reads of objects show it too. */
const machine = "CONSOLE API";

/** Takes down a change of an object, or of a part of it, by the route that made it. `changes` stays empty: its form is not described. */
export function recordChange(call: Call, routeName: string, item: JsonObject): void {
  const { world, ports, author } = call;
  const { definition } = call.behaviour;
  const place = Number(world.get(counter, "last")?.value ?? 0) + 1;
  const [date = "", time = ""] = new Date(ports.clock()).toISOString().slice(0, -5).split("T");
  world.put(counter, "last", { value: place });
  world.put(collection, String(place), {
    id: String(place),
    name: nameOf(definition, item),
    changeLog: `${sentence(kindInWords(routeName))}: ${definition.title}`,
    actionType: actionType(definition, routeName),
    ...{ date, time },
    updatedBy: author?.email ?? machine,
    updatedByUserID: author?.id ?? "",
    modifierEmail: author?.email ?? null,
    changes: {},
    tags: Array.isArray(item.tags) ? item.tags : [],
  });
  world.remove(collection, String(place - mostEntries));
}

/** Newest first. */
export function recordedChanges(world: World): JsonObject[] {
  return world.list(collection, true).reverse();
}

/** `delete_gate`, `add_gate_rule`, `commit_gate_review`: the names of the service's types are published for few. */
function actionType({ title }: ObjectDefinition, routeName: string): string {
  const [verb = "", ...part] = kindInWords(routeName).split(" ");
  return [changing.has(verb) ? "update" : verb, ...title.split(" "), ...part].join("_");
}

/** Verbs of routes by which an object changes. */
const changing: ReadonlySet<string> = new Set(["patch", "replace", "update"]);

/** Never the parameter of a path, which can be a secret. */
function nameOf(definition: ObjectDefinition, item: JsonObject): string {
  const { identity } = definition;
  if (identity.how === "singleton") return identity.id;
  const argument = programIdArgument(definition);
  const name = item.name ?? (argument === undefined ? undefined : item[wireName(definition, argument)]);
  return typeof name === "string" ? name : "";
}
