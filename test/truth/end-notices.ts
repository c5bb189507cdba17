import { removalOf } from "../../scripts/generate/classes";
import { managed } from "../../src/provider/definitions";
import type * as Gone from "../../src/provider/pulumi/previews/gone-resources";
import type { LiveObject, RemovalFacts } from "../../src/provider/pulumi/previews/gone-resources";
import type * as Notices from "../../src/provider/pulumi/previews/preview-notice";
import type * as Takers from "../../src/provider/pulumi/previews/takers";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Held } from "../world/programs";
import type { Run } from "../world/steps";

/** Kinds by the type that the model's URNs have. */
const kinds: ReadonlyMap<string, RemovalFacts> = new Map(
  Object.entries(managed as unknown as Readonly<Record<string, ResourceDefinition>>).map(
    ([name, definition]) => [
      typeIn(`::::pulumi-nodejs:dynamic/feature-console:${name}::`),
      { name, ...removalOf(definition), naming: definition.identity },
    ],
  ),
);

/** The code of notices. */
export type NoticeCode = Pick<typeof Notices, "noticesOf"> &
  Pick<typeof Gone, "goneResources"> &
  Pick<typeof Takers, "takersOf">;

/** What notices are made from, beside the program. */
export interface Surroundings {
  readonly state: readonly Held[];
  readonly live: readonly LiveObject[];
  /** Folder of the project. */
  readonly folder: string;
}

/** What a program says at the end of a preview about what it does not have any more. */
export async function endNotices(
  { noticesOf, goneResources, takersOf }: NoticeCode,
  { steps }: Run,
  { state, live, folder }: Surroundings,
): Promise<string[]> {
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
  const facts = { declared, state: stored, kinds, remote: new Set<string>(), live };
  return noticesOf({ ...facts, takers: await takersOf(goneResources(facts), folder) });
}

function named(urn: string, id: string | undefined): JsonObject {
  const [identity] = kinds.get(typeIn(urn))?.identity ?? [];
  return identity === undefined || id === undefined ? {} : { [identity]: id };
}

function typeIn(urn: string): string {
  return urn.split("::")[2] ?? "";
}
