import { afterEach, describe, expect, test } from "@jest/globals";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { createEmulator } from "../../src/emulator";
import { writeArgumentsFor } from "../../src/provider/texts/argument-names";
import { hurriedClock } from "../support/in-process";
import { type Bag, toStruct } from "../support/wire-json";
import { startPlugin, urnOf } from "./plugin-calls";

// A program of another language does not tell where it ends: its preview reports names of nothing all the same.

afterEach(() => writeArgumentsFor("nodejs"));

const asking = (...conditions: Bag[]): Bag => ({
  rules: [{ name: "All", passPercentage: 100, conditions }],
});
const gate = (...targetValue: string[]): Bag => ({ type: "passes_gate", targetValue });
const nowhere =
  "of this program or of the console: nobody passes it, and everyone fails it. Declare it first, or correct the name.";

interface Declared {
  readonly name: string;
  readonly args: Bag;
  readonly kind?: string;
}

/** The preview of a program of new resources, by an engine with 16 planned creates side by side. */
async function preview(
  program: readonly Declared[],
  { emulator = createEmulator(), sleep = hurriedClock().sleep } = {},
) {
  const { check, call, lines } = startPlugin(emulator, { sleep });
  const open = new Set<Promise<unknown>>();
  for (const { kind = "Gate", name, args } of program) {
    const { inputs, failures } = await check(urnOf(kind, name), args);
    expect(failures).toEqual([]);
    if (open.size >= 16) await Promise.race(open);
    const request = new proto.CreateRequest().setUrn(urnOf(kind, name)).setPreview(true);
    const create = call("create", request.setProperties(toStruct(inputs))).finally(() => open.delete(create));
    open.add(create);
  }
  await Promise.all(open);
  return lines.filter((line) => line.includes(" is no "));
}

test.each([
  ["yaml", "rules[0].conditions[0].targetValue"],
  ["python", "rules[0].conditions[0].target_value"],
  ["go", "Rules[0].Conditions[0].TargetValue"],
])("a gate and a segment that neither program nor console has, in %s", async (runtime, place) => {
  writeArgumentsFor(runtime);
  const segment = { ...gate("nobody"), type: "fails_segment" };
  const lines = await preview([
    { name: "one", args: asking(gate("nope")) },
    { name: "two", args: asking(segment) },
  ]);
  expect(lines).toEqual([
    `gate "one": ${place}: "nope" is no gate ${nowhere}`,
    `gate "two": ${place}: "nobody" is no segment ${nowhere}`,
  ]);
});

describe("no warning", () => {
  test.each([
    ["before", ["base", "asks"]],
    ["behind", ["asks", "base"]],
    ["forty resources behind", ["asks", ...Array.from({ length: 40 }, (_, at) => `asks_${at}`), "base"]],
  ])("of a gate that the program declares %s", async (_, names) => {
    const program = names.map((name) => ({ name, args: name === "base" ? {} : asking(gate("base")) }));
    expect(await preview(program)).toEqual([]);
  });

  test("of a gate that the console has, nor a wait", async () => {
    const emulator = createEmulator({ seed: { gates: [{ name: "base" }] } });
    const sleep = () => Promise.reject(new Error("waited"));
    expect(await preview([{ name: "asks", args: asking(gate("base")) }], { emulator, sleep })).toEqual([]);
  });
});

test("a misspelt name of a gate of the program", async () => {
  const program = [
    { name: "asks", args: asking(gate("chekout")) },
    { name: "checkout", args: {} },
  ];
  expect(await preview(program)).toEqual([
    'gate "asks": rules[0].conditions[0].targetValue: "chekout" is no gate of this program; did you mean "checkout"?',
  ]);
});
