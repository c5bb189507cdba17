import { catalog } from "../../src/provider/definitions";
import * as actions from "../../src/provider/definitions/flags/actions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";

/** What programs say of a kind, and what people do to its objects. */
export interface KindPlay {
  readonly definition: ResourceDefinition;
  readonly base: JsonObject;
  /** Argument -> what may be said of it; undefined: nothing. */
  readonly choices: Readonly<Record<string, readonly unknown[]>>;
  /** How a person changes an object: a route, and bodies to choose from. */
  readonly edits: readonly { readonly route: string; readonly bodies: readonly JsonObject[] }[];
  /** Arguments that depend on what the others say. */
  readonly contents?: (args: JsonObject, number: number) => JsonObject;
  /** Argument that stands for an object of another kind by its id. */
  readonly about?: { readonly argument: string; readonly kind: string };
}

const texts = [undefined, "First", "Second"];
const byHand = { description: "By hand" };
const everyone = (passPercentage: number) => ({
  name: "All",
  passPercentage,
  conditions: [{ type: "public" }],
});
const mail = {
  name: "Mail",
  passPercentage: 25,
  conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
};
const onDelete = [undefined, undefined, undefined, undefined, "delete", "retain"];
const onDeleteForGood = [undefined, undefined, undefined, "retain"];
const names = [...Array.from({ length: 8 }, () => undefined), "Shown one", "Shown two"];
const by = (route: string, ...bodies: JsonObject[]) => ({ route, bodies });
const patch = (...bodies: JsonObject[]) => by("patch", ...bodies);
const bare = (...routes: string[]) => routes.map((route) => by(route, {}));
const mapping = [{ serviceUnitID: "userID", column: "user_id" }];
const source = { sql: "select 1", timestampColumn: "ts", idTypeMapping: mapping };
const sentAgain = by("update", { ...source, ...byHand });
const halves = (colour: string) => [
  { name: "Control", size: 50, parameterValues: { colour: "blue" } },
  { name: "Test", size: 50, parameterValues: { colour } },
];
const environment = (name: string, isProduction: boolean) => ({
  ...{ name, isProduction, requiresReview: false, requiresReleasePipeline: false },
});

const plays: Readonly<Record<string, Play>> = {
  gate: {
    base: {},
    choices: {
      name: names,
      description: texts,
      rules: [undefined, [], [everyone(10)], [everyone(60), mail]],
      isEnabled: [undefined, undefined, undefined, true, false],
      status: [undefined, undefined, undefined, undefined, "Launched", "Disabled", "In Progress", "Archived"],
      idType: [undefined, undefined, undefined, undefined, "stableID"],
      forceArchive: [undefined, undefined, undefined, undefined, undefined, true],
      onDelete,
    },
    edits: [
      patch(byHand, { rules: [everyone(90)] }, { isEnabled: false }),
      ...bare("enable", "disable", "launch", "archive", "archive", "unarchive", "unarchive"),
    ],
  },
  dynamicConfig: {
    base: {},
    choices: {
      name: names,
      description: texts,
      defaultValue: [undefined, { most: 1 }, { most: 2 }],
      rules: [undefined, [], [{ ...everyone(10), returnValue: { most: 3 } }]],
      isEnabled: [undefined, undefined, true, false],
      onDelete,
    },
    edits: [
      patch(byHand, { isEnabled: false }),
      ...bare("enable", "disable", "archive", "archive", "unarchive"),
    ],
  },
  segment: {
    base: {},
    choices: {
      type: ["rule_based", "rule_based", "id_list"],
      description: [undefined, undefined, "First"],
      onImmutableChange: [undefined, "replace"],
      onDelete: [undefined, undefined, undefined, "archive", "retain"],
    },
    contents: ({ type }, number) => {
      if (type === "id_list")
        return number % 3 === 0 ? {} : { ids: ["one", number % 2 === 0 ? "two" : "three"] };
      return number % 3 === 0 ? {} : { rules: [number % 2 === 0 ? mail : { ...mail, passPercentage: 30 }] };
    },
    edits: [by("setRules", [mail] as unknown as JsonObject), ...bare("archive")],
  },
  layer: described(
    { idType: "userID" },
    { parameters: [undefined, [{ name: "colour", type: "string", defaultValue: "blue" }]] },
  ),
  assignmentSource: described(
    { ...source, experimentIDColumn: "experiment", groupIDColumn: "grp" },
    { sql: ["select 1", "select 2"] },
  ),
  metricSource: described(source, { sql: ["select 1", "select 2"] }, [sentAgain]),
  metric: described(
    { type: "sum", unitTypes: ["userID"], metricEvents: [{ name: "purchase", type: "value" }] },
    { isVerified: [undefined, true, false] },
    [by("update", byHand)],
  ),
  alert: {
    base: { definitionMetricsJson: ['{"metric": "purchase::event_count"}'] },
    choices: { message: texts, alertThreshold: [undefined, 1, 2], onDelete: onDeleteForGood },
    edits: [patch({ message: "By hand" })],
  },
  holdout: described({}, { passPercentage: [undefined, 1, 2] }, [patch(byHand, { isEnabled: false })]),
  paramStore: described(
    { displayName: "Store", description: "First" },
    {
      description: ["First", "Second"],
      parameters: [undefined, [{ name: "title", refType: "static", paramType: "string", value: "one" }]],
    },
    [by("update", byHand)],
  ),
  releasePipeline: {
    base: {},
    choices: { triggerNotice: texts, onDelete: onDeleteForGood },
    edits: [by("update", { triggerNotice: "By hand" })],
  },
  tag: described(
    { description: "First" },
    { description: ["First", "Second"], isCore: [undefined, true, false] },
  ),
  targetApp: described({ description: "First" }, { description: ["First", "Second"] }),
  unitIdType: described({}),
  environments: onlyOne(
    {
      environments: [
        [environment("production", true), environment("staging", false)],
        [environment("production", true), environment("development", false)],
      ],
    },
    { environments: [environment("production", true)] },
  ),
  experiment: {
    base: { groups: halves("green") },
    choices: {
      name: names,
      description: texts,
      groups: [halves("green"), halves("green"), halves("red")],
      status: [undefined, undefined, undefined, "setup", "active"],
      onDelete,
    },
    edits: [patch(byHand), ...bare("start", "archive", "unarchive")],
  },
  team: described(
    {},
    {
      members: [undefined, ["ada@example.com"], ["Ada@example.com", "eve@example.com"]],
      requireReviews: [undefined, true],
    },
    [patch(byHand, { members: ["mallory@example.com"] }, { requireReviews: false })],
  ),
  role: {
    base: {},
    choices: {
      permissions: [{ create_configs: true }, { create_configs: false, approve_reviews: true }],
      onDelete: onDeleteForGood,
    },
    edits: [patch({ permissions: { create_configs: true, local_metrics: true } })],
  },
  projectSettings: onlyOne(
    { visibility: ["OPEN", "CLOSED"], defaultUnitType: [undefined, "stableID"] },
    { name: "By hand", visibility: "EXTERNAL" },
  ),
  reviewSettings: onlyOne(
    { isMetricReviewRequired: [undefined, true, false] },
    {
      ...{ is_config_review_required: true, is_metric_review_required: true },
      is_metric_review_required_on_verified_only: true,
    },
  ),
  roleSettings: onlyOne({ defaultProjectRole: ["Member", "Admin"] }, { default_project_role: "By hand" }),
  teamSettings: onlyOne({ requireTeamsOnConfigs: [true, false] }, { require_teams_on_configs: true }),
  entityProperty: described({ sql: "select 1", idTypeMapping: mapping }, { sql: ["select 1", "select 2"] }),
  qualifyingEvent: described(source, {}, [sentAgain]),
  autotune: described(
    {
      variants: [
        { name: "Blue", json: {} },
        { name: "Red", json: { red: true } },
      ],
      ...{ successEvent: "purchase", explorationWindow: "24", attributionWindow: "1" },
      winnerThreshold: "95%",
    },
    { isStarted: [undefined, undefined, true] },
    [patch(byHand), ...bare("start", "reset")],
  ),
  prompt: {
    base: {},
    choices: { description: texts, content: [undefined, { name: "First" }, { name: "Second" }] },
    edits: [patch(byHand)],
  },
  gateLaunch: { base: {}, choices: {}, edits: [], about: { argument: "gate", kind: "gate" } },
  releaseApproval: released("phaseID"),
  releaseSkip: released("phaseID"),
  releaseRollout: released(),
  releaseAbort: released(),
};

type Play = Omit<KindPlay, "definition">;

/** A kind whose objects have a description, and go for good. */
function described(
  base: JsonObject,
  choices: Play["choices"] = {},
  edits: Play["edits"] = [patch(byHand)],
): Play {
  return { base, choices: { description: texts, ...choices, onDelete: onDeleteForGood }, edits };
}

/** What every project has exactly one of, and what a person makes of it. */
function onlyOne(choices: Play["choices"], byHand: JsonObject): Play {
  return { base: {}, choices, edits: [by("replace", byHand)] };
}

/** An action on the release that is under way from the start; `$release` and `$phase` stand for it and its phase. */
function released(...phase: string[]): Play {
  const base = { trigger: "$release", ...Object.fromEntries(phase.map((name) => [name, "$phase"])) };
  return { base, choices: {}, edits: [] };
}

/**
 * What a secret leads to has another name for each who looks: of keys, test/engine/keys.test.ts tells. What has no id in the
 * console, or no read, is found nowhere in it by one: test/engine/prompts-and-warehouse.test.ts tells of those.
 */
const { key: _key, ingestion: _ingestion, ingestionSchedule: _schedule, ...others } = catalog;
const { warehouseConnection: _connection, ...named } = others;

/**
 * Every managed kind but these, and parts of objects, of which test/engine/id-lists.test.ts tells. One that has no play is a
 * mistake.
 */
export const kinds: Readonly<Record<string, KindPlay>> = Object.fromEntries(
  Object.entries<ResourceDefinition>({ ...named, ...actions }).map(([name, definition]) => {
    const play = plays[name];
    if (play === undefined) throw new Error(`test/world/kinds.ts does not say how to play ${name}`);
    return [name, { definition, ...play }];
  }),
);

/** True for an action, which makes no object of its own. */
export function isAction({ definition }: KindPlay): boolean {
  return definition.lifecycle.create.how === "run";
}

/** True for what every project has exactly one of. */
export function isOnlyOne({ definition }: KindPlay): boolean {
  return definition.lifecycle.create.how === "claim";
}
