import type { JsonObject } from "../../src/provider/schema/json";
import { type Case, casesOf } from "./cases";

const inEnvironment = (environment: string | null, unitID: string | null, rest: JsonObject): JsonObject => ({
  ...{ environment, unitID, passingIDs: [], failingIDs: [], ...rest },
});

/** Units that always pass or fail, in each of the two forms of the body. */
const units: Readonly<Record<string, JsonObject>> = {
  sparse: { passingUserIDs: ["qa_1"], failingUserIDs: [] },
  "every list": {
    ...{ passingUserIDs: ["qa_1", "qa 2"], failingUserIDs: ["qa_3"] },
    ...{ passingCustomIDs: ["company/1"], failingCustomIDs: ["company_2", "company_3"] },
  },
  "empty lists": { passingUserIDs: [], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [] },
  "by environment": {
    environmentOverrides: [
      inEnvironment("production", "userID", { passingIDs: ["qa_1"] }),
      inEnvironment("development", "stableID", { passingIDs: ["s1"], failingIDs: ["s2", "s3"] }),
    ],
  },
  "nulls for all of them": { environmentOverrides: [inEnvironment(null, null, { failingIDs: ["qa_1"] })] },
  "no environments": { environmentOverrides: [] },
};

const experiments = casesOf("experimentOverrides", {
  sparse: {
    overrides: [{ type: "gate", id: "beta", groupID: "test" }],
    userIDOverrides: [{ groupID: "control", ids: ["qa_1"] }],
  },
  "every argument": {
    overrides: [
      { type: "gate", id: "beta", groupID: "test", environment: "production" },
      { type: "segment", id: "staff", groupID: "control", environment: "development" },
    ],
    userIDOverrides: [
      { groupID: "test", ids: ["qa_1", "qa 2"], environment: "staging", unitType: "stableID" },
      { groupID: "control", ids: ["qa_3"], environment: "staging", unitType: "userID" },
    ],
  },
  nulls: {
    overrides: [{ type: "segment", id: "staff", groupID: "test", environment: null }],
    userIDOverrides: [{ groupID: "test", ids: ["qa_1"], environment: null, unitType: null }],
  },
  "no ids": { overrides: [], userIDOverrides: [{ groupID: "test", ids: [] }] },
  "empty lists": { overrides: [], userIDOverrides: [] },
});

const layers = casesOf("layerOverrides", {
  sparse: {
    conditionalOverrides: [{ type: "gate", name: "beta", experimentName: "button", groupName: "Test" }],
    idOverrides: [{ groupName: "Control", ids: ["qa_1"] }],
  },
  "every argument": {
    conditionalOverrides: [
      {
        ...{ type: "segment", name: "staff", experimentName: "button" },
        ...{ groupName: "Test", environment: "production" },
      },
    ],
    idOverrides: [
      {
        ...{ groupName: "Test", ids: ["qa_1", "qa 2"], idType: "stableID" },
        ...{ environment: "staging", experimentName: "button" },
      },
    ],
  },
  nulls: {
    conditionalOverrides: [],
    idOverrides: [{ groupName: "A", ids: ["qa_1"], idType: null, environment: null, experimentName: null }],
  },
  "empty lists": { conditionalOverrides: [], idOverrides: [] },
});

export const overrideCases: readonly Case[] = [
  ...casesOf("gateOverrides", units),
  ...casesOf("holdoutOverrides", units),
  ...experiments,
  ...layers,
];
