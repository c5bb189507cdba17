import { removalOf } from "../../scripts/generate/classes";
import { managed } from "../../src/catalog";
import type { ResourceDefinition } from "../../src/core/define";
import type { JsonObject } from "../../src/core/json";
import type { LiveObject, RemovalFacts } from "../../src/pulumi/gone-resources";
import type * as Notices from "../../src/pulumi/preview-notice";
import type { Held } from "../model/program";
import type { Run } from "../model/steps";

/** Kinds by the type that the model's URNs have. */
const kinds: ReadonlyMap<string, RemovalFacts> = new Map(
  Object.entries(managed as unknown as Readonly<Record<string, ResourceDefinition>>).map(
    ([name, definition]) => [
      typeIn(`::::pulumi-nodejs:dynamic/feature-console:${name}::`),
      { name, ...removalOf(definition), naming: definition.identity },
    ],
  ),
);

/** What a program says at the end of a preview about what it does not have any more. */
export function endNotices(
  noticesOf: typeof Notices.noticesOf,
  state: readonly Held[],
  { steps }: Run,
  live: readonly LiveObject[],
): string[] {
  const held = new Map(state.map((one) => [one.urn, one]));
  const declared = steps
    .filter(({ op }) => op !== "delete")
    .map(({ urn, inputs = {} }) => {
      const { id, outputs = {} } = held.get(urn) ?? {};
      const stored = held.has(urn);
      return {
        ...{ urn, type: typeIn(urn), isStored: stored, isRead: false, takesOver: inputs.adopt === true },
        ...{ aliases: [], outputs: { ...outputs, ...inputs, ...named(urn, id) } },
      };
    });
  const stored = new Map(
    state.map(({ urn, id, outputs }) => [
      urn,
      { type: typeIn(urn), outputs: { ...outputs, ...named(urn, id) } },
    ]),
  );
  return noticesOf({ declared, state: stored, kinds, remote: new Set(), live });
}

function named(urn: string, id: string | undefined): JsonObject {
  const [identity] = kinds.get(typeIn(urn))?.identity ?? [];
  return identity === undefined || id === undefined ? {} : { [identity]: id };
}

function typeIn(urn: string): string {
  return urn.split("::")[2] ?? "";
}
