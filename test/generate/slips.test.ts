import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { surroundings } from "../../scripts/generate/files";
import { slipsIn } from "../../scripts/generate/slips";
import { gate } from "../../src/provider/definitions/flags/gate";
import type { ObjectDefinition, ResourceDefinition } from "../../src/provider/schema/define";
import { input, nested, output } from "../../src/provider/schema/field";
import { route } from "../../src/provider/schema/verbs";

const doc = "As it says.";
const text = z.string();
const rooms = z.array(
  z.object({
    name: nested(text, { doc }),
    friends: nested(z.array(nested(text, { names: "gaet" })), { doc }),
    lamp: nested(text, { doc, refersTo: { by: "sort", of: { a: "gate", b: "gaet" }, as: "room" } }),
  }),
);

/** A definition as a program without types would write it: every name in it is one that it does not have. */
const lamp: ResourceDefinition = {
  kind: "Lamp",
  name: "lamps",
  title: "lamp",
  doc,
  identity: { how: "template", template: "{name}::{colour}" },
  fields: {
    name: input(text, { doc, wire: "title" }),
    title: input(text.optional(), { doc, clearWith: 0, unordered: true, refersTo: "gaet" }),
    status: input(z.enum(["on", "off"]).optional(), { doc, serverDefault: "of" }),
    made: output(text, { doc, audit: "created" }),
    born: output(z.number(), { doc, audit: "created" }),
    lastModifiedTime: output(z.number(), { doc }),
    maker: output(text, { doc, audit: "madeBy" }),
    owner: output(z.object({ sort: z.enum(["key"]) }), { doc, ofKey: { sort: "kye", srot: "key" } }),
    rooms: input(rooms, { doc, keyedBy: "id", growsWhile: "status" }),
  },
  routes: {
    list: route("GET", "/lamps", "items", doc),
    create: route("GET", "/lamps", "message", doc, { body: { only: ["name"], requires: ["title"] } }),
    patch: route("PATCH", "/lamps/{id}", "item", doc, {
      body: { except: ["size"], otherForm: { tags: text } },
    }),
  },
  lifecycle: {
    create: { how: "send", route: "create", duplicates: "unstated" },
    read: { how: "get", route: "list", list: "list" },
    update: [
      { how: "elements", field: "rooms", id: "id", patch: "patch", remove: "patch" },
      { how: "move", field: "status", to: { dim: "patch" } },
    ],
    delete: {
      remove: {
        route: "patch",
        usedBy: {
          kinds: ["gaet", "gate"],
          conditions: { by: "type", of: ["passes_gaet"], in: "targetValue" },
          fields: ["gat"],
        },
      },
      onDeleteDefault: "delete",
    },
    archived: { field: "status", is: "archived", undo: "patch" },
  },
  exclusive: [["name", "nam"]],
  forms: { "rooms[].lamps": String },
};

function slips(definition: ObjectDefinition): string[] {
  const definitions = { gate, lamp: definition };
  return slipsIn({ definitions, kinds: ["gate", "lamp"] });
}

describe("npm run generate", () => {
  test("finds nothing wrong with the definitions", () => {
    expect(slipsIn(surroundings)).toEqual([]);
  });

  test.each([
    'name: "lamps" is listed in the catalog as "lamp"',
    'name: "lamps" is not the kind in camelCase',
    'fields.name: another field has the wire name "title" too',
    "fields.title.clearWith: 0 is no value of the field",
    "fields.title.unordered: it is no array",
    'fields.title.refersTo: there is no kind "gaet"; there are gate, lamp',
    'fields.status.serverDefault: "of" is no value of the field',
    'fields.born.audit: another field tells "created" too',
    'fields.made.audit: "created" is told by a number',
    'fields.lastModifiedTime.audit: in other kinds it tells "changed"',
    'fields.maker.audit: "madeBy" is told by null',
    'fields.owner.ofKey: there is no member "srot"; there are sort',
    'fields.owner.ofKey: {"sort":"kye","srot":"key"} is no value of the field',
    'fields.rooms.growsWhile: "status" is no field that is true or false',
    'fields.rooms: there is no member "id"; there are name, friends, lamp',
    'fields.rooms[].friends[].names: there is no kind "gaet"; there are gate, lamp',
    'fields.rooms[].lamp.refersTo.of.b: there is no kind "gaet"; there are gate, lamp',
    'fields.rooms[].lamp.refersTo.by: there is no member "sort"; there are name, friends, lamp',
    "routes.create: another route is GET /lamps too",
    'routes.create.body.requires: there is no field of the body "title"; there are name',
    'routes.patch.body.except: there is no argument "size"; there are name, title, status, rooms',
    'routes.patch.body.otherForm: there is no argument "tags"; there are name, title, status, rooms',
    'lifecycle.create.route: the route "create" does not answer "item"',
    'lifecycle.read.route: the route "list" does not answer "item"',
    'lifecycle.update.id: there is no member of rooms "id"; there are name, friends, lamp',
    'lifecycle.update.to: there is no value of status "dim"; there are on, off',
    'lifecycle.archived: there is no value of status "archived"; there are on, off',
    'lifecycle.delete.remove.usedBy.kinds: there is no kind "gaet"; there are gate, lamp',
    'lifecycle.delete.remove.usedBy.conditions: there is no condition "passes_gaet"',
    'lifecycle.delete.remove.usedBy.fields: there is no field of these kinds "gat"',
    'exclusive: there is no argument "nam"',
    "forms.rooms[].lamps: leads nowhere: no value has this path",
    'identity: there is no argument "colour"; there are name, title, status, rooms',
  ])("tells, with all others, %s", (slip) => {
    expect(slips(lamp)).toContainEqual(expect.stringContaining(`Lamp: ${slip}`));
  });

  test("tells of conditions whose type is said by another member", () => {
    const asking = { by: "sort", of: ["passes_gate"], in: "targetValue" };
    const removal = { remove: { route: "delete", usedBy: { kinds: ["gate"], conditions: asking } } };
    const lifecycle = { ...gate.lifecycle, delete: { ...gate.lifecycle.delete, ...removal } };
    expect(slips({ ...gate, lifecycle } as unknown as ResourceDefinition)).toContainEqual(
      expect.stringContaining('usedBy.conditions: there is no condition "passes_gate"; there are none'),
    );
  });

  test("tells of the one object of a project that would be made", () => {
    const only = { ...lamp, identity: { how: "singleton", id: "project" } } as ResourceDefinition;
    const slip = 'Lamp: lifecycle.create: "send" does not go with the identity "singleton"';
    expect(slips(only)).toContainEqual(slip);
  });

  test("tells of states that a machine does not have", () => {
    const machine: ResourceDefinition["lifecycle"]["update"][number] = {
      how: "machine",
      field: "status",
      initial: "begin",
      states: { on: { edits: "all", says: doc } },
      moves: [{ from: ["onn"], to: "of", route: "patch", option: "force" }],
      edit: "patch",
      locked: [],
      switches: [{ field: "name", of: "rooms", member: "dark", on: "patch", off: "patch", body: "names" }],
      options: {},
      restored: { to: ["out"], of: () => "on" },
    };
    const found = slips({
      ...lamp,
      lifecycle: { ...lamp.lifecycle, update: [machine] },
    } as ResourceDefinition);
    for (const name of ["begin", "off", "onn", "of", "out"])
      expect(found).toContainEqual(expect.stringContaining(`there is no state "${name}"; there are on`));
    expect(found).toContainEqual(expect.stringContaining('there is no option "force"; there are none'));
    expect(found).toContainEqual(expect.stringContaining('there is no member of rooms "dark"'));
  });
});
