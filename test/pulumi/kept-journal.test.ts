import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { adapters } from "../laws/subject";
import { freshFolder } from "../support/folders";
import { contentOf, type Job, journals, killed, raw, start, startJob } from "./stage";

// How the journal of a stack is kept, in files, and what holds where it cannot be.

beforeEach(() => start());

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});
const place = (...names: string[]) => path.join(folder, ".feature-console", ...names);
const job = (more: Job = {}) => startJob({ folder, ...more });
const gate = { key: "checkout", name: "Checkout", description: "New checkout" };
const basket = { key: "basket", name: "Basket", __program: { name: "basket" } };

const lost = (why: string) =>
  `The create journal of this stack in .feature-console/journal ${why}: after a kill, what this run created has to be ` +
  "taken over by hand, with adopt: true or FEATURE_CONSOLE_TAKE_OVER=1. " +
  '"npx feature-console doctor" shows whether it can be kept again.';

describe.each(adapters)("an up whose journal cannot be kept (%s)", (adapter) => {
  test("reports once in a run what is lost, goes on, and uses a place again that has room", async () => {
    writeFileSync(place(), "a file");
    const first = job({ adapter });
    for (const args of [gate, basket]) expect((await first.up(args)).id).toBe(args.key);
    expect(first.lines).toEqual([lost("cannot be written (a part of its path is a file, not a folder)")]);
    const next = job({ adapter });
    await next.up({ key: "third" });
    expect(next.lines).toHaveLength(1);
    rmSync(place());
    await next.up({ key: "fourth", __program: { name: "fourth" } });
    expect(contentOf(journals(folder)[0] ?? "")).toContain("fourth");
  });

  test.each<[string, "the same run" | "the next run", (file: string) => void]>([
    ["cannot be written (the disk is full)", "the same run", (file) => symlinkSync("/dev/full", file)],
    ["cannot be read (it is a folder)", "the next run", (file) => mkdirSync(file)],
  ])("names why it %s, in %s", async (why, when, spoil) => {
    const first = job({ adapter });
    await first.up(gate);
    expect(first.lines).toEqual([]);
    const [file = ""] = journals(folder);
    rmSync(file);
    spoil(file);
    const { up, lines } = when === "the same run" ? first : job({ adapter });
    await up(basket);
    expect(lines).toEqual([lost(why)]);
  });
});

test("an update that creates nothing reports nothing of a lost journal", async () => {
  const made = await job().up(gate);
  rmSync(place(), { recursive: true });
  writeFileSync(place(), "a file");
  const { update, lines } = job();
  await update(made, { ...gate, description: "Other" });
  expect(lines).toEqual([]);
});

test("the folder is this user's alone, and git sees nothing of it but the notes of import", async () => {
  mkdirSync(place("journal"), { recursive: true, mode: 0o755 });
  await job().up(gate);
  const modes = [place(), ...journals(folder)].map((file) => statSync(file).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
  expect(contentOf(place(".gitignore"))).toBe("*\n!import.json\n");
  writeFileSync(place(".gitignore"), "mine");
  await job().up(basket);
  expect(contentOf(place(".gitignore"))).toBe("mine");
});

test("a line that a kill or a full disk has torn takes no other with it", async () => {
  const tear = () => appendFileSync(journals(folder)[0] ?? "", '{"object":"gate \\"torn\\"","at":17954');
  await job().up(basket);
  tear();
  // One line is all that a run notes which dies of its first write.
  await killed({ folder }, ({ up }) => up(gate));
  tear();
  for (const args of [basket, gate]) expect(await job().up(args)).toMatchObject({ id: args.key });
});

test("what is left of a journal that was to be written anew is no other stack's", async () => {
  const made = await job({ stack: "after" }).up(gate);
  const [file = ""] = journals(folder);
  renameSync(file, `${file}.4711`);
  const removing = job({ stack: "before" });
  await removing.checked({ key: "another_gate" });
  await removing.destroy({ ...made, outputs: { ...made.outputs, __self: "another" } });
  expect(await raw.gate.get({ id: "checkout" })).toMatchObject({ status: "Archived" });
});
