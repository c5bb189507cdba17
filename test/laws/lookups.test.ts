import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { hasLookups, lookupModels } from "../../scripts/generate/lookups";
import * as fc from "../../src/index";
import { pathParameters } from "../../src/provider/client/route-path";
import { everyKind } from "../../src/provider/definitions";
import type { ObjectDefinition, ResourceDefinition } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { addressIn, secretOf } from "../../src/provider/schema/object-id";
import { toWire } from "../../src/provider/schema/wire-names";
import { samplesOf } from "../samples";
import { type Subject, startSubject } from "./subject";

/** Lookups whose parameters no object of the samples leads to. */
const waived: Record<string, string> = {
  getAlertEvent: "the console raises alerts by itself: there is none here",
  getSegmentIdList: "the fullest segment has rules, and the console says that it has no ids",
  getSegmentIdListMetadata: "the same",
};

// What shows secrets has no lookups, nor has what nothing reads.
const kinds = Object.values(everyKind as Record<string, ObjectDefinition>).filter(
  (one) => secretOf(one) === undefined && hasLookups(one),
);
const lookups = fc as unknown as Record<string, (args: JsonObject) => Promise<unknown>>;

describe.each(kinds.map((definition) => [definition.kind, definition] as const))("%s", (_, definition) => {
  const managed = "lifecycle" in definition ? (definition as ResourceDefinition) : undefined;
  let subject: Subject;
  let known: JsonObject = {};
  const before = { ...process.env };

  beforeAll(async () => {
    subject = await startSubject(managed ?? (everyKind.gate as ResourceDefinition));
    process.env.FEATURE_CONSOLE_PROFILE = "custom";
    process.env.FEATURE_CONSOLE_BASE_URL = subject.emulator.url;
    process.env.FEATURE_CONSOLE_API_KEY = "any";
    if (managed !== undefined) known = await parametersOf(subject, managed);
  });

  afterAll(async () => {
    process.env = before;
    await subject.close();
  });

  const models = lookupModels(kinds).filter((one) => one.definition === definition);
  test.each(models.map((model) => [model.name, model] as const))("%s", async (name, { route }) => {
    const inQuery = definition.identity.how === "address" ? (route.query ?? []) : [];
    const parameters = [...pathParameters(route.path), ...inQuery];
    const argsOf = (value: (parameter: string) => unknown) =>
      Object.fromEntries(parameters.map((parameter) => [parameter, value(parameter)]));
    if (waived[name] !== undefined || parameters.some((parameter) => known[parameter] === undefined)) {
      // Without an object there is something to ask all the same: the answer must be a clear one.
      expect(waived[name] ?? (managed === undefined ? "read-only kind" : undefined)).toBeDefined();
      const failure = await lookups[name]?.(argsOf(() => "absent")).catch((error: unknown) => error);
      if (failure instanceof Error) expect(failure).toMatchObject({ name: "ConsoleError" });
      return;
    }
    const found = await lookups[name]?.(argsOf((parameter) => known[parameter]));
    expect(Array.isArray(found)).toBe(route.returns === "items");
    // Of what programs only read, nothing here knows the id beforehand.
    const id = managed === undefined ? expect.any(String) : known.id;
    if (route.returnsKind === undefined && !Array.isArray(found))
      expect(isObject(found) && found.id).toEqual(id);
  });
});

/** What the parameters of the paths stand for, from the fullest object of a kind, and a review of it. */
async function parametersOf({ raw, up }: Subject, definition: ResourceDefinition): Promise<JsonObject> {
  const { name, routes } = definition;
  const { id, outputs } = await up(samplesOf(definition).fullest);
  const [rule] = Array.isArray(outputs.rules) ? (outputs.rules as JsonObject[]) : [];
  const known = { id, name: outputs.name ?? id, type: outputs.type, ruleID: rule?.id, ruleId: rule?.id };
  const address = toWire(definition, addressIn(definition, id) ?? {});
  if (routes.createReview === undefined) return { ...known, ...address };
  const change = name === "experiment" ? { type: "start" } : { is_enabled: true };
  const kind = raw[name as "gate" | "dynamicConfig" | "experiment"];
  const review: JsonObject = await kind.createReview({ id, body: { description: "A review", change } });
  return { ...known, ...address, reviewID: review.review_id };
}
