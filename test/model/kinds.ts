import { catalog } from "../../src/provider/definitions";
import * as actions from "../../src/provider/definitions/flags/actions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";

/** What programs say of a kind, and what people do to its objects. */
export interface KindPlay {
  readonly definition: ResourceDefinition;
  /** Arguments that are always said. */
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
const patch = (...bodies: JsonObject[]) => ({ route: "patch", bodies });
const bare = (...routes: string[]) => routes.map((route) => ({ route, bodies: [{}] }));
const mapping = [{ serviceUnitID: "userID", column: "user_id" }];
const source = { sql: "select 1", timestampColumn: "ts", idTypeMapping: mapping };
const halves = (colour: string) => [
  { name: "Control", size: 50, parameterValues: { colour: "blue" } },
  { name: "Test", size: 50, parameterValues: { colour } },
];
const environment = (name: string, isProduction: boolean) => ({
  ...{ name, isProduction, requiresReview: false, requiresReleasePipeline: false },
});

const plays: Readonly<Record<string, Omit<KindPlay, "definition">>> = {
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
    edits: [{ route: "setRules", bodies: [[mail] as unknown as JsonObject] }, ...bare("archive")],
  },
  layer: {
    base: { idType: "userID" },
    choices: {
      description: texts,
      parameters: [undefined, [{ name: "colour", type: "string", defaultValue: "blue" }]],
      onDelete: onDeleteForGood,
    },
    edits: [patch(byHand)],
  },
  assignmentSource: {
    base: {
      ...{ sql: "select 1", timestampColumn: "ts", idTypeMapping: mapping },
      ...{ experimentIDColumn: "experiment", groupIDColumn: "grp" },
    },
    choices: { description: texts, sql: ["select 1", "select 2"], onDelete: onDeleteForGood },
    edits: [patch(byHand)],
  },
  metricSource: {
    base: source,
    choices: { description: texts, sql: ["select 1", "select 2"], onDelete: onDeleteForGood },
    edits: [{ route: "update", bodies: [{ ...source, ...byHand }] }],
  },
  metric: {
    base: { type: "sum", unitTypes: ["userID"], metricEvents: [{ name: "purchase", type: "value" }] },
    choices: { description: texts, isVerified: [undefined, true, false], onDelete: onDeleteForGood },
    edits: [{ route: "update", bodies: [byHand] }],
  },
  alert: {
    base: { definitionMetricsJson: ['{"metric": "purchase::event_count"}'] },
    choices: { message: texts, alertThreshold: [undefined, 1, 2], onDelete: onDeleteForGood },
    edits: [patch({ message: "By hand" })],
  },
  holdout: {
    base: {},
    choices: { description: texts, passPercentage: [undefined, 1, 2], onDelete: onDeleteForGood },
    edits: [patch(byHand, { isEnabled: false })],
  },
  paramStore: {
    base: { displayName: "Store", description: "First" },
    choices: {
      description: ["First", "Second"],
      parameters: [undefined, [{ name: "title", refType: "static", paramType: "string", value: "one" }]],
      onDelete: onDeleteForGood,
    },
    edits: [{ route: "update", bodies: [byHand] }],
  },
  releasePipeline: {
    base: {},
    choices: { triggerNotice: texts, onDelete: onDeleteForGood },
    edits: [{ route: "update", bodies: [{ triggerNotice: "By hand" }] }],
  },
  tag: {
    base: { description: "First" },
    choices: {
      description: ["First", "Second"],
      isCore: [undefined, true, false],
      onDelete: onDeleteForGood,
    },
    edits: [patch(byHand)],
  },
  targetApp: {
    base: { description: "First" },
    choices: { description: ["First", "Second"], onDelete: onDeleteForGood },
    edits: [patch(byHand)],
  },
  unitIdType: {
    base: {},
    choices: { description: texts, onDelete: onDeleteForGood },
    edits: [patch(byHand)],
  },
  environments: {
    base: {},
    choices: {
      environments: [
        [environment("production", true), environment("staging", false)],
        [environment("production", true), environment("development", false)],
      ],
    },
    edits: [{ route: "replace", bodies: [{ environments: [environment("production", true)] }] }],
  },
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
  team: {
    base: {},
    choices: {
      description: texts,
      members: [undefined, ["ada@example.com"], ["Ada@example.com", "eve@example.com"]],
      requireReviews: [undefined, true],
      onDelete: onDeleteForGood,
    },
    edits: [patch(byHand, { members: ["mallory@example.com"] }, { requireReviews: false })],
  },
  role: {
    base: {},
    choices: {
      permissions: [{ create_configs: true }, { create_configs: false, approve_reviews: true }],
      onDelete: onDeleteForGood,
    },
    edits: [patch({ permissions: { create_configs: true, local_metrics: true } })],
  },
  projectSettings: {
    base: {},
    choices: { visibility: ["OPEN", "CLOSED"], defaultUnitType: [undefined, "stableID"] },
    edits: [{ route: "replace", bodies: [{ name: "By hand", visibility: "EXTERNAL" }] }],
  },
  reviewSettings: {
    base: {},
    choices: { isMetricReviewRequired: [undefined, true, false] },
    edits: [
      {
        route: "replace",
        bodies: [
          {
            is_config_review_required: true,
            is_metric_review_required: true,
            is_metric_review_required_on_verified_only: true,
          },
        ],
      },
    ],
  },
  roleSettings: {
    base: {},
    choices: { defaultProjectRole: ["Member", "Admin"] },
    edits: [{ route: "replace", bodies: [{ default_project_role: "By hand" }] }],
  },
  teamSettings: {
    base: {},
    choices: { requireTeamsOnConfigs: [true, false] },
    edits: [{ route: "replace", bodies: [{ require_teams_on_configs: true }] }],
  },
  entityProperty: {
    base: { sql: "select 1", idTypeMapping: mapping },
    choices: { description: texts, sql: ["select 1", "select 2"], onDelete: onDeleteForGood },
    edits: [patch(byHand)],
  },
  qualifyingEvent: {
    base: source,
    choices: { description: texts, onDelete: onDeleteForGood },
    edits: [{ route: "update", bodies: [{ ...source, ...byHand }] }],
  },
  autotune: {
    base: {
      variants: [
        { name: "Blue", json: {} },
        { name: "Red", json: { red: true } },
      ],
      ...{
        successEvent: "purchase",
        explorationWindow: "24",
        attributionWindow: "1",
        winnerThreshold: "95%",
      },
    },
    choices: {
      description: texts,
      isStarted: [undefined, undefined, true],
      onDelete: onDeleteForGood,
    },
    edits: [patch(byHand), ...bare("start", "reset")],
  },
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

/** An action on the release that is under way from the start; `$release` and `$phase` stand for it and its phase. */
function released(...phase: string[]): Omit<KindPlay, "definition"> {
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
    if (play === undefined) throw new Error(`test/model/kinds.ts does not say how to play ${name}`);
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
