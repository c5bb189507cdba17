import type { JsonObject } from "../../../src/provider/schema/json";
import {
  answeringWith,
  type Deviation,
  reading,
  readingNew,
  readingRules,
  refusal,
  rulesOf,
  taking,
  withItems,
} from "./deviant";

/** Deviations in how a console stores and shows what it was sent. */
export const storedOtherwise: readonly Deviation[] = [
  {
    console: "rounds percentages",
    question: "finePercentages",
    answer: "rounded",
    answering: readingRules((rule) => ({ ...rule, passPercentage: Math.round(Number(rule.passPercentage)) })),
  },
  {
    console: "keeps fine percentages",
    question: "finePercentages",
    answer: "thousandths",
    answering: () => async (request, ask) => {
      if (!request.body.includes("33.333")) return withItems(await ask(request), fine);
      return withItems(await ask({ ...request, body: request.body.replace("33.333", "33.33") }), fine);
    },
  },
  {
    console: "gives a changed rule a new id",
    question: "ruleIds",
    answer: "new",
    answering: () =>
      reading(/\/gates\//, (gate) => ({
        ...gate,
        rules: rulesOf(gate).map((rule) => ({
          ...rule,
          baseID: rule.name === "Verify" ? rule.baseID : "another",
        })),
      })),
  },
  {
    console: "counts no versions",
    question: "countedVersions",
    answer: "otherwise",
    answering: () => reading(/\/gates/, (gate) => ({ ...gate, version: 7 })),
  },
  {
    console: "merges lists",
    question: "patchedLists",
    answer: "merged",
    answering: () =>
      reading(/\/gates\//, (gate) => ({
        ...gate,
        rules: [...rulesOf(gate), { name: "Former", passPercentage: 1 }],
      })),
  },
  {
    console: "drops a field",
    question: "gateMembers",
    answer: "otherwise",
    detail: "description",
    answering: readingNew(/\/gates/, ({ description: _, ...gate }) => gate),
  },
  {
    console: "renames a member",
    question: "gateMembers",
    answer: "otherwise",
    detail: "measureMetricLifts",
    answering: readingNew(/\/gates/, ({ measureMetricLifts, ...gate }) => ({
      ...gate,
      measure_metric_lifts: measureMetricLifts,
    })),
  },
  {
    console: "shows numbers as texts",
    question: "gateMembers",
    answer: "otherwise",
    detail: "rules",
    answering: readingRules((rule) => ({ ...rule, passPercentage: String(rule.passPercentage) })),
  },
  {
    console: "writes tags in capitals",
    question: "gateMembers",
    answer: "otherwise",
    detail: "tags",
    answering: readingNew(/\/gates/, (gate) => ({
      ...gate,
      tags: [gate.tags].flat().map((tag) => String(tag).toUpperCase()),
    })),
  },
  {
    console: "drops null inside a default value",
    question: "dynamicConfigMembers",
    answer: "otherwise",
    detail: "defaultValue",
    answering: readingNew(/\/dynamic_configs/, (config) => ({
      ...config,
      defaultValue: { ...(config.defaultValue as JsonObject), none: undefined },
    })),
  },
  {
    console: "rounds the allocation of an experiment up",
    question: "experimentMembers",
    answer: "otherwise",
    detail: "allocation",
    answering: readingNew(/\/experiments/, (one) => ({ ...one, allocation: 100 })),
  },
  {
    console: "drops the description of a layer",
    question: "layerMembers",
    answer: "otherwise",
    detail: "description",
    answering: readingNew(/\/layers/, (layer) => ({ ...layer, description: "" })),
  },
  {
    console: "ignores PATCH of a field",
    question: "gatePatches",
    answer: "ignored",
    detail: "description",
    answering: taking("PATCH", /\/gates\/[^/]+$/, ({ description: _, ...body }) => body),
  },
  {
    console: "resets another field in PATCH",
    question: "gatePatches",
    answer: "others",
    detail: "tags",
    answering: taking("PATCH", /\/gates\/[^/]+$/, (body) => ({ ...body, tags: [] })),
  },
  {
    console: "ignores PATCH of a default value",
    question: "dynamicConfigPatches",
    answer: "ignored",
    detail: "defaultValue",
    answering: taking("PATCH", /\/dynamic_configs\/[^/]+$/, ({ defaultValue: _, ...body }) => body),
  },
  {
    console: "ignores PATCH of an allocation",
    question: "experimentPatches",
    answer: "ignored",
    detail: "allocation",
    answering: taking("PATCH", /\/experiments\/[^/]+$/, ({ allocation: _, ...body }) => body),
  },
  {
    console: "ignores PATCH of parameters",
    question: "layerPatches",
    answer: "ignored",
    detail: "parameters",
    answering: taking("PATCH", /\/layers\/[^/]+$/, ({ parameters: _, ...body }) => body),
  },
  {
    console: "refuses empty operators",
    question: "emptyTexts",
    answer: "refuse",
    answering: answeringWith(({ body }) => body.includes('"operator":""'), refusal(400)),
  },
  {
    console: 'ignores ""',
    question: "clearedTexts",
    answer: "kept",
    answering: taking("PATCH", /\/gates\/[^/]+$/, (body, { description }) => ({ ...body, description })),
  },
  {
    console: "clears by null",
    question: "nullTexts",
    answer: "cleared",
    answering: () => (request, ask) =>
      ask({ ...request, body: request.body.replace('"description":null', '"description":""') }),
  },
  {
    console: "merges objects",
    question: "patchedObjects",
    answer: "merged",
    answering: taking("PATCH", /\/dynamic_configs\/[^/]+$/, (body, { defaultValue }) => ({
      ...body,
      defaultValue: { ...(defaultValue as JsonObject), ...(body.defaultValue as JsonObject) },
    })),
  },
];

function fine(gate: JsonObject): JsonObject {
  return {
    ...gate,
    rules: rulesOf(gate).map((rule) =>
      rule.passPercentage === 33.33 ? { ...rule, passPercentage: 33.333 } : rule,
    ),
  };
}
