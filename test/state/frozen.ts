import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Seed } from "../../src/emulator";
import { catalog, parts } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";

/** A resource as the state of a user holds it: one line of `v1.jsonl` or `v2.jsonl`. */
export interface Frozen {
  /** Begins with the name of the kind: `gate-imported`. */
  readonly name: string;
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** What was in the console beside the object. */
  readonly beside?: Seed;
}

/** The states of a version; none of one that has no file yet. */
export function frozenStates(version: string): readonly Frozen[] {
  const file = path.join(__dirname, `${version}.jsonl`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Frozen);
}

/** Ids that the segment with ids is made of. */
export const frozenIds: readonly string[] = ["user_1", "user_2", "user_3"];

/** The project of the console in which states are made, and of the one that has them later. */
export const frozenProject = "emulated_frozen";

/** Every kind that has states. */
export const kinds: readonly ResourceDefinition[] = Object.values<ResourceDefinition>({
  ...catalog,
  ...parts,
});

/** True for a part of an object of another kind: it is there as long as that one. */
export function isPart({ lifecycle: { create } }: ResourceDefinition): boolean {
  return create.how === "send" && create.fills === true;
}

/** `dynamic-config`. */
export function nounOf({ name }: ResourceDefinition): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The name by which a seed knows the objects of a kind. */
export function listOf(definition: ResourceDefinition): string {
  const parts = definition.routes.list?.path.split("/").filter((part) => part !== "list");
  const name = parts?.at(-1) ?? definition.name;
  return name.endsWith("s") ? name : `${name}s`;
}
