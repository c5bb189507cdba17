import { fieldsWith, type Problem, type ResourceDefinition } from "../schema/define";
import type { JsonObject } from "../schema/json";
import { programId } from "../schema/object-id";
import { UNKNOWN } from "../schema/unknown";
import { listText } from "../texts/count-text";
import { quote } from "../texts/issue-text";
import { isNothing } from "../values/compare";

/**
 * Demands of a project's settings on the new objects of the same program, in any order of their checks. The console would
 * refuse those objects in the middle of an update.
 */
export class DeclaredDemands {
  /** By kind, the title of the settings. */
  readonly #demanding = new Map<string, string>();
  readonly #teamless = new Map<string, Set<string>>();

  /** Notes what a resource demands, by its arguments in canonical form. @returns what it cannot demand beside the others. */
  resource({ fields, title }: ResourceDefinition, args: JsonObject): Problem[] {
    return Object.entries(fields).flatMap(([name, { traits }]) => {
      const kinds = args[name] === true ? (traits.demandsTeamOf ?? []) : [];
      for (const kind of kinds) this.#demanding.set(kind, title);
      const teamless = kinds.flatMap((kind) => [...(this.#teamless.get(kind) ?? [])]);
      if (teamless.length === 0) return [];
      const message = `demands a team of new objects, and this program gives none to ${listText(teamless)}: set the team of each, or set this in a later up`;
      return [{ path: [name], message }];
    });
  }

  /** Notes a resource whose object is made anew. @returns what it lacks beside the others. */
  newObject(definition: ResourceDefinition, args: JsonObject): Problem[] {
    const { name: kind, title } = definition;
    const teams = fieldsWith(definition, ({ traits }) => /^team/.test(traits.owner ?? ""));
    const [team] = teams;
    if (team === undefined || teams.some((name) => !isNothing(args[name]))) return [];
    const called = programId(definition, args);
    const object = called === UNKNOWN ? `a ${title}` : `${title} ${quote(String(called))}`;
    this.#teamless.set(kind, (this.#teamless.get(kind) ?? new Set()).add(object));
    const demanding = this.#demanding.get(kind);
    if (demanding === undefined) return [];
    return [
      { path: [team], message: `is needed: the ${demanding} of this program demand one of new objects` },
    ];
  }
}
