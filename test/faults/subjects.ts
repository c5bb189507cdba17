import type { ConsoleClient } from "../../src/provider/client";
import { managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectedId, programIdArgument } from "../../src/provider/schema/object-id";
import { samplesOf } from "../samples";
import { openReview, reviewedKinds } from "../support/open-review";
import { startRelease } from "../support/release";

/** A verb of the matrix. `purge` is a delete for ever where the default is to archive; random answers meet lookups too. */
export type Verb = "create" | "read" | "update" | "delete" | "purge" | "look up";

/** What a verb starts from and leads to: the arguments of each resource of the program. */
export interface Scene {
  readonly before: readonly JsonObject[];
  readonly after: readonly JsonObject[];
}

/** A kind in the matrix. */
export interface FaultSubject {
  readonly kind: string;
  readonly definition: ResourceDefinition;
  /** True where the key of the stack, and another one, belong to persons. */
  readonly byPersons?: true;
  /** Makes what the program refers to, and returns the arguments that depend on it. `other`: by the key of another person. */
  readonly prepare: (raw: ConsoleClient, other: ConsoleClient) => Promise<JsonObject>;
  /** `beside`: what preparing returned. Absent: the kind has no such verb. */
  readonly scenes: Partial<Record<Verb, (beside: JsonObject) => Scene>>;
}

/** Every managed kind, then the actions. */
export const subjects: readonly FaultSubject[] = Object.values(
  managed as Record<string, ResourceDefinition>,
).map((definition) =>
  definition.lifecycle.create.how === "run" ? actionOf(definition) : objectOf(definition),
);

function objectOf(definition: ResourceDefinition): FaultSubject {
  const { smallest, fullest } = samplesOf(definition);
  const { create, delete: removal } = definition.lifecycle;
  const id = expectedId(definition, smallest);
  const isOnlyOne = create.how === "claim" || (id !== undefined && id === expectedId(definition, fullest));
  const archives = removal.onDeleteDefault === "archive" && removal.remove !== undefined;
  const forEver = { ...fullest, onDelete: "delete" };
  return {
    kind: definition.kind,
    definition,
    prepare: async () => ({}),
    scenes: {
      create: () => ({ before: [], after: [fullest] }),
      read: () => ({
        before: isOnlyOne ? [fullest] : [smallest, fullest],
        after: isOnlyOne ? [fullest] : [smallest, fullest],
      }),
      update: () => ({ before: [smallOf(definition)], after: [fullOf(definition)] }),
      delete: () => ({ before: [fullest], after: [] }),
      ...(archives ? { purge: () => ({ before: [forEver], after: [] }) } : {}),
    },
  };
}

/**
 * The smallest and the fullest sample under one identity, with what only a creation sets, and with what starts an action: a
 * new secret that an answer loses nobody learns again (docs/recovery.md), so that no cell could end as an undisturbed one.
 */
function smallOf(definition: ResourceDefinition): JsonObject {
  const { smallest, fullest } = samplesOf(definition);
  const fixed = Object.entries(fullest).filter(([name]) => {
    const facts = definition.fields[name]?.traits;
    return facts?.fixed === true || facts?.startsAction === true;
  });
  return { ...smallest, ...Object.fromEntries(fixed) };
}

function fullOf(definition: ResourceDefinition): JsonObject {
  const argument = programIdArgument(definition);
  const { fullest, smallest } = samplesOf(definition);
  return argument === undefined ? fullest : { ...fullest, [argument]: smallest[argument] };
}

function actionOf(definition: ResourceDefinition): FaultSubject {
  const { kind } = definition;
  const { smallest } = samplesOf(definition);
  const pick = (beside: JsonObject) =>
    Object.fromEntries(Object.entries(smallest).map(([name, value]) => [name, beside[name] ?? value]));
  return {
    ...{ kind, definition },
    ...(reviewOf(definition) ?? {
      // Only a phase that waits for its review can be approved, and only one that does not wait can be skipped.
      prepare: async (raw) => ({ ...(await startRelease(raw, kind === "ReleaseApproval")) }),
    }),
    scenes: {
      create: (beside) => ({ before: [], after: [pick(beside)] }),
      delete: (beside) => ({ before: [pick(beside)], after: [] }),
    },
  };
}

/** What an action on a review needs: nobody approves or rejects a review of their own, and a commit needs an approval. */
function reviewOf({
  kind,
  name,
}: ResourceDefinition): Pick<FaultSubject, "byPersons" | "prepare"> | undefined {
  const reviewed = reviewedKinds.find((one) => name.startsWith(`${one}Review`));
  if (reviewed === undefined) return undefined;
  return {
    byPersons: true,
    async prepare(raw, other) {
      const { id, review } = await openReview(other, reviewed);
      if (kind.endsWith("Commit")) await raw[reviewed].approveReview({ id, reviewID: review, body: {} });
      return { [reviewed]: id, review };
    },
  };
}
