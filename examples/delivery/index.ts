import * as fc from "pulumi-feature-console";

const hour = 3_600_000;

const testers = new fc.Segment("release_testers", { type: "id_list", ids: ["user-1", "user-2"] });

// The phases in which a change reaches its users; the first waits for an approval.
const pipeline = new fc.ReleasePipeline("Careful release", {
  triggerNotice: "Tell the shop before you start",
  phases: [
    {
      name: "Testers",
      timeIntervalMs: 24 * hour,
      requiredReview: true,
      rules: [{ name: "Testers", conditions: [{ type: "passes_segment", targetValue: testers }] }],
    },
    {
      name: "Everyone",
      timeIntervalMs: hour,
      requiredReview: false,
      rules: [{ name: "Everyone", conditions: [{ type: "public" }] }],
    },
  ],
});

// Changes of its rules go through the pipeline.
const search = new fc.Gate("new_search", {
  description: "Search with suggestions",
  releasePipelineID: pipeline.id,
  rules: [
    { name: "Testers", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: testers }] },
  ],
});

const limits = new fc.DynamicConfig("search_limits", {
  description: "Limits of the search",
  defaultValue: { mostResults: 50 },
});

const layer = new fc.Layer("search layer", {
  idType: "userID",
  parameters: [{ name: "sortBy", type: "string", defaultValue: "price" }],
});

// Two in a hundred users keep the old search, whatever else happens.
const holdout = new fc.Holdout("Search holdout", {
  description: "What is all the new search worth?",
  passPercentage: 2,
  gateIDs: [search.id],
  layerIDs: [layer.id],
});

// The people who test it are never among them.
new fc.HoldoutOverrides("Search holdout", { holdout, failingUserIDs: ["user-1", "user-2"] });

// What code asks for, apart from where the answer comes from.
const parameters = new fc.ParamStore("search", {
  displayName: "Search",
  description: "Everything that the search page asks for",
  parameters: [
    { name: "placeholder", refType: "static", paramType: "string", value: "What are you looking for?" },
    {
      name: "suggestions",
      refType: "gate",
      paramType: "boolean",
      gateName: search.id,
      passValue: true,
      failValue: false,
    },
    {
      name: "mostResults",
      refType: "dynamic_config",
      paramType: "number",
      configName: limits.id,
      paramName: "mostResults",
    },
    { name: "sortBy", refType: "layer", paramType: "string", layerName: layer.id, paramName: "sortBy" },
  ],
});

export const pipelineId = pipeline.id;
export const holdoutId = holdout.id;
export const storeId = parameters.id;
