import type { JsonObject } from "../../../src/provider/schema/json";
import { type History, idOf, type Surroundings } from "./history";
import { keysOf } from "./names";
import { rulesOf, textAt } from "./rules";
import { awkwardNames, awkwardTexts, awkwardValues } from "./texts";

/** As many names as wanted: first the awkward ones. */
export const namesOf = (count: number, word: string): string[] =>
  Array.from({ length: count }, (_, at) => awkwardNames[at] ?? `${word} ${at}`);

/** What objects of other kinds name: unit id types, environments, tags, apps, teams, roles, pipelines. */
export function addFurniture(history: History, around: Surroundings, roles: number): void {
  const { names } = around;
  for (const [at, name] of names.unitIdType.entries())
    history.make("unitIdType", "/unit_id_types", { name, description: textAt(at) ?? "" });
  for (const [at, name] of names.tag.entries())
    history.make("tag", "/tags", {
      name,
      description: textAt(at) ?? "",
      ...(at % 6 === 1 ? { isCore: true } : {}),
    });
  for (const [at, name] of names.targetApp.entries())
    history.make("targetApp", "/target_app", { name, description: textAt(at) ?? "" }, `targetApp ${name}`);
  for (const [at, name] of names.team.entries()) addTeam(history, around, name, at);
  for (const [at, name] of namesOf(roles, "role").entries())
    history.make("role", "/roles", {
      ...{
        name,
        permissions: {
          create_configs: at % 2 === 0,
          self_approve_review: false,
          ...(at === 1 ? { fly_: true } : {}),
        },
      },
    });
  for (const [at, name] of names.releasePipeline.entries()) addPipeline(history, around, name, at);
}

export function addPrompts(history: History, { names }: Surroundings, count: number): void {
  for (const [at, name] of keysOf(history.dice, count, { of: "spaced" }).entries())
    history.make("prompt", "/prompts", {
      ...{ name, description: textAt(at) ?? "", tags: history.some(names.tag, 2) },
      targetApps: history.some(names.targetApp, 1),
    });
}

function addTeam(history: History, around: Surroundings, name: string, at: number): void {
  history.make(
    "team",
    "/users/teams",
    {
      ...{ name, description: textAt(at) ?? "", members: ["b@example.com", "A@example.com"].slice(at % 3) },
      ...{
        admins: at % 2 === 0 ? ["a@example.com"] : [],
        defaultHoldoutMetrics: [],
        defaultGateMetrics: history.some(around.metrics, 2),
      },
      ...{
        defaultExperimentPrimaryMetrics: [],
        defaultExperimentSecondaryMetrics: history.some(around.metrics, 2),
      },
      defaultTargetApplications: history.some(around.names.targetApp, 2),
      ...{
        changeTeamConfigs: at % 2 === 0 ? "anyone" : "team_only",
        reviewApproval: at % 3 === 1 ? "admin_only" : "anyone",
      },
      ...(at % 3 === 2 ? { requireReviews: null, requireGateTemplates: false } : {}),
    },
    `team ${name}`,
  );
}

function addPipeline(history: History, around: Surroundings, name: string, at: number): void {
  const phase = (nth: number): JsonObject => ({
    ...{
      name: `${awkwardNames[(at + nth) % awkwardNames.length]} ${nth}`,
      timeIntervalMs: nth * 3_600_000,
      requiredReview: nth === 1,
    },
    rules: rulesOf(history, around, { gates: [], segments: around.keys.segment }, at + nth, "gate").map(
      ({ passPercentage: _, ...rule }) => rule,
    ),
  });
  const body = {
    ...{ name, phases: Array.from({ length: at % 4 }, (_, nth) => phase(nth)) },
    ...(at % 2 === 1 ? { triggerNotice: awkwardTexts[at % awkwardTexts.length] } : {}),
  };
  history.make("releasePipeline", "/release_pipelines", body, `releasePipeline ${name}`);
}

/** Param stores, whose parameters come from gates, layers, configs and experiments. */
export function addStores(history: History, around: Surroundings, count: number): void {
  const { dice } = history;
  for (const [at, name] of namesOf(count, "store").entries()) {
    history.make("paramStore", "/param_stores", {
      ...{ name, displayName: awkwardTexts[at % awkwardTexts.length], description: textAt(at) ?? "" },
      ...(at % 3 === 1 ? { tags: history.some(around.names.tag, 2) } : {}),
      ...(at % 4 === 2 ? { targetAppIDs: [idOf(`targetApp ${dice.one(around.names.targetApp)}`)] } : {}),
      ...(at % 5 === 3 ? { team: dice.one(around.names.team) } : {}),
    });
    const fixed = (nameOf: string, param_type: string, value: unknown): JsonObject => ({
      ...{ name: nameOf, ref_type: "static", param_type, value },
    });
    const parameters = [
      fixed("te`xt", "string", awkwardTexts[(at + 3) % awkwardTexts.length]),
      fixed("default", "object", awkwardValues[at % awkwardValues.length]),
      fixed("list", "array", [null, 1, "two"]),
      gateParameter(dice.one(around.keys.gate)),
      {
        name: "l",
        ref_type: "layer",
        param_type: "string",
        layer_name: idOf(`layer ${dice.one(around.names.layer)}`),
        param_name: "title",
      },
      {
        name: "c",
        ref_type: "dynamic_config",
        param_type: "number",
        config_name: dice.one(around.keys.dynamicConfig),
        param_name: "a",
      },
      {
        name: "e",
        ref_type: "experiment",
        param_type: "boolean",
        experiment_name: dice.one(around.keys.experiment),
        param_name: "b",
      },
    ];
    if (at % 4 !== 3) history.send("POST", `/param_stores/${encodeURIComponent(name)}`, { parameters });
  }
}

const gateParameter = (gate: string): JsonObject => ({
  name: "g",
  ref_type: "gate",
  param_type: "string",
  gate_name: gate,
  pass_value: `new \`\${x}\``,
  fail_value: "",
});

/** The settings of the project, and keys. */
export function addSettings(history: History, around: Surroundings, keys: number): void {
  const flags = { isProduction: false, requiresReview: false, requiresReleasePipeline: false };
  history.make("environments", "/environments", {
    environments: around.environments.map((name, at) => ({
      ...{ name, ...flags, isProduction: at === 0, requiresReleasePipeline: at === 3 },
    })),
  });
  history.make("projectSettings", "/settings/project", {
    ...{ name: `The \`shop\` "project" \${x}`, visibility: "CLOSED", default_unit_type: "userID" },
  });
  history.make("reviewSettings", "/settings/reviews", {
    ...{ is_config_review_required: false, is_metric_review_required: true },
    is_metric_review_required_on_verified_only: true,
  });
  history.make("roleSettings", "/settings/roles", { default_project_role: "Member" });
  history.make("teamSettings", "/settings/teams", { require_teams_on_configs: false });
  for (let at = 0; at < keys; at += 1)
    history.make("key", "/keys", {
      ...{
        description: `${awkwardTexts[at % awkwardTexts.length]?.slice(0, 80)} ${at}`,
        type: at % 2 === 0 ? "SERVER" : "CLIENT",
      },
      ...(at % 2 === 0 ? { environments: ["staging"] } : { scopes: ["client_download_config_specs"] }),
    });
}
