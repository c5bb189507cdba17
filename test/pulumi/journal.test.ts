import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { adapters } from "../laws/subject";
import { freshFolder } from "../support/folders";
import { allOf } from "../support/raw-client";
import {
  clock,
  contentOf,
  dated,
  emulator,
  type Job,
  journals,
  killed,
  raw,
  type StartedJob,
  start,
  startJob,
  waitAnHour,
} from "./stage";

// The next run of a stack takes over what an interrupted one created, however wrong a clock was.

beforeEach(() => start());

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

const gate = { key: "checkout", name: "Checkout", description: "New checkout" };
const basket = { key: "basket", name: "Basket", description: "New basket" };
const tag = { name: "shop", description: "Shop" };
const alert = { name: "Few orders", message: "Look", alertThreshold: 3 };
const samples: [ResourceDefinition, JsonObject][] = [
  [catalog.gate, gate],
  [catalog.segment, { name: "staff", type: "rule_based", description: "Staff" }],
  [catalog.dynamicConfig, { key: "colours", description: "Colours" }],
  [catalog.tag, tag],
  [catalog.alert, alert],
];
/** Ids of the samples of all kinds that a job makes or takes over. */
const idsOf = async ({ of }: StartedJob) => {
  const ids: string[] = [];
  for (const [definition, args] of samples) ids.push((await of(definition).up(args)).id);
  return ids;
};
const exists = "exists already.";

const hour = 3_600_000;
const clocks: [string, number][] = [
  ["right", 0],
  ["three minutes early", 180_000],
  ["two hours late", -2 * hour],
  ["two hours early", 2 * hour],
  ["nine days late", -9 * 24 * hour],
];

describe.each(adapters)("the journal in the folder that the jobs share (%s)", (adapter) => {
  const where = () => ({ folder, adapter, through: dated });
  const job = (more: Job = {}) => startJob({ ...where(), ...more });

  test.each(clocks)(
    "what a run made on a machine whose clock was %s is taken over by the next, and what somebody made since is not",
    async (_, aheadMs) => {
      const first = job({ aheadMs });
      const made = await idsOf(first);
      await first.up({ ...basket, __program: { name: "basket" } });
      await waitAnHour();
      const next = job({ aheadMs: -aheadMs / 2 });
      expect(await idsOf(next)).toEqual(made);
      expect(next.lines).toContainEqual(expect.stringContaining("is there already, made by this stack"));
      expect(await idsOf(job())).toEqual(made);
      await raw.gate.delete({ id: "basket" });
      await raw.gate.create({ body: { id: "basket", name: "Basket", description: "New basket" } });
      await expect(job().up({ ...basket, __program: { name: "basket" } })).rejects.toThrow(exists);
    },
  );

  test.each(clocks)(
    "also where it was killed before the answer: its clock was %s, which an answer had shown",
    async (_, aheadMs) => {
      // With adopt, a read comes before the first write.
      await killed({ ...where(), aheadMs }, ({ up }) => up({ ...gate, adopt: true }));
      expect((await job().up(gate)).id).toBe("checkout");
    },
  );

  test("is none of another stack, of another resource, or of another project of the same address", async () => {
    await job().up(gate);
    await waitAnHour();
    // Nor in the next attempt: the refusal is no trace of a create.
    for (const _attempt of [1, 2]) await expect(job({ stack: "prod" }).up(gate)).rejects.toThrow(exists);
    await expect(job().up({ ...gate, __program: { name: "renamed" } })).rejects.toThrow("aliases");
    const text = JSON.stringify({ message: "ok", data: { id: "another" } });
    const elsewhere = ({ send }: Transport): Transport => ({
      send: async (request) =>
        request.url.endsWith("/project") ? { status: 200, headers: {}, text } : send(request),
    });
    await expect(job({ through: elsewhere }).up(gate)).rejects.toThrow(exists);
  });

  test("once it was destroyed, an equal tag that somebody else made is refused", async () => {
    const { of } = job();
    await of(catalog.tag).destroy(await of(catalog.tag).up(tag));
    await raw.tag.create({ body: tag });
    await expect(job().of(catalog.tag).up(tag)).rejects.toThrow(exists);
  });
});

describe.each(adapters)(
  "a job in a fresh checkout, as in CI, after a job that was killed (%s)",
  (adapter) => {
    const writes = () => emulator.requests.filter(({ method }) => method !== "GET");

    test("creates nothing twice: the refusal names both ways to adopt what that one created, and each does", async () => {
      await killed({ adapter }, ({ up }) => up(gate));
      emulator.clearRequests();
      await expect(startJob({ adapter }).up(gate)).rejects.toThrow(
        'gate "checkout" exists already. It matches the program. Set adopt: true to take it over, or choose another key. ' +
          "If an interrupted run of this stack created it, here or in another checkout (a CI job), FEATURE_CONSOLE_TAKE_OVER=1 takes over what is as the program makes it.",
      );
      expect(writes()).toHaveLength(1);
      const says = { FEATURE_CONSOLE_TAKE_OVER: "1" };
      expect((await startJob({ adapter, says }).up(gate)).id).toBe("checkout");
      expect((await startJob({ adapter }).up({ ...gate, adopt: true })).id).toBe("checkout");
      expect(await raw.gate.get({ id: "checkout" })).toMatchObject({ version: 1 });
    });
  },
);

const job = (more: Job = {}) => startJob({ folder, ...more });
/** Changes what the one journal holds. */
const rewrite = (change: (text: string) => string) => {
  const [file = ""] = journals(folder);
  writeFileSync(file, change(contentOf(file)));
};

test("a note counts for a week", async () => {
  await job().up(gate);
  rewrite((text) => text.replace(/(?<="at":)\d+/g, (at) => String(Number(at) - 8 * 24 * hour)));
  await expect(job().up(gate)).rejects.toThrow(exists);
});

test("where no answer had shown the console's clock, the refusal names the two times and the way on", async () => {
  await killed({ folder, aheadMs: -2 * hour }, ({ up }) => up(gate));
  await expect(job().up(gate)).rejects.toThrow(
    /The journal notes that this stack began to create it at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, by the clock of that machine, and the console shows \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\. If that clock was wrong, FEATURE_CONSOLE_TAKE_OVER=1/,
  );
});

test("an equal object that was there long before is refused without a word of clocks", async () => {
  await raw.gate.create({ body: { ...gate, id: "checkout" } });
  await clock.sleep(72 * hour);
  await killed({ folder }, ({ up }) => up(gate));
  await expect(job().up(gate)).rejects.toThrow(/exists already\.(?!.*clock)/s);
});

describe("an entry of an earlier version, which has neither an offset nor a time of creation", () => {
  const older = async () => {
    rewrite((text) => text.replaceAll(/,"(?:consoleAheadMs|created)":-?\d+/g, ""));
    expect(contentOf(journals(folder)[0] ?? "")).not.toMatch(/consoleAheadMs|"created":/);
    await waitAnHour();
  };

  test("is read as before", async () => {
    const made = await idsOf(job({ through: dated }));
    await older();
    expect(await idsOf(job({ through: dated }))).toEqual(made);
  });

  test("an answered id that the console generates is enough, whatever the clock; one of a key names the clock", async () => {
    const app = { name: "Shop", description: "Shop" };
    const first = job({ aheadMs: -2 * hour, through: dated });
    const made = await first.of(catalog.targetApp).up(app);
    await first.up(gate);
    await older();
    expect((await job().of(catalog.targetApp).up(app)).id).toBe(made.id);
    await expect(job().up(gate)).rejects.toThrow("If that clock was wrong");
  });
});

describe("an object whose id the console makes", () => {
  const upAlert = async ({ of }: StartedJob, more: JsonObject = {}) =>
    (await of(catalog.alert).up({ ...alert, ...more })).id;
  const alerts = async () => (await allOf(raw.alert.list())).map(({ id }) => String(id));

  test("of alerts of one name, the one that was not there before is taken over", async () => {
    const { id: theirs } = await raw.alert.create({ body: { name: alert.name, message: "Other" } });
    const made = await upAlert(job());
    expect(await upAlert(job())).toBe(made);
    expect(made).not.toBe(theirs);
    expect((await raw.alert.get({ id: theirs })).message).toBe("Other");
  });

  test("without a note, an alert that may be what a run left is not made a second time", async () => {
    const { id } = await raw.alert.create({ body: { name: alert.name, message: alert.message } });
    await expect(upAlert(job())).rejects.toThrow(`alert "${id}" exists already.`);
    expect(await upAlert(job(), { adopt: true })).toBe(id);
  });

  test("a second alert of a name does not get the one that another resource holds", async () => {
    const first = await job().of(catalog.alert).up(alert);
    const next = job();
    expect((await next.of(catalog.alert).diff(first, alert)).quiet).toBe(true);
    expect(await upAlert(next, { __program: { name: "second" } })).not.toBe(first.id);
  });

  test("an alert that was deleted by hand, and that a killed run made again, is not made a third time", async () => {
    await raw.alert.delete({ id: await upAlert(job()) });
    await killed({ folder }, (dying) => upAlert(dying));
    const [made] = await alerts();
    expect(await upAlert(job())).toBe(made);
    expect(await alerts()).toEqual([made]);
    // Taken over and deleted by hand as well: an equal one of somebody else is not this stack's.
    await raw.alert.delete({ id: made });
    const { id: theirs } = await raw.alert.create({ body: alert });
    expect(await upAlert(job())).not.toBe(theirs);
  });

  test("of target apps, one that was given the name since is not the one that a killed run made", async () => {
    const app = { name: "Shop", description: "Shop" };
    const { id: theirs } = await raw.targetApp.create({ body: { ...app, name: "Theirs" } });
    await killed({ folder }, ({ of }) => of(catalog.targetApp).up(app));
    const made = (await allOf(raw.targetApp.list())).find(({ id }) => id !== theirs);
    await raw.targetApp.patch({ id: String(theirs), body: { name: app.name } });
    expect((await job().of(catalog.targetApp).up(app)).id).toBe(made?.id);
  });
});

describe("its files", () => {
  // How the journal of a stack is kept, in files, and what holds where it cannot be.

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
});
