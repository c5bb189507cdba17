import { describe, expect, test } from "@jest/globals";
import {
  claimTable,
  decideClaim,
  decideRelease,
  type Evidence,
  type ReleaseEvidence,
  releaseTable,
} from "../../src/provider/decisions/claim";

const values: { readonly [Name in keyof Evidence]: readonly Evidence[Name][] } = {
  place: ["empty", "live", "archived"],
  holder: ["nobody", "itself", "another"],
  permission: ["none", "adopt", "import"],
  origin: [
    ...(["unknown", "this-stack", "claimed", "renamed"] as const),
    ...(["archived-here", "brought-back", "kept-elsewhere", "another-stack"] as const),
  ],
  likeness: ["equal", "differs", "stuck"],
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
const deciding = (fits: (evidence: Evidence) => boolean, acts: readonly string[]) =>
  everything.filter((evidence) => fits(evidence) && acts.includes(decideClaim(evidence).act));

describe("what a resource may take", () => {
  test("a live object is taken only with permission, by state, or with evidence of this stack", () => {
    const taken = deciding(({ place }) => place === "live", ["adopt", "unarchive", "recreate", "send"]);
    expect(taken.length).toBeGreaterThan(0);
    expect(
      taken.filter(
        ({ permission, holder, origin, likeness }) =>
          permission === "none" &&
          holder !== "itself" &&
          origin !== "brought-back" &&
          !(likeness === "equal" && ["this-stack", "claimed"].includes(origin)),
      ),
    ).toEqual([]);
  });

  test("what the journal of another stack has is taken only with permission, or by state", () => {
    const evidence: Evidence = {
      ...{ place: "live", holder: "nobody", permission: "none", origin: "another-stack" },
      ...{ likeness: "equal", mayReplace: false },
    };
    expect(decideClaim(evidence)).toEqual({ act: "refuse", reason: "exists" });
    expect(decideClaim({ ...evidence, permission: "adopt" })).toEqual({ act: "adopt" });
  });

  test("what another resource of the stack has is never taken", () => {
    const taken = deciding(
      ({ place, holder }) => place !== "empty" && holder === "another",
      ["adopt", "unarchive", "recreate", "send"],
    );
    expect(taken).toEqual([]);
  });

  test("an archived object comes back only with permission, when this stack archived it, or when it is as new", () => {
    const back = deciding(({ place }) => place === "archived", ["adopt", "unarchive", "recreate", "send"]);
    expect(back.length).toBeGreaterThan(0);
    expect(
      back.filter(
        ({ permission, origin, likeness }) =>
          permission === "none" &&
          !["archived-here", "brought-back"].includes(origin) &&
          likeness !== "equal",
      ),
    ).toEqual([]);
  });

  test("what the program of another stack keeps archived stays archived without permission", () => {
    const isKept = ({ place, origin, permission }: Evidence) =>
      place === "archived" && origin === "kept-elsewhere" && permission === "none";
    expect(deciding(isKept, ["adopt", "unarchive", "recreate", "send"])).toEqual([]);
  });

  test("nothing is deleted to be created anew unless it is archived, cannot change, and the program says so", () => {
    const gone = deciding(() => true, ["recreate"]);
    expect(gone.length).toBeGreaterThan(0);
    expect(
      gone.filter((one) => !(one.place === "archived" && one.likeness === "stuck" && one.mayReplace)),
    ).toEqual([]);
  });

  test("a create is sent only where nothing is", () => {
    expect(deciding(({ place }) => place !== "empty", ["send"])).toEqual([]);
  });

  test("every row decides something, and the last one takes nothing", () => {
    const deciders = new Set(
      everything.map((evidence) =>
        claimTable.findIndex(({ when }) =>
          Object.entries(when).every(([name, list]) =>
            (list as readonly unknown[]).includes(evidence[name as keyof Evidence]),
          ),
        ),
      ),
    );
    expect([...deciders].sort((a, b) => a - b)).toEqual(claimTable.map((_, index) => index));
    expect(claimTable.at(-1)).toMatchObject({ when: {}, decide: { act: "refuse" } });
  });
});

describe("what becomes of an object whose resource goes", () => {
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

  test("it is touched only where it is, when nobody else has it, and when nothing that stays asks for it", () => {
    const touched = releases.filter((one) => ["archive", "delete"].includes(decideRelease(one).act));
    expect(touched.length).toBeGreaterThan(0);
    expect(
      touched.filter(
        (one) =>
          one.console !== "here" ||
          one.heldByAnother ||
          one.takenSince ||
          one.isOther ||
          one.declaredByAnother ||
          one.onDelete === "retain" ||
          one.inUse,
      ),
    ).toEqual([]);
  });

  test("it is deleted only where the state says delete", () => {
    const deleted = releases.filter((one) => decideRelease(one).act === "delete");
    expect(deleted.every(({ onDelete }) => onDelete === "delete")).toBe(true);
  });

  test("every row decides something", () => {
    const deciders = new Set(
      releases.map((evidence) =>
        releaseTable.findIndex(({ when }) =>
          Object.entries(when).every(([name, value]) => evidence[name as keyof ReleaseEvidence] === value),
        ),
      ),
    );
    expect(deciders.size).toBe(releaseTable.length);
  });
});
