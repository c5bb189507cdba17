import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

describe("a role", () => {
  const args = { name: "tester", permissions: { create_configs: true } };
  const permissions = async () => (await subject.raw.role.get({ id: "tester" })).permissions;

  test("keeps permissions that the program leaves out, also those that nobody here knows", async () => {
    subject = await startSubject(catalog.role);
    const made = await subject.up(args);
    const body = {
      permissions: { ...((await permissions()) as object), local_metrics: true, from_tomorrow: true },
    };
    await subject.raw.role.patch({ id: "tester", body });
    const seen = (await subject.refresh(made)) ?? made;
    expect(await subject.diff(seen, args)).toEqual({ quiet: true, replaces: [] });
    await subject.update(seen, { ...args, permissions: { create_configs: false, approve_reviews: true } });
    expect(await permissions()).toMatchObject({
      ...{ create_configs: false, approve_reviews: true, local_metrics: true, from_tomorrow: true },
    });
  });

  test("that leaves a permission out from now on leaves it as it is", async () => {
    subject = await startSubject(catalog.role);
    const made = await subject.up({ ...args, permissions: { create_configs: true, local_metrics: true } });
    expect(await subject.diff(made, args)).toEqual({ quiet: true, replaces: [] });
    const seen = (await subject.refresh(made)) ?? made;
    expect(await subject.diff(seen, args)).toEqual({ quiet: true, replaces: [] });
    expect(await permissions()).toMatchObject({ local_metrics: true });
  });

  test("shows drift of the permissions that the program says", async () => {
    subject = await startSubject(catalog.role);
    const made = await subject.up(args);
    await subject.raw.role.patch({ id: "tester", body: { permissions: { create_configs: false } } });
    const seen = await subject.refresh(made);
    expect(seen?.inputs).toMatchObject({ permissions: { create_configs: false } });
    expect((await subject.diff(seen ?? made, args)).quiet).toBe(false);
  });
});

describe("a team", () => {
  test("is told by addresses in any case, in any order, and settings that are left out stay", async () => {
    subject = await startSubject(catalog.team);
    const made = await subject.up({ name: "growth", members: ["Ada@Example.com", "grace@example.com"] });
    await subject.raw.team.patch({
      id: made.id,
      body: { requireReviews: true, reviewApproval: "admin_only" },
    });
    const seen = (await subject.refresh(made)) ?? made;
    const again = { name: "growth", members: ["GRACE@example.com", "ada@example.com"] };
    expect(await subject.diff(seen, again)).toEqual({ quiet: true, replaces: [] });
    await subject.update(seen, { ...again, description: "More" });
    expect(await subject.raw.team.get({ id: made.id })).toMatchObject({
      ...{ requireReviews: true, reviewApproval: "admin_only", description: "More" },
      members: [{ email: "ada@example.com" }, { email: "grace@example.com" }],
    });
  });

  test("shows a member that somebody added as an address", async () => {
    subject = await startSubject(catalog.team);
    const made = await subject.up({ name: "growth", members: ["ada@example.com"] });
    await subject.raw.team.patch({ id: made.id, body: { members: ["ada@example.com", "eve@example.com"] } });
    const seen = await subject.refresh(made);
    expect(seen?.inputs).toMatchObject({ members: ["ada@example.com", "eve@example.com"] });
    expect(seen?.outputs).toMatchObject({ members: ["ada@example.com", "eve@example.com"] });
  });
});

describe("settings", () => {
  test("that a program leaves out stay what they are, although the API replaces all of them", async () => {
    subject = await startSubject(catalog.projectSettings);
    await subject.raw.projectSettings.replace({
      body: { name: "Shop", visibility: "CLOSED", default_unit_type: "stableID" },
    });
    const made = await subject.up({ visibility: "OPEN" });
    const whole = { name: "Shop", visibility: "OPEN", default_unit_type: "stableID" };
    expect(await subject.raw.projectSettings.get()).toEqual(whole);
    await subject.destroy(made);
    expect(await subject.raw.projectSettings.get()).toEqual(whole);
  });

  test("that the API takes only whole are sent whole, whatever else stands among them", async () => {
    subject = await startSubject(catalog.reviewSettings);
    const made = await subject.up({ isMetricReviewRequired: true });
    await subject.update(made, { isMetricReviewRequired: false, isConfigReviewRequired: true });
    expect(await subject.raw.reviewSettings.get()).toEqual({
      is_config_review_required: true,
      is_metric_review_required: false,
      is_metric_review_required_on_verified_only: false,
      is_whn_analysis_only_review_required: false,
      is_whn_source_review_required: false,
    });
  });
});

describe("an autotune", () => {
  test("is started by the program, and its hours mean the same with and without a unit", async () => {
    subject = await startSubject(catalog.autotune);
    const { smallest } = catalog.autotune.samples;
    const made = await subject.up(smallest);
    expect(await subject.diff(made, { ...smallest, explorationWindow: "24hrs" })).toMatchObject({
      quiet: true,
    });
    const started = await subject.update(made, { ...smallest, isStarted: true });
    expect(await subject.raw.autotune.get({ id: made.id })).toMatchObject({ isStarted: true });
    await expect(subject.update(started, { ...smallest, isStarted: false })).rejects.toThrow(
      /cannot change isStarted of autotune/,
    );
    expect(await subject.diff(started, smallest)).toMatchObject({ quiet: true });
  });
});
