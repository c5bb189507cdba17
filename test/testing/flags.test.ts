import { equal } from "node:assert/strict";
import { describe, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "../../src";
import { type FlagUser, flagsOf } from "../../src/tools/testing";

const rule = (name: string, passPercentage: number, ...conditions: fc.ConditionArgs[]) => ({
  ...{ name, passPercentage, conditions },
});
const everyone: fc.ConditionArgs = { type: "public" };
const inZealand: fc.ConditionArgs = { type: "country", operator: "any", targetValue: ["NZ"] };
const rules = {
  staff: rule("Staff", 100, { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }),
  zealand: rule("New Zealand", 10, inZealand),
};

/** A member of staff who is in New Zealand, outside the share there. */
const ann: FlagUser = { userID: "ann", email: "ann@example.com", country: "NZ" };

const checkout =
  (...order: fc.GateRuleArgs[]) =>
  () => {
    new fc.Gate("checkout_v2", { rules: order });
  };

describe("flags of a program", () => {
  test("staff pass, New Zealand gets 10 %, nobody else", async () => {
    const flags = await flagsOf(checkout(rules.staff, rules.zealand));
    expect(flags.gate("checkout_v2", ann)).toMatchObject({ value: true, rule: "Staff" });
    const share = flags.share("checkout_v2", { country: "NZ" });
    expect(share).toEqual({ ...share, count: 10_000 });
    expect(share.low).toBeLessThan(10);
    expect(share.high).toBeGreaterThan(10);
    expect(share.high - share.low).toBeLessThan(2.5);
    const nobody = { percent: 0, low: 0, high: 0.11, count: 10_000 };
    expect(flags.share("checkout_v2", { country: "DE" })).toEqual(nobody);
    expect(flags.share("checkout_v2", ann)).toMatchObject({ percent: 100, high: 100 });
    // Whose id it was does not matter: they would all be in the share, or none.
    expect(flags.share("checkout_v2", { userID: "ben", country: "NZ" })).toEqual(share);
    expect(flags.whoPasses("checkout_v2", { ann, berta: { userID: "b", country: "DE" } })).toEqual({
      ann: { passes: true, rule: "Staff" },
      berta: { passes: false, rule: null },
    });
  });

  test("a share of other units than users: their id is not that of the user, whose other ids stay", async () => {
    const flags = await flagsOf(() => {
      const ann = { ...rule("Ann", 100, { type: "user_id", operator: "any", targetValue: ["ann"] }) };
      new fc.Gate("by_company", { idType: "stableID", rules: [rule("Some", 30, everyone)] });
      new fc.Gate("by_user", { idType: "stableID", rules: [ann] });
    });
    const user = { userID: "ann", customIDs: { stableID: "one" } };
    const { low, high } = flags.share("by_company", user);
    expect([low > 25, low < 30, high > 30, high < 35]).toEqual([true, true, true, true]);
    expect(flags.share("by_user", user).percent).toBe(100);
  });

  test("a test fails when somebody swaps two rules, and its message names the rule that decided", async () => {
    const check = async (...order: fc.GateRuleArgs[]) => {
      const { value, why } = (await flagsOf(checkout(...order))).gate("checkout_v2", ann);
      equal(value, true, why);
    };
    await check(rules.staff, rules.zealand);
    await expect(check(rules.zealand, rules.staff)).rejects.toThrow(
      'checkout_v2 fails: rule "New Zealand" (1 of 2), 10 % of users in NZ, and the user is outside that share',
    );
  });

  test("says in plain words which conditions are met, and of each rule before the first one that is not", async () => {
    const since: fc.ConditionArgs = { type: "app_version", operator: "version_gte", targetValue: "2.0" };
    const flags = await flagsOf(
      checkout(
        { ...rules.staff, environments: ["production"] },
        { ...rules.zealand, conditions: [inZealand, since] },
        { ...rules.zealand, name: "Kiwis", passPercentage: 0 },
        rule("Everyone", 100, everyone),
      ),
      { environment: "staging" },
    );
    const kiwi = flags.gate("checkout_v2", { ...ann, appVersion: "1.9" });
    expect(kiwi.why).toBe(
      'checkout_v2 fails: rule "Kiwis" (3 of 4), 0 % of users in NZ; ' +
        'rule "Staff" did not match (not met: in environment production); ' +
        'rule "New Zealand" did not match (not met: app version is 2.0 or later)',
    );
    expect(kiwi.met).toEqual(["in NZ"]);
    expect(kiwi.unmet).toEqual([
      { rule: "Staff", condition: "in environment production" },
      { rule: "New Zealand", condition: "app version is 2.0 or later" },
    ]);
    const other = flags.gate("checkout_v2", { userID: "bo", email: "bo@mail.org" });
    expect(other).toMatchObject({ rule: "Everyone", met: [] });
    expect(other.unmet[0]).toEqual({ rule: "Staff", condition: "e-mail contains @example.com" });
    expect(other.why).toContain(
      'rule "Everyone" (4 of 4), 100 % of everyone else; rule "Staff" did not match',
    );
  });

  test("never says that a rule did not match whose conditions the SDK does not know, or after which it stopped", async () => {
    const script = rule("Script", 100, { type: "javascript", targetValue: "true" });
    const flags = await flagsOf(checkout(rules.staff, script, rules.zealand));
    const { why, unmet } = flags.gate("checkout_v2", { userID: "bo", country: "DE" });
    expect(why).toBe(
      'checkout_v2 fails: the SDK does not know a condition of rule "Script", so it answers its default; ' +
        'rule "Staff" did not match (not met: e-mail contains @example.com)',
    );
    expect(unmet).toHaveLength(1);
    expect(flags.gate("checkout_v2", ann).unmet).toEqual([]);
  });

  test("of a rule with variants, and of many rules, a sentence stays readable", async () => {
    const flags = await flagsOf(() => {
      const variants = Object.entries({ Blue: 0, Red: 100 }).map(([name, passPercentage]) => ({
        ...{ name, passPercentage, returnValue: { colour: name } },
      }));
      const half = { ...rule("Half", 100, inZealand), variants };
      new fc.DynamicConfig("colour", { defaultValue: {}, rules: [half] });
      checkout(...Array.from({ length: 12 }, (_, at) => ({ ...rules.staff, name: `Staff ${at + 1}` })))();
    });
    expect(flags.config("colour", ann).why).toBe(
      'colour: variant "Red" of rule "Half" (1 of 1), 100 % of users in NZ',
    );
    expect(flags.config("colour", { userID: "bo" }).why).toBe(
      'colour: no rule is for this user, so the default value; rule "Half" did not match (not met: in NZ)',
    );
    const { why, unmet } = flags.gate("checkout_v2", { userID: "bo" });
    expect(why).toMatch(/rule "Staff 4" did not match \([^)]*\); neither did 8 more rules$/);
    expect(unmet).toHaveLength(12);
  });

  test("of a config says on which side of a share the user is", async () => {
    const flags = await flagsOf(() => {
      const some = { ...rule("Some", 50, inZealand), returnValue: { most: 9 } };
      new fc.DynamicConfig("limits", { defaultValue: { most: 1 }, rules: [some] });
    });
    const all = Array.from({ length: 50 }, (_, number) => {
      const { value, why } = flags.config("limits", { userID: `user-${number}`, country: "NZ" });
      return `${String(value.most)}: ${why}`;
    });
    const place = 'limits: rule "Some" (1 of 1), 50 % of users in NZ, and the user is';
    expect([...new Set(all)].sort()).toEqual([`1: ${place} outside that share`, `9: ${place} in that share`]);
  });

  test("decides the same for a user in every run, also beside other flags, and keeps those who passed when a share rises", async () => {
    const passing = async (share: number, others: number) => {
      const flags = await flagsOf(() => {
        for (let other = 0; other < others; other += 1)
          new fc.Gate(`other_${other}`, { rules: [rules.staff] });
        checkout({ ...rules.zealand, passPercentage: share })();
      });
      const users = Array.from({ length: 200 }, (_, number) => `user-${number}`);
      return users.filter((userID) => flags.gate("checkout_v2", { userID, country: "NZ" }).value);
    };
    const few = await passing(30, 0);
    expect(await passing(30, 3)).toEqual(few);
    const more = await passing(60, 1);
    expect(more).toEqual(expect.arrayContaining(few));
    expect(more.length).toBeGreaterThan(few.length);
  });

  test("of an environment, or of that of a user", async () => {
    const program = () => {
      new fc.Gate("beta", { rules: [{ ...rule("Try", 100, everyone), environments: ["staging"] }] });
    };
    const staging = await flagsOf(program, { environment: "staging" });
    expect(staging.gate("beta", {})).toMatchObject({ value: true, rule: "Try" });
    const production = await flagsOf(program, { environment: "production" });
    const why =
      'beta fails: no rule is for this user; rule "Try" did not match (not met: in environment staging)';
    expect(production.gate("beta", {})).toMatchObject({ value: false, why });
    const either = await flagsOf(program);
    expect(either.gate("beta", { statsigEnvironment: { tier: "staging" } }).value).toBe(true);
    expect(either.gate("beta", {}).value).toBe(false);
  });

  test("by the stack's configuration, of a program that exports a function", async () => {
    const program = async () => ({
      default: async () => {
        const share = new pulumi.Config().requireNumber("share");
        const region = new pulumi.Config("aws").require("region");
        checkout(rule(`${pulumi.getStack()} ${region}`, share, everyone))();
      },
    });
    const config = { share: "100", "aws:region": "eu-west-1" };
    const flags = await flagsOf(program, { config, project: "shop", stack: "prod" });
    expect(flags.gate("checkout_v2", {})).toMatchObject({ value: true, rule: "prod eu-west-1" });
  });

  test("by configuration that is no text, and what other stacks have", async () => {
    const program = () => {
      const { share } = new pulumi.Config().requireObject<{ share: number }>("checkout");
      const region = new pulumi.StackReference("shop/platform/prod").requireOutput("region");
      checkout(rule("Region", share, { type: "country", operator: "any", targetValue: [region] }))();
    };
    const config = { checkout: { share: 100 } };
    const stacks = { "shop/platform/prod": { region: "NZ" } };
    expect((await flagsOf(program, { config, stacks })).gate("checkout_v2", ann).value).toBe(true);
    const reading = () => {
      new pulumi.StackReference("shop/platform/prod").getOutput("region");
      checkout(rules.staff)();
    };
    const unset = 'the program reads the stack "shop/platform/prod": set its outputs by { stacks: ';
    await expect(flagsOf(reading)).rejects.toThrow(unset);
  });

  test("with a warning for each argument of which another stack, or another package, has no value here", async () => {
    class Bucket extends pulumi.CustomResource {
      declare readonly arn: pulumi.Output<string>;
      constructor(name: string) {
        super("aws:s3/bucket:Bucket", name, { arn: undefined, acl: "private" });
      }
    }
    const stacks = { "shop/platform/prod": { region: "NZ", name: "Sound" } };
    const program = () => {
      const platform = new pulumi.StackReference("shop/platform/prod");
      checkout({ ...rules.staff, name: "Staff" })();
      new fc.Gate("logs", { description: new Bucket("media").arn, name: platform.getOutput("nmae") });
      new fc.Gate("sound", { description: platform.getOutput("name"), idType: pulumi.output(undefined) });
    };
    const warnings: string[] = [];
    const warn = (text: string) => warnings.push(text);
    await flagsOf(program, { stacks, warn });
    expect(warnings.sort()).toEqual([
      'Gate "logs": description has no value: it comes from aws:s3/bucket:Bucket "media", of which only its arguments are known here: ' +
        "mock its outputs by { fallback }",
      'Gate "logs": name has no value: it comes from the stack "shop/platform/prod", for which { stacks } has region, name',
    ]);
  });

  test("of programs that are asked for at once", async () => {
    const named = (name: string) => async () => {
      await new Promise((resolve) => setImmediate(resolve));
      checkout({ ...rules.staff, name })();
    };
    const both = await Promise.all([flagsOf(named("first")), flagsOf(named("second"))]);
    expect(both.map((flags) => flags.gate("checkout_v2", ann).rule)).toEqual(["first", "second"]);
  });

  test("of other kinds: configs, experiments, layers, holdouts, overrides, lists of ids", async () => {
    const flags = await flagsOf(() => {
      const testers = new fc.Segment("testers", { type: "id_list", ids: ["t1"] });
      const inList = rule("Testers", 100, { type: "passes_segment", targetValue: testers });
      const gate = new fc.Gate("beta", { rules: [inList] });
      new fc.GateOverrides("beta", { gate, failingUserIDs: ["t2"] });
      const beta = rule("Beta", 100, { type: "passes_gate", targetValue: gate });
      const limits = [{ ...beta, returnValue: { most: 20 } }];
      new fc.DynamicConfig("limits", { defaultValue: { most: 10 }, rules: limits });
      const parameters = [{ name: "colour", type: "string" as const, defaultValue: "blue" }];
      const layer = new fc.Layer("colours", { idType: "userID", parameters });
      new fc.Experiment("red_button", {
        ...{ hypothesis: "Red sells more", layerID: layer.id, targetingGateID: gate.id, status: "active" },
        groups: [{ name: "Red", size: 100, parameterValues: { colour: "red" } }],
      } as fc.ExperimentArgs);
      const held = new fc.Gate("held", { rules: [rule("All", 100, everyone)] });
      const holdout = new fc.Holdout("nobody", { passPercentage: 1, gateIDs: [held.id] });
      new fc.HoldoutOverrides("nobody", { holdout, passingUserIDs: ["t1"] });
      new fc.Gate("closed", { isEnabled: false });
    });
    const tester = { userID: "t1" };
    expect(flags.config("limits", tester).value).toEqual({ most: 20 });
    expect(flags.layer("colours", tester).get("colour", "")).toBe("red");
    expect(flags.experiment("red_button", tester)).toMatchObject({ rule: "Red", value: { colour: "red" } });
    const notBeta = 'rule "Beta" did not match (not met: in gate "beta")';
    for (const [{ why }, expected] of [
      [flags.config("limits", tester), 'limits: rule "Beta" (1 of 1), 100 % of users in gate "beta"'],
      [flags.config("limits", {}), `limits: no rule is for this user, so the default value; ${notBeta}`],
      [flags.layer("colours", tester), 'red_button: group "Red"'],
      [flags.layer("colours", {}), "red_button: the targeting gate keeps this user out"],
      [flags.gate("held", tester), 'held fails: the holdout "nobody" holds this user out'],
      [flags.gate("beta", { userID: "t2" }), "beta fails: an override names this user"],
      [flags.gate("closed", tester), "closed fails: it is switched off"],
    ] as const)
      expect(why).toBe(expected);
    expect(flags.sdk.checkGate(tester, "beta")).toBe(true);
  });

  test("what is off, archived or empty, a group that is switched off, and groups of one name in a layer", async () => {
    const flags = await flagsOf(() => {
      new fc.Gate("gone", { status: "Archived", rules: [rule("All", 100, everyone)] });
      new fc.Gate("empty", { rules: [] });
      new fc.DynamicConfig("off", { isEnabled: false, defaultValue: {} });
      new fc.DynamicConfig("bare", { defaultValue: {}, rules: [] });
      new fc.Experiment("old", { status: "archived" } as fc.ExperimentArgs);
      const parameters = [{ name: "text", type: "string" as const, defaultValue: "none" }];
      const layer = new fc.Layer("page", { idType: "userID", parameters });
      new fc.Layer("unused", { idType: "userID", parameters });
      for (const name of ["voucher", "banner"])
        new fc.Experiment(name, {
          ...{ status: "active", allocation: 50, layerID: layer.id, disabledGroups: ["B"] },
          groups: ["Control", "B"].map((group) => ({
            ...{ name: group, size: 50, parameterValues: { text: `${name} ${group}` } },
          })),
        } as fc.ExperimentArgs);
    });
    const otherwise = ", so the default value";
    expect([
      flags.gate("gone", ann).why,
      flags.gate("empty", ann).why,
      flags.config("off", ann).why,
      flags.config("bare", ann).why,
      flags.experiment("old", ann).why,
      flags.layer("unused", ann).why,
    ]).toEqual([
      "gone fails: it is archived",
      "empty fails: it has no rules",
      `off: it is switched off${otherwise}`,
      `bare: it has no rules${otherwise}`,
      `old: it is archived${otherwise}`,
      `unused: no experiment runs in it${otherwise}`,
    ]);
    const answers = Array.from({ length: 60 }, (_, at) => flags.layer("page", { userID: `user-${at}` }));
    const told = answers.map((one) => `${one.rule}: ${one.why}: ${one.getValue("text")}`);
    expect([...new Set(told)].sort()).toEqual([
      `banner / B: banner: group "B" is switched off${otherwise}: none`,
      'banner / Control: banner: group "Control": banner Control',
      `voucher / B: voucher: group "B" is switched off${otherwise}: none`,
      'voucher / Control: voucher: group "Control": voucher Control',
    ]);
  });

  test("of one of several providers", async () => {
    const program = () => {
      for (const region of ["eu", "us"]) {
        const provider = new fc.Provider(region, { profile: "embedded" });
        const args = { key: "checkout_v2", rules: [{ ...rules.staff, name: region }] };
        new fc.Gate(`checkout_${region}`, args, { provider });
      }
    };
    const flags = await flagsOf(program, { provider: "us" });
    expect(flags.gate("checkout_v2", ann).rule).toBe("us");
    await expect(flagsOf(program)).rejects.toThrow('"eu", "us"; name one by { provider }');
    await expect(flagsOf(program, { provider: "uk" })).rejects.toThrow('its providers are "eu", "us"');
  });

  test("what is wrong is told", async () => {
    const twice = () => [rules.staff, rules.zealand].map((one) => checkout(one)());
    const tooMany = "rules[0].passPercentage: found 300; at most 100 is allowed";
    for (const [program, message] of [
      [checkout({ ...rules.staff, passPercentage: 300 }), tooMany],
      [() => undefined, "the program made no resources of this package. A module runs once"],
      [twice, "two resources are called Gate checkout_v2: an update refuses that"],
      ["./index" as never, 'such as () => import("./index")'],
    ] as const)
      await expect(flagsOf(program)).rejects.toThrow(message);
    const misspelt = flagsOf(checkout(rules.staff), { enviroment: "staging" } as never);
    await expect(misspelt).rejects.toThrow('flagsOf has no option "enviroment"; did you mean "environment"?');
    const flags = await flagsOf(checkout(rules.staff));
    expect(() => flags.gate("chekout_v2", ann)).toThrow('no gate "chekout_v2"; did you mean "checkout_v2"?');
    expect(() => flags.share("chekout_v2")).toThrow('did you mean "checkout_v2"?');
    expect(() => flags.layer("colours", ann)).toThrow('no layer "colours"; there is none');
  });
});

test("what a preview warns of is told: misspelt gates, circles, and rules for no environment", async () => {
  const asking = (key: string, targetValue: string) =>
    new fc.Gate(key, { rules: [rule("A", 100, { type: "passes_gate", targetValue })] });
  const warnings: string[] = [];
  const program = () => {
    new fc.Gate("checkout_v2", { rules: [{ ...rules.staff, environments: [] }] });
    asking("asker", "chekcout_v2");
    asking("alone", "alone");
    asking("first", "second");
    asking("second", "first");
    const nope = ["passes_gate", "fails_segment"].map((type) => ({ type, targetValue: "nope" }) as never);
    new fc.Gate("open", { rules: [rule("A", 100, ...nope)] });
    const page = new fc.Layer("page", {
      idType: "userID",
      parameters: [
        { name: "title", type: "string", defaultValue: "Hello" },
        { name: "size", type: "number", defaultValue: 1 },
      ],
    });
    new fc.Experiment("titles", {
      layerID: page,
      groups: [
        { name: "a", size: 50, parameterValues: { tilte: "Hi", size: 2 } },
        { name: "b", size: 50, parameterValues: { colour: "red", size: "2" } },
      ],
    });
    new fc.Gate("seeded", { rules: [rule("A", 100, { type: "passes_gate", targetValue: "theirs" })] });
  };
  await flagsOf(program, {
    ...{ warn: (text) => warnings.push(text), seed: { gates: [{ id: "theirs", name: "theirs" }] } },
  });
  const nowhere = "of this program or of the console: nobody passes it, and everyone fails it.";
  const end = ": statsig-node answers its default for that; take one of the conditions away.";
  expect(warnings.sort()).toEqual([
    'experiment "titles": groups[0].parameterValues.tilte: layer "page" has no parameter "tilte"; did you mean "title"?',
    'experiment "titles": groups[1].parameterValues.colour: layer "page" has no parameter "colour".',
    'experiment "titles": groups[1].parameterValues.size: found "2"; the parameter of layer "page" has the type number.',
    `gate "alone" asks itself${end}`,
    'gate "asker": rules[0].conditions[0].targetValue: "chekcout_v2" is no gate of this program; did you mean "checkout_v2"?',
    'gate "checkout_v2": rules[0].environments: is empty, so the rule holds in no environment; null stands for every one.',
    `gate "first" asks itself by way of gate "second"${end}`,
    `gate "open": rules[0].conditions[0].targetValue: "nope" is no gate ${nowhere}`,
    `gate "open": rules[0].conditions[1].targetValue: "nope" is no segment ${nowhere}`,
    `gate "second" asks itself by way of gate "first"${end}`,
  ]);
});
