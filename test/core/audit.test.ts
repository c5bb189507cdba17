import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { everyKind } from "../../src/provider/definitions";
import { conditionTypes } from "../../src/provider/definitions/parts/condition-types";
import { auditNames, auditOf, showsChanges } from "../../src/provider/schema/audit";
import type { ObjectDefinition } from "../../src/provider/schema/define";
import { type AuditRole, output } from "../../src/provider/schema/field";

const doc = "As it says.";
const told = (schema: z.ZodType, audit: AuditRole) => output(schema, { doc, audit });

/** Fields with other names than those of the console. */
const fields = {
  name: output(z.string(), { doc }),
  turns: told(z.number(), "version"),
  lit: told(z.number(), "created"),
  dimmed: told(z.number(), "changed"),
  lighter: told(z.string().nullable(), "madeBy"),
  dimmer: told(z.string().nullable(), "changedBy"),
};

describe("what an object shows of its history", () => {
  test("is read by the facts of its fields, and undefined where a read shows none", () => {
    const live = { name: "one", turns: 3, lit: 10, dimmed: 20, lighter: null, dimmer: "a@example.com" };
    const history = { version: 3, created: 10, changed: 20, madeBy: null, changedBy: "a@example.com" };
    expect(auditOf({ fields }, live)).toEqual(history);
    expect(auditOf({ fields }, { turns: "3", dimmed: null })).toEqual({});
  });

  const { name, turns, lit, dimmed } = fields;
  test.each([
    ["how often it changed", { name, turns }, true],
    ["when it last changed", { name, dimmed }, true],
    ["when it was made, and no more", { name, lit }, false],
    ["nothing", { name }, false],
  ])("tells whether others changed it, where reads show %s", (_, shown, shows) => {
    expect(showsChanges({ fields: shown })).toBe(shows);
  });
});

describe("code that serves all kinds", () => {
  const source = path.join(__dirname, "..", "..", "src");
  const files = ["provider", "emulator"]
    .flatMap((floor) => readdirSync(path.join(source, floor), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(source, path.join(parentPath, name)))
    .filter((file) => !/^(provider.definitions|emulator.(kinds|sdk|page|evaluation))\b/.test(file));
  const filesWith = (text: RegExp) =>
    files.filter((file) => text.test(readFileSync(path.join(source, file), "utf8")));

  test("names no field that tells of an object's history", () => {
    const kinds: readonly ObjectDefinition[] = Object.values(everyKind);
    // The word "version" means other things, too.
    const names = new Set(kinds.flatMap((kind) => Object.values(auditNames(kind))));
    names.delete("version");
    expect([names.size >= 4, files.length > 100]).toEqual([true, true]);
    expect(filesWith(new RegExp(`\\b(${[...names].join("|")})\\b`))).toEqual([]);
  });

  test("names no type of condition: what it has to know of one is a trait", () => {
    const types = Object.keys(conditionTypes).filter((name) => name.includes("_"));
    expect(types.length).toBeGreaterThan(10);
    const word = new RegExp(`^(?! *(?:/\\*|\\*|//))[^\\n]*"(${types.join("|")})"`, "m");
    expect(filesWith(word).filter((file) => file.startsWith("provider"))).toEqual([]);
  });
});
