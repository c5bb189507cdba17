import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { everyKind } from "../../src/provider/definitions";
import { conditionTypes } from "../../src/provider/definitions/parts/condition-types";
import { auditNames, auditOf, showsChanges } from "../../src/provider/schema/audit";
import type { ObjectDefinition } from "../../src/provider/schema/define";
import { type AuditRole, type Field, output } from "../../src/provider/schema/field";

const doc = "As it says.";
const told = (schema: z.ZodType, audit: AuditRole): Field => output(schema, { doc, audit });
const count = z.number();

/** A kind whose fields have other names than those of the console. */
const lamp = {
  fields: {
    name: output(z.string(), { doc }),
    turns: told(count, "version"),
    lit: told(count, "created"),
    dimmed: told(count, "changed"),
    lighter: told(z.string().nullable(), "madeBy"),
    dimmer: told(z.string().nullable(), "changedBy"),
  },
};

describe("what an object shows of its history", () => {
  test("is read by the facts of its fields, whatever they are called", () => {
    const live = { name: "one", turns: 3, lit: 10, dimmed: 20, lighter: null, dimmer: "a@example.com" };
    expect(auditOf(lamp, live)).toEqual({
      ...{ version: 3, created: 10, changed: 20 },
      ...{ madeBy: null, changedBy: "a@example.com" },
    });
  });

  test("is undefined where a read leaves it out, or shows no number", () => {
    expect(auditOf(lamp, { turns: "3", dimmed: null })).toEqual({});
  });

  const { name, turns, lit, dimmed } = lamp.fields;
  test.each([
    ["how often it changed", { name, turns }, true],
    ["when it last changed", { name, dimmed }, true],
    ["when it was made, and no more", { name, lit }, false],
    ["nothing", { name }, false],
  ])("tells whether others changed it, where reads show %s", (_, fields, shows) => {
    expect(showsChanges({ fields })).toBe(shows);
  });
});

const source = path.join(__dirname, "..", "..", "src");

/** Every file of code that serves all kinds. */
const sharedFiles = ["provider", "emulator"]
  .flatMap((floor) => readdirSync(path.join(source, floor), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => path.relative(source, path.join(parentPath, name)))
  .filter((file) => !/^(provider.definitions|emulator.(kinds|sdk|page|evaluation))\b/.test(file));

describe("shared code", () => {
  const kinds: readonly ObjectDefinition[] = Object.values(everyKind);
  // The word "version" means other things, too.
  const names = new Set(kinds.flatMap((kind) => Object.values(auditNames(kind))));
  names.delete("version");

  test("knows what is looked for", () => {
    expect(names.size).toBeGreaterThanOrEqual(4);
    expect(sharedFiles.length).toBeGreaterThan(100);
  });

  test("names no field that tells of an object's history", () => {
    const word = new RegExp(`\\b(${[...names].join("|")})\\b`);
    const found = sharedFiles.filter((file) => word.test(readFileSync(path.join(source, file), "utf8")));
    expect(found).toEqual([]);
  });

  test("names no type of condition: what it has to know of one is a trait", () => {
    const types = Object.keys(conditionTypes).filter((name) => name.includes("_"));
    const word = new RegExp(`^(?! *(?:/\\*|\\*|//))[^\\n]*"(${types.join("|")})"`, "m");
    const provider = sharedFiles.filter((file) => file.startsWith("provider"));
    const found = provider.filter((file) => word.test(readFileSync(path.join(source, file), "utf8")));
    expect(types.length).toBeGreaterThan(10);
    expect(found).toEqual([]);
  });
});
