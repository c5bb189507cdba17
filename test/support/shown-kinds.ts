import { catalog, type KindName } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";

/** Kinds whose objects a console shows to a reader who knows no object: by a list, or because a project has one. */
export const shownKinds: readonly KindName[] = (Object.keys(catalog) as KindName[]).filter((kind) => {
  const { identity, lifecycle }: ResourceDefinition = catalog[kind];
  return identity.how !== "address" && lifecycle.read.how !== "remember";
});
