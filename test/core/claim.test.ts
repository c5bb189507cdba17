import { describe, expect, test } from "@jest/globals";
import {
  claimTable,
  decideClaim,
  decideRelease,
  type Evidence,
  isClaimCertain,
  type ReleaseEvidence,
  releaseTable,
} from "../../src/provider/decisions/claim";
import { mayBeSameStack } from "../../src/provider/decisions/stack-mark";

const values: { readonly [Name in keyof Evidence]: readonly Evidence[Name][] } = {
  place: ["empty", "live", "archived"],
  holder: ["nobody", "itself", "another"],
  permission: ["none", "adopt", "import"],
  origin: [
    ...(["unknown", "this-stack", "claimed", "renamed"] as const),
    ...(["archived-here", "brought-back", "kept-elsewhere", "another-stack"] as const),
  ],
  match: ["equal", "differs", "stuck"],
  mayReplace: [true, false],
};

/** Every combination of some values. */
function combinations<T>(choices: Record<string, readonly unknown[]>): T[] {
  return Object.entries(choices).reduce<Record<string, unknown>[]>(
    (all, [name, list]) => all.flatMap((one) => list.map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as T[];
}

const everything = combinations<Evidence>(values);
const deciding = (acts: readonly string[], fits: (evidence: Evidence) => boolean = () => true) =>
  everything.filter((evidence) => fits(evidence) && acts.includes(decideClaim(evidence).act));
const taking = ["adopt", "unarchive", "recreate", "send"];

describe("what a resource may take", () => {
  test("a live object is taken only with permission, by state, or with evidence of this stack", () => {
    const taken = deciding(taking, ({ place }) => place === "live");
    expect(taken.length).toBeGreaterThan(0);
    const isOurs = ({ holder, origin, match }: Evidence) =>
      holder === "itself" ||
      origin === "brought-back" ||
      (match === "equal" && ["this-stack", "claimed"].includes(origin));
    expect(taken.filter((one) => one.permission === "none" && !isOurs(one))).toEqual([]);
  });

  test("values that are not known yet leave open whether what is there is taken only where equal values decide", () => {
    const open = everything.filter((one) => one.match !== "stuck" && !isClaimCertain(one));
    const cases = open.map(({ place, permission, holder, origin }) => [place, permission, holder, origin]);
    expect(new Set(cases.map(([place, permission]) => `${place} ${permission}`))).toEqual(
      new Set(["live none", "archived none"]),
    );
    expect(new Set(cases.filter(([place]) => place === "live").map((one) => one[3]))).toEqual(
      new Set(["this-stack", "claimed"]),
    );
    expect(cases.filter(([, , , origin]) => origin === "archived-here")).toEqual([]);
  });

  test("what another resource of the stack has is never taken", () => {
    expect(deciding(taking, ({ place, holder }) => place !== "empty" && holder === "another")).toEqual([]);
  });

  test("an archived object comes back only with permission, when this stack archived it, or when it is as new", () => {
    const back = deciding(taking, ({ place }) => place === "archived");
    expect(back.length).toBeGreaterThan(0);
    const isOurs = ({ origin, match }: Evidence) =>
      ["archived-here", "brought-back"].includes(origin) || match === "equal";
    expect(back.filter((one) => one.permission === "none" && !isOurs(one))).toEqual([]);
  });

  test("what the program of another stack keeps archived stays archived without permission", () => {
    const isKept = ({ place, origin, permission }: Evidence) =>
      place === "archived" && origin === "kept-elsewhere" && permission === "none";
    expect(deciding(taking, isKept)).toEqual([]);
  });

  test("nothing is deleted to be created anew unless it is archived, cannot change, and the program says so", () => {
    const gone = deciding(["recreate"]);
    expect(gone.length).toBeGreaterThan(0);
    const isAsked = (one: Evidence) => one.place === "archived" && one.match === "stuck" && one.mayReplace;
    expect(gone.filter((one) => !isAsked(one))).toEqual([]);
  });

  test("a create is sent only where nothing is", () => {
    expect(deciding(["send"], ({ place }) => place !== "empty")).toEqual([]);
  });

  test("every row decides something, and the last one takes nothing", () => {
    const fits = (evidence: Evidence, when: object) =>
      Object.entries(when).every(([name, list]) => list.includes(evidence[name as keyof Evidence]));
    const deciders = new Set(
      everything.map((evidence) => claimTable.findIndex(({ when }) => fits(evidence, when))),
    );
    expect([...deciders].sort((a, b) => a - b)).toEqual(claimTable.map((_, index) => index));
    expect(claimTable.at(-1)).toMatchObject({ when: {}, decide: { act: "refuse" } });
  });
});

describe("an object whose resource goes", () => {
  const releases = combinations<ReleaseEvidence>({
    console: ["here", "elsewhere", "elsewhere-let-go"],
    heldByAnother: [true, false],
    takenSince: [true, false],
    isOther: [true, false],
    declaredByAnother: [true, false],
    onDelete: ["archive", "delete", "retain"],
    endsWhatGoesOn: [true, false],
    inUse: [true, false],
  });

  test("is touched only where it is, when nobody else has it, and when nothing that stays asks for it", () => {
    const touched = releases.filter((one) => ["archive", "delete"].includes(decideRelease(one).act));
    expect(touched.length).toBeGreaterThan(0);
    const isAnothers = (one: ReleaseEvidence) =>
      one.heldByAnother || one.takenSince || one.isOther || one.declaredByAnother;
    const stays = (one: ReleaseEvidence) =>
      one.console !== "here" || isAnothers(one) || one.onDelete === "retain" || one.inUse;
    expect(touched.filter(stays)).toEqual([]);
  });

  test("is deleted only where the state says delete", () => {
    const deleted = releases.filter((one) => decideRelease(one).act === "delete");
    expect(deleted.filter(({ onDelete }) => onDelete !== "delete")).toEqual([]);
  });

  test("is decided by every row", () => {
    const fits = (evidence: ReleaseEvidence, when: object) =>
      Object.entries(when).every(([name, list]) => list.includes(evidence[name as keyof ReleaseEvidence]));
    const deciders = new Set(
      releases.map((evidence) => releaseTable.findIndex(({ when }) => fits(evidence, when))),
    );
    expect(deciders.size).toBe(releaseTable.length);
  });
});

// By its mark a stack knows what it has archived itself, and may bring back. Version 0.1 named no backend.
test.each([
  ["flags/prod@rT5w0aZk3_cQ", "flags/dev@rT5w0aZk3_cQ", false],
  ["flags/dev@another_one", "flags/dev@rT5w0aZk3_cQ", false],
  ["flags/dev", "flags/dev@rT5w0aZk3_cQ", true],
  ["flags/dev@rT5w0aZk3_cQ", "flags/dev", true],
])("what stack %s has archived belongs to stack %s: %s", (mark, stack, isSame) => {
  expect(mayBeSameStack(mark, stack)).toBe(isSame);
});
