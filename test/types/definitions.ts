// Compiled and never run: a definition that speaks of a field or a route that it does not have is no program.
import { z } from "zod";
import { defineAction } from "../../src/provider/schema/action";
import { defineObject, defineResource } from "../../src/provider/schema/define";
import { input } from "../../src/provider/schema/field";
import { route } from "../../src/provider/schema/verbs";

const item = "/lamps/{id}";
const text = z.string();
const doc = "As it says.";

const lamp = {
  kind: "Lamp",
  name: "lamp",
  title: "lamp",
  doc: "Gives light.",
  identity: { how: "slug", argument: "name" },
  fields: {
    name: input(text, { doc }),
    colour: input(text.optional(), { doc }),
    rooms: input(z.array(text).optional(), { doc }),
    status: input(z.enum(["on", "off"]).optional(), { doc }),
  },
  routes: {
    list: route("GET", "/lamps", "items", doc),
    create: route("POST", "/lamps", "item", doc, { body: { requires: ["name"] } }),
    get: route("GET", item, "item", doc),
    patch: route("PATCH", item, "item", doc, { body: { except: ["name"] } }),
    delete: route("DELETE", item, "message", doc),
  },
  lifecycle: {
    create: { how: "send", route: "create", duplicates: "refused" },
    read: { how: "get", route: "get", list: "list" },
    update: [{ how: "patch", route: "patch" }],
    delete: { remove: { route: "delete" }, onDeleteDefault: "delete" },
  },
  samples: { smallest: { name: "a" }, fullest: { name: "b", colour: "red" } },
} as const;
const { fields, routes, lifecycle } = lamp;

/** Without a slip it compiles, whatever it speaks of. */
export const right = defineResource({
  ...lamp,
  fields: { ...fields, size: input(text, { doc, goesWith: "colour", growsWhile: "status", idOf: "rooms" }) },
  exclusive: [["colour", "status"]],
  forms: { "rooms[]": String, "rooms[].lamps[]": String, "colour.red": String, name: String },
});

export const exclusive = defineResource({
  ...lamp,
  // @ts-expect-error: no field "color"
  exclusive: [["name", "color"]],
});

export const forms = defineResource({
  ...lamp,
  // @ts-expect-error: no field "room"
  forms: { "room[]": String },
});

export const identity = defineResource({
  ...lamp,
  // @ts-expect-error: no field "key"
  identity: { how: "key", argument: "key" },
});

export const slug = defineResource({
  ...lamp,
  // @ts-expect-error: no field "nam"
  identity: { how: "slug", argument: "nam" },
});

export const server = defineResource({
  ...lamp,
  // @ts-expect-error: no field "title"
  identity: { how: "server", argument: "title" },
});

export const goesWith = defineResource({
  ...lamp,
  // @ts-expect-error: no field "color"
  fields: { ...fields, size: input(text, { doc, goesWith: "color" }) },
});

export const growsWhile = defineResource({
  ...lamp,
  // @ts-expect-error: no field "state"
  fields: { ...fields, size: input(text, { doc, growsWhile: "state" }) },
});

export const idOf = defineResource({
  ...lamp,
  // @ts-expect-error: no field "room"
  fields: { ...fields, size: input(text, { doc, idOf: "room" }) },
});

export const aliasOf = defineResource({
  ...lamp,
  // @ts-expect-error: no field "color"
  fields: { ...fields, tint: input(text, { doc, aliasOf: "color" }) },
});

export const except = defineResource({
  ...lamp,
  // @ts-expect-error: no field "nam"
  routes: { ...routes, patch: route("PATCH", item, "item", doc, { body: { except: ["nam"] } }) },
});

export const only = defineResource({
  ...lamp,
  // @ts-expect-error: no field "color"
  routes: { ...routes, patch: route("PATCH", item, "item", doc, { body: { only: ["color"] } }) },
});

export const requires = defineResource({
  ...lamp,
  // @ts-expect-error: no field "nam"
  routes: { ...routes, create: route("POST", "/lamps", "item", doc, { body: { requires: ["nam"] } }) },
});

export const refuses = defineObject({
  ...lamp,
  // @ts-expect-error: no field "nam", in a kind that is only read
  routes: { ...routes, patch: route("PATCH", item, "item", doc, { body: { refuses: ["nam"] } }) },
});

export const created = defineResource({
  ...lamp,
  // @ts-expect-error: no route "make"
  lifecycle: { ...lifecycle, create: { how: "send", route: "make", duplicates: "refused" } },
});

export const read = defineResource({
  ...lamp,
  // @ts-expect-error: no route "lists"
  lifecycle: { ...lifecycle, read: { how: "get", route: "get", list: "lists" } },
});

export const updated = defineResource({
  ...lamp,
  // @ts-expect-error: no route "path"
  lifecycle: { ...lifecycle, update: [{ how: "patch", route: "path" }] },
});

export const put = defineResource({
  ...lamp,
  // @ts-expect-error: no field "color"
  lifecycle: { ...lifecycle, update: [{ how: "put", route: "patch", when: ["color"] }] },
});

export const moved = defineResource({
  ...lamp,
  // @ts-expect-error: no route "enable"
  lifecycle: { ...lifecycle, update: [{ how: "move", field: "status", to: { on: "enable" } }] },
});

export const deleted = defineResource({
  ...lamp,
  // @ts-expect-error: no route "remove"
  lifecycle: { ...lifecycle, delete: { remove: { route: "remove" }, onDeleteDefault: "delete" } },
});

export const archived = defineResource({
  ...lamp,
  // @ts-expect-error: no field "state"
  lifecycle: { ...lifecycle, archived: { field: "state", is: "off", undo: "patch" } },
});

const change = {
  kind: "LampSwitch",
  name: "lampSwitch",
  title: "lamp switch",
  doc,
  inputs: { lamp: { schema: text, doc } },
  outputs: {},
  id: "{lamp}:switched",
  route: routes.patch,
  params: { id: "lamp" },
  body: [],
  sample: { lamp: "lamp-1" },
} as const;

export const action = defineAction(change);

// @ts-expect-error: no argument "lmp"
export const params = defineAction({ ...change, params: { id: "lmp" } });

// @ts-expect-error: no argument "lmp"
export const body = defineAction({ ...change, body: ["lmp"] });

// @ts-expect-error: no argument "lmp"
export const sample = defineAction({ ...change, sample: { lmp: "lamp-1" } });
