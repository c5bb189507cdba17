import { afterEach, expect, test } from "@jest/globals";
import { changeText } from "../../src/provider/schema/audit";
import { reportText } from "../../src/tools/drift";
import { Desk } from "./desk";
import { consoleEdits } from "./edits";

let desk: Desk;
afterEach(() => desk?.close());

test.each(consoleEdits.map((edit) => [edit.what, edit] as const))(
  "%s: drift names path, person and time, and what is accepted leaves nothing to do",
  async (_, { program, kind, id, edit, labels, from, to }) => {
    desk = new Desk();
    desk.write(program);
    await desk.up();
    expect(await desk.changes()).toEqual({});
    expect((await desk.compare()).comparisons.map(({ what }) => what)).not.toContain("differs");
    desk.now += 60_000;
    await edit(desk.raw);
    desk.sign(kind, id, "ana@example.com");
    desk.emulator.clearRequests();

    const findings = await desk.compare();
    const found = findings.comparisons.flatMap((one) => one.differences.map((each) => ({ one, ...each })));
    expect(found.map(({ label }) => label).sort()).toEqual([...labels].sort());
    expect(found.map(({ standing }) => standing)).toEqual(labels.map(() => "changed"));
    const told = found.map(({ one, name }) =>
      changeText(findings.changeOf(one, name) ?? { by: null, at: 0 }),
    );
    const who =
      kind === "tag" || kind === "layer" || kind === "assignmentSource" ? expect.any(String) : signed;
    expect(told).toEqual(labels.map(() => who));
    expect(reportText(findings)).toContain("1 changed in the console");

    const before = desk.program;
    expect(before.split(from).length).toBe(2);
    const { outcomes } = await desk.accept(findings);
    expect(outcomes.filter(({ how }) => how === "refused")).toEqual([]);
    expect(desk.program).toBe(before.replace(from, () => to));
    expect(await desk.changes()).toEqual({});
    expect(desk.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect((await desk.compare()).comparisons.map(({ what }) => what)).not.toContain("differs");
  },
);

const signed = "ana@example.com, 2026-11-22 10:04 UTC";
