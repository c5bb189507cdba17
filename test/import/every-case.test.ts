import { describe, expect, test } from "@jest/globals";
import type { Switches } from "../../src/emulator/console/rules/switches";
import { systemClock } from "../../src/provider/client/limits/limiter";
import { check } from "../../src/provider/decisions/check";
import { managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { programMember } from "../../src/provider/schema/internal";
import { nameArguments } from "../../src/provider/schema/object-id";
import { expressed } from "../../src/tools/import/objects";
import type { ProgramObject } from "../../src/tools/import/program/program-object";
import { namedInYaml } from "../../src/tools/import/program/yaml-program";
import { progressLines, readKind } from "../../src/tools/import/reading";
import { kindsNamed } from "../../src/tools/import/selection";
import { importEntry } from "../../src/tools/import/state-entry";
import { casesOver } from "../acceptance/all-cases";
import { type Case, nameOf } from "../acceptance/cases";
import { furnitureOf, handle } from "../acceptance/handled";
import { tools } from "../acceptance/tools";
import { deskOf } from "../emulator/desk";
import { harsh, mild, mixture } from "../laws/consoles";
import { startSubject } from "../laws/subject";
import type { Driver } from "../support/driver";
import { configFor, startProcess } from "../support/in-process";
import { startRun } from "../support/run";
import { playsAll } from "../support/sample";
import { openMessyConsole, planMessyConsole } from "./console/messy-console";

const definitions: Readonly<Record<string, ResourceDefinition>> = managed;
const quiet = { quiet: true, replaces: [] };

/** What no program can say of the cases, or of what is there beside them. */
const unsayable: readonly { readonly kind: string; readonly why: string }[] = [
  { kind: "key", why: "what leads to it is a secret" },
  { kind: "key", why: "the console does not show what leads to it" },
  { kind: "segment", why: "ids: the console never shows these ids" },
  { kind: "targetApp", why: "description: a program has to set it, and the console never shows it" },
  {
    kind: "holdout",
    why: "targetingGateID: the console shows it by another id than the one that is written",
  },
];

/** What of a case no program says, and why; each line as the import tells it. */
async function importCase(one: Case, behaviour: Switches): Promise<string[]> {
  const definition = definitions[one.kind === "idList" ? "segment" : one.kind] as ResourceDefinition;
  const subject = await startSubject(definition, { behaviour, seed: furnitureOf(one) });
  try {
    await handle(deskOf(subject.emulator), tools[one.kind], one.body, one.made ?? {});
    subject.emulator.clearRequests();
    const { emulator, folder } = subject;
    const reader = startProcess(configFor(emulator), { folder, transport: emulator.transport });
    const progress = progressLines(() => undefined, systemClock.now);
    const found = await readKind(reader.context(), definition, () => true, progress);
    const { objects, leftOut } = expressed(found, false);
    for (const object of objects) {
      await mustBeQuiet(subject, subject.nextRun, object, reader.session().console);
      expectSameNames(definition, object);
    }
    expect(subject.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
    return [
      ...leftOut.map(({ object, why }) => `${object}: ${why}`),
      ...objects.flatMap(({ name, notExpressible }) =>
        notExpressible.map(({ path, why }) => `${name}: ${path}: ${why}`),
      ),
    ];
  } finally {
    await subject.close();
  }
}

/** Where state holds what an import tells Pulumi of an object, its program shows no change, after a refresh neither. */
async function mustBeQuiet(
  driver: Driver,
  nextRun: () => void,
  object: ProgramObject,
  console: string,
): Promise<void> {
  const resource = importEntry("dynamic", object, { project: "test", stack: "dev", console }, "self");
  const args = { ...object.args, [programMember]: { name: object.name } };
  expect([object.name, await driver.diff(resource, args)]).toEqual([object.name, quiet]);
  nextRun();
  const seen = await driver.refresh(resource);
  if (seen === undefined) throw new Error("a refresh finds nothing");
  expect([object.name, await driver.diff(seen, args)]).toEqual([object.name, quiet]);
}

/** A program in YAML is converted to other languages, which may call a resource otherwise: it is the same object then. */
function expectSameNames(definition: ResourceDefinition, object: ProgramObject): void {
  const [inYaml] = namedInYaml([object]);
  const names = nameArguments(definition);
  const named = ({ args }: Pick<ProgramObject, "args">, name: string) => {
    const { inputs } = check(definition, {}, { ...args, [programMember]: { name } });
    return names.map((one) => inputs[one]);
  };
  expect(named(inYaml as ProgramObject, "another name")).toEqual(named(object, object.name));
}

const settings = playsAll ? [mild, harsh, mixture(1)] : [mild, harsh];

describe.each(settings)("where the console is $name", (setting) => {
  // An import says what a read shows.
  const cases = casesOver(setting, settings).filter(
    ({ kind }) => definitions[kind]?.lifecycle.read.how !== "remember",
  );
  test.each(cases.map((one) => [nameOf(one), one] as const))("imported quietly: %s", async (_, one) => {
    const reasons = unsayable.filter(({ kind }) => kind === one.kind).map(({ why }) => why);
    const told = await importCase(one, setting.behaviour);
    expect(told.filter((line) => !reasons.some((why) => line.endsWith(why)))).toEqual([]);
  });
});

test("every object of a messy console is imported quietly, and nothing is written", async () => {
  const plan = planMessyConsole({ seed: 14, count: 200 });
  const emulator = await openMessyConsole(plan);
  const ports = { config: configFor(emulator), folder: undefined, transport: emulator.transport };
  const progress = progressLines(() => undefined, systemClock.now);
  const imported: string[] = [];
  for (const definition of kindsNamed(Object.keys(plan.counts))) {
    const reader = startProcess(ports.config, ports);
    const driver = startRun(ports).of(definition);
    const found = await readKind(reader.context(), definition, () => true, progress);
    for (const object of expressed(found, false).objects) {
      await mustBeQuiet(driver, () => undefined, object, reader.session().console);
      imported.push(object.name);
    }
  }
  expect(imported.length).toBeGreaterThan(150);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  await emulator.close();
});
