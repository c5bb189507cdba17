import { firstEnvironments } from "../../../provider/definitions/environments";
import { catalog } from "../../../provider/definitions/index";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import type { World } from "../../store/store";
import type { Call } from "../behaviour";
import { invalidMember } from "./outcomes";

/** Kinds whose new objects count by the unit of the project's settings (console-api/corrections-2.md, section 3). */
const countUnits: readonly string[] = [catalog.gate.name, catalog.experiment.name];

/** By kind and member of the new object: the member of the team that fills it. */
const teamDefaults: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [catalog.gate.name]: { targetApps: "defaultTargetApplications", monitoringMetrics: "defaultGateMetrics" },
  [catalog.dynamicConfig.name]: { targetApps: "defaultTargetApplications" },
  [catalog.experiment.name]: {
    targetApps: "defaultTargetApplications",
    primaryMetrics: "defaultExperimentPrimaryMetrics",
    secondaryMetrics: "defaultExperimentSecondaryMetrics",
  },
  [catalog.holdout.name]: { monitoringMetrics: "defaultHoldoutMetrics" },
};

/** Members that the settings of the project and the team fill where the body of a create leaves them out. */
export function projectDefaults({ behaviour, world }: Call, sent: JsonObject): JsonObject {
  const { name } = behaviour.definition;
  const unit = settings(world, catalog.projectSettings.name)?.default_unit_type;
  const units = countUnits.includes(name) && typeof unit === "string" ? { idType: unit } : {};
  const team = teamOf(world, sent) ?? {};
  const ofTeam = Object.entries(teamDefaults[name] ?? {}).flatMap(([member, from]) => {
    const value = team[from];
    return Array.isArray(value) && value.length > 0 ? [[member, value] as const] : [];
  });
  return { ...units, ...Object.fromEntries(ofTeam) };
}

/** Refuses a new object without a team where the project demands one. The text is ours. */
export function refuseTeamless({ behaviour, world }: Call, sent: JsonObject): void {
  const isDemanded = settings(world, catalog.teamSettings.name)?.require_teams_on_configs === true;
  const { demandsTeamOf = [] } = catalog.teamSettings.fields.requireTeamsOnConfigs.traits;
  if (isDemanded && namedTeam(sent) === undefined && demandsTeamOf.includes(behaviour.definition.name))
    throw invalidMember("team", "This project requires a team");
}

/** Refuses an unknown team under the switch `unknownTeams`. The text is ours. */
export function refuseUnknownTeam({ world, switches }: Call, sent: JsonObject): void {
  const named = namedTeam(sent);
  if (switches.unknownTeams === "refuse" && named !== undefined && teamOf(world, sent) === undefined)
    throw invalidMember(sent.team === undefined ? "teamID" : "team", `Unknown team: ${named}`);
}

/** The holdout that the objects of a team begin in; undefined where there is none. */
export function holdoutOfTeam(world: World, item: JsonObject): JsonObject | undefined {
  const id = teamOf(world, item)?.defaultHoldoutID;
  return typeof id === "string" ? world.get(catalog.holdout.name, id) : undefined;
}

function namedTeam({ team, teamID }: JsonObject): string | undefined {
  return [team, teamID].find((named): named is string => typeof named === "string" && named !== "");
}

/** The team that an object names. */
export function teamOf(world: World, item: JsonObject): JsonObject | undefined {
  const named = namedTeam(item);
  if (named === undefined) return undefined;
  const member = named === item.team ? "name" : "id";
  return world.list(catalog.team.name, true).find((team) => team[member] === named);
}

function settings(world: World, kind: string): JsonObject | undefined {
  return world.list(kind, true)[0];
}

const collection = catalog.environments.name;
const id = catalog.environments.identity.id;

const ids = { production: "0.3562190486541", staging: "0.7418205519376", development: "0.1907736284015" };

/** The environments of a new project. Not published: the names that the samples of other kinds use (assumption). */
const first = firstEnvironments.map((name) => ({
  name,
  id: ids[name],
  ...{ isProduction: name === "production", requiresReview: name === "production" },
  requiresReleasePipeline: true,
}));

/** The environments of the one project. */
export function environmentsOf(world: World): JsonObject[] {
  const stored = world.get(collection, id)?.environments;
  return Array.isArray(stored) ? stored.filter(isObject) : first;
}

/** True where some environments are named, and all of them pass a test. */
export function areAll(
  world: World,
  names: readonly unknown[] | undefined,
  passes: (environment: JsonObject) => boolean,
): boolean {
  const passing = environmentsOf(world).filter(passes);
  const isPassing = (named: unknown) => passing.some(({ name }) => name === named);
  return names !== undefined && names.length > 0 && names.every(isPassing);
}

/** Replaces them all. */
export function keepEnvironments(world: World, environments: readonly JsonObject[]): void {
  world.put(collection, id, { environments });
}
