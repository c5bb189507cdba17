import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { hasLookups, lookupModels } from "../../scripts/generate/lookups";
import * as fc from "../../src/index";
import { pathParameters } from "../../src/provider/client/route-path";
import { everyKind } from "../../src/provider/definitions";
import type { ObjectDefinition, ResourceDefinition } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { addressIn, secretOf } from "../../src/provider/schema/object-id";
import { toWire } from "../../src/provider/schema/wire-names";
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
const lookups = fc as unknown as Record<string, (args?: JsonObject) => Promise<unknown>>;

describe.each(kinds.map((definition): [string, ObjectDefinition] => [definition.kind, definition]))(
  "%s",
  (_, definition) => {
    let subject: Subject;
    let known: JsonObject = {};
    const before = { ...process.env };

    beforeAll(async () => {
      const managed = "lifecycle" in definition ? (definition as ResourceDefinition) : undefined;
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
    test.each(models.map((model): [string, (typeof models)[number]] => [model.name, model]))(
      "%s",
      async (name, { route }) => {
        const inQuery = definition.identity.how === "address" ? route.query : [];
        const parameters = [...pathParameters(route.path), ...(inQuery ?? [])];
        const missing = parameters.filter((parameter) => known[parameter] === undefined);
        const ask = lookups[name];
        if (missing.length > 0 || waived[name] !== undefined) {
          // Without an object there is something to ask all the same: the answer must be a clear one.
          expect(waived[name] ?? ("lifecycle" in definition ? undefined : "read-only kind")).toBeDefined();
          const args = Object.fromEntries(parameters.map((parameter) => [parameter, "absent"]));
          await ask?.(args).catch((error: unknown) => expect(error).toMatchObject({ name: "ConsoleError" }));
          return;
        }
        const found = await ask?.(
          Object.fromEntries(parameters.map((parameter) => [parameter, known[parameter]])),
        );
        expect(Array.isArray(found)).toBe(route.returns === "items");
        // Of what programs only read, nothing here knows the id beforehand.
        const id = "lifecycle" in definition ? known.id : expect.any(String);
        if (route.returnsKind === undefined && !Array.isArray(found))
          expect(isObject(found) && found.id).toEqual(id);
      },
    );
  },
);

/** What the parameters of the paths stand for, from the fullest object of a kind. */
/** A review of an object, where the kind has reviews. */
async function reviewOf(
  { raw }: Subject,
  { name, routes }: ResourceDefinition,
  id: string,
): Promise<unknown> {
  if (routes.createReview === undefined) return undefined;
  const kind = raw[name as "gate" | "dynamicConfig" | "experiment"];
  const change = name === "experiment" ? { type: "start" } : { is_enabled: true };
  const review = await kind.createReview({ id, body: { description: "A review", change } });
  return (review as JsonObject).review_id;
}

async function parametersOf(subject: Subject, definition: ResourceDefinition): Promise<JsonObject> {
  const { id, outputs } = await subject.up(definition.samples.fullest);
  const [rule] = Array.isArray(outputs.rules) ? (outputs.rules as JsonObject[]) : [];
  const reviewID = await reviewOf(subject, definition, id);
  const address = toWire(definition, addressIn(definition, id) ?? {});
  return {
    ...{ id, name: outputs.name ?? id, type: outputs.type, ruleID: rule?.id, ruleId: rule?.id, reviewID },
    ...address,
  };
}
