import type * as Gone from "../../src/provider/pulumi/previews/gone-resources";
import type * as Notices from "../../src/provider/pulumi/previews/preview-notice";
import type * as Removals from "../../src/provider/pulumi/previews/removals";
import type * as Kinds from "../../src/provider/pulumi/runs/kind-of-type";
import { typePrefix } from "../../src/provider/pulumi/stored-names";
import type { JsonObject } from "../../src/provider/schema/json";
import { programIdArgument } from "../../src/provider/schema/object-id";
import { typeInUrn } from "../../src/tools/stack/stack";
import type { Held } from "../world/programs";
import type { Run } from "../world/steps";

export type NoticeCode = Pick<typeof Notices, "noticesOf"> &
  Pick<typeof Gone, "goneResources"> &
  Pick<typeof Removals, "takersOf"> &
  Pick<typeof Kinds, "kindOfType">;

/** An object that the console lists. `kind`: PascalCase. */
export interface LiveObject {
  readonly kind: string;
  readonly id: string;
  readonly values: JsonObject;
}

/** What notices are made from, beside the program. */
export interface Surroundings {
  readonly state: readonly Held[];
  readonly live: readonly LiveObject[];
  readonly folder: string;
  readonly now: () => number;
}

/** What a program says at the end of a preview about what it does not have any more. */
export async function endNotices(
  { noticesOf, goneResources, takersOf, kindOfType }: NoticeCode,
  { steps }: Run,
  { state, live, folder, now }: Surroundings,
): Promise<string[]> {
  const named = (urn: string, id: string | undefined): JsonObject => {
    const definition = kindOfType(typeInUrn(urn));
    const argument = definition === undefined ? undefined : programIdArgument(definition);
    return argument === undefined || id === undefined ? {} : { [argument]: id };
  };
  const listed = live.flatMap(({ kind, ...one }) => {
    const definition = kindOfType(typePrefix + kind);
    return definition === undefined ? [] : { definition, ...one };
  });
  const held = new Map(state.map((one) => [one.urn, one]));
  const declared = steps
    .filter(({ op }) => op !== "delete")
    .map(({ urn, inputs = {} }) => {
      const { id, outputs = {} } = held.get(urn) ?? {};
      const stored = held.has(urn);
      return {
        ...{ urn, type: typeInUrn(urn), isStored: stored, isRead: false, takesOver: inputs.adopt === true },
        ...{ aliases: [], outputs: { ...outputs, ...inputs, ...named(urn, id) } },
      };
    });
  const stored = new Map(
    state.map(({ urn, id, outputs }) => [
      urn,
      { type: typeInUrn(urn), outputs: { ...outputs, ...named(urn, id) } },
    ]),
  );
  const endOptions = new Map(
    state.flatMap(({ urn, retainOnDelete }) =>
      retainOnDelete ? [[urn, { isRetained: retainOnDelete }] as const] : [],
    ),
  );
  const facts = { declared, state: stored, remote: new Set<string>(), live: listed, endOptions };
  const gone = goneResources(facts);
  const isThere = ({ definition, id, values }: (typeof listed)[number], urn: string) =>
    definition.name === kindOfType(typeInUrn(urn))?.name &&
    id === held.get(urn)?.id &&
    ![values.status, values.isArchived].includes("Archived");
  const absent = new Set(gone.flatMap(({ urn }) => (listed.some((one) => isThere(one, urn)) ? [] : [urn])));
  return noticesOf({ ...facts, absent, takers: await takersOf(gone, { home: folder, now }) });
}
