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
} as const;
const { fields, routes, lifecycle } = lamp;

/** Without a slip it compiles, whatever it speaks of. */
export const right = defineResource({
  ...lamp,
  fields: { ...fields, size: input(text, { doc, goesWith: "colour", growsWhile: "status", idOf: "rooms" }) },
  exclusive: [["colour", "status"]],
  forms: { "rooms[]": String, "rooms[].lamps[]": String, "colour.red": String, name: String },
});

/** A slip each. */
export const slips = [
  // @ts-expect-error: no field "color"
  defineResource({ ...lamp, exclusive: [["name", "color"]] }),
  // @ts-expect-error: no field "room"
  defineResource({ ...lamp, forms: { "room[]": String } }),
  // @ts-expect-error: no field "key"
  defineResource({ ...lamp, identity: { how: "key", argument: "key" } }),
  // @ts-expect-error: no field "nam"
  defineResource({ ...lamp, identity: { how: "slug", argument: "nam" } }),
  // @ts-expect-error: no field "title"
  defineResource({ ...lamp, identity: { how: "server", argument: "title" } }),
  // @ts-expect-error: no field "color"
  defineResource({ ...lamp, fields: { ...fields, size: input(text, { doc, goesWith: "color" }) } }),
  // @ts-expect-error: no field "state"
  defineResource({ ...lamp, fields: { ...fields, size: input(text, { doc, growsWhile: "state" }) } }),
  // @ts-expect-error: no field "room"
  defineResource({ ...lamp, fields: { ...fields, size: input(text, { doc, idOf: "room" }) } }),
  // @ts-expect-error: no field "color"
  defineResource({ ...lamp, fields: { ...fields, tint: input(text, { doc, aliasOf: "color" }) } }),
  defineResource({
    ...lamp,
    // @ts-expect-error: no field "nam"
    routes: { ...routes, patch: route("PATCH", item, "item", doc, { body: { except: ["nam"] } }) },
  }),
  defineResource({
    ...lamp,
    // @ts-expect-error: no field "color"
    routes: { ...routes, patch: route("PATCH", item, "item", doc, { body: { only: ["color"] } }) },
  }),
  defineResource({
    ...lamp,
    // @ts-expect-error: no field "nam"
    routes: { ...routes, create: route("POST", "/lamps", "item", doc, { body: { requires: ["nam"] } }) },
  }),
  defineObject({
    ...lamp,
    // @ts-expect-error: no field "nam", in a kind that is only read
    routes: { ...routes, patch: route("PATCH", item, "item", doc, { body: { refuses: ["nam"] } }) },
  }),
  defineResource({
    ...lamp,
    // @ts-expect-error: no route "make"
    lifecycle: { ...lifecycle, create: { how: "send", route: "make", duplicates: "refused" } },
  }),
  // @ts-expect-error: no route "lists"
  defineResource({ ...lamp, lifecycle: { ...lifecycle, read: { how: "get", route: "get", list: "lists" } } }),
  // @ts-expect-error: no route "path"
  defineResource({ ...lamp, lifecycle: { ...lifecycle, update: [{ how: "patch", route: "path" }] } }),
  defineResource({
    ...lamp,
    // @ts-expect-error: no field "color"
    lifecycle: { ...lifecycle, update: [{ how: "put", route: "patch", when: ["color"] }] },
  }),
  defineResource({
    ...lamp,
    // @ts-expect-error: no route "enable"
    lifecycle: { ...lifecycle, update: [{ how: "move", field: "status", to: { on: "enable" } }] },
  }),
  defineResource({
    ...lamp,
    // @ts-expect-error: no route "remove"
    lifecycle: { ...lifecycle, delete: { remove: { route: "remove" }, onDeleteDefault: "delete" } },
  }),
  defineResource({
    ...lamp,
    // @ts-expect-error: no field "state"
    lifecycle: { ...lifecycle, archived: { field: "state", is: "off", undo: "patch" } },
  }),
];

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
} as const;

export const action = defineAction(change);

export const actionSlips = [
  // @ts-expect-error: no argument "lmp"
  defineAction({ ...change, params: { id: "lmp" } }),
  // @ts-expect-error: no argument "lmp"
  defineAction({ ...change, body: ["lmp"] }),
];
