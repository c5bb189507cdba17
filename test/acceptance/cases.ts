import type { JsonObject } from "../../src/provider/schema/json";
import type { ToolKind } from "./tools";

/** What such a tool declares of an object, and what a read shows otherwise for a reason that the pages give. */
export interface Case {
  readonly kind: ToolKind;
  readonly what: string;
  readonly body: JsonObject;
  /** What it is made with instead, before it becomes what it is to be. */
  readonly made?: JsonObject;
  /** True where nothing can be sent once it is what it is to be. */
  readonly isFinal?: true;
  /** Member -> what is read for it. */
  readonly reads?: JsonObject;
}

type Bodies = Readonly<Record<string, JsonObject | readonly [body: JsonObject, reads: JsonObject]>>;

export function casesOf(kind: ToolKind, bodies: Bodies): Case[] {
  return Object.entries(bodies).map(([what, said]) => {
    const isPair = (value: typeof said): value is readonly [JsonObject, JsonObject] => Array.isArray(value);
    return isPair(said) ? { kind, what, body: said[0], reads: said[1] } : { kind, what, body: said };
  });
}

/** Cases of a kind whose objects have names: of an object without id and name the name is what the case is about. */
export function namedCases(kind: ToolKind, bodies: Bodies): Case[] {
  return casesOf(kind, bodies).map((one) => {
    const isNamed = "name" in one.body || "id" in one.body;
    return isNamed ? one : { ...one, body: { name: one.what, ...one.body } };
  });
}

/** A body by each way to name a team. */
export const ofTeams = (body: JsonObject = {}): Record<string, JsonObject> => ({
  "a team by its id": { ...body, teamID: "team-1" },
  "a team by its name": { ...body, team: "Shop" },
});

/** `gate: every argument`. */
export function nameOf({ kind, what }: Case): string {
  return `${kind}: ${what}`;
}
