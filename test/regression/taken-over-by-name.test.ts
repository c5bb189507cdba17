import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { ConsoleError } from "../../src/provider/schema/errors";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
beforeEach(async () => {
  subject = await startSubject(catalog.targetApp);
});
afterEach(() => subject.close());

const app = { name: "shop", description: "Shop" };
const taken = /target app "shop" is what the resource "(first|second)" of this program/;

test("a create that takes over by name does not get what state says another resource has, whichever comes first", async () => {
  const first = await subject.up({ ...app, __program: { name: "first" } });
  const renamed = { ...app, name: "store", __program: { name: "first" } };
  const second = { ...app, adopt: true, __program: { name: "second" } };
  subject.nextRun();
  expect(await subject.problems(second)).toEqual([]);
  expect(await subject.problems(renamed, first.inputs)).toMatchObject([
    { reason: expect.stringMatching(taken) },
  ]);
  subject.nextRun();
  expect(await subject.problems(renamed, first.inputs)).toEqual([]);
  expect(await subject.problems(second)).toMatchObject([{ reason: expect.stringMatching(taken) }]);
  subject.nextRun();
  expect(await subject.problems({ ...app, __program: { name: "second" } })).toEqual([]);
  expect(await subject.problems(renamed, first.inputs)).toEqual([]);
});

test("what another stack of the folder made is not the fruit of a create that never arrived", async () => {
  subject.emulator.addFaults([{ method: "POST", path: "/target_app", times: 9, reset: "before" }]);
  await expect(subject.up(app)).rejects.toThrow(ConsoleError);
  subject.emulator.clearFaults();
  subject.nextRun("prod");
  const { id } = await subject.up(app);
  subject.nextRun();
  await expect(subject.up(app)).rejects.toThrow(
    `target app "${id}" exists already: another stack created it or took it over, as the journal shows.`,
  );
  await expect(subject.up({ ...app, adopt: true })).resolves.toMatchObject({ id });
});
