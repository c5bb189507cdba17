import { z } from "zod";
import { fieldsWith, type ResourceDefinition } from "../schema/define";
import { type Field, input, maybe, nested, optional } from "../schema/field";
import { memoized } from "../schema/memoized";
import { reviewModes } from "../schema/reviews";
import { treeOf } from "../schema/tree";
import type { OnDelete } from "../schema/verbs";
import { type concerns, ownableConcerns, ownsOption } from "./console-owned";
import { machineOf, moveOptions } from "./machine";

/** Options by name. */
type Options = Readonly<Record<string, Field>>;

/** The option, and the setting, that holds an update to what was seen. */
export const protectOption = "protectConcurrentEdits";

/** The option, and the setting, by which an update overwrites what somebody changed since the object was last seen. */
export const overwriteOption = "overwriteConsoleEdits";

/** The option, and the setting, that decides how writes treat reviews of the console. */
export const reviewsOption = "reviews";

/** The option that names who is asked to review. */
export const reviewersOption = "reviewers";

/** Options of a kind, beside the API's fields. */
export const optionsOf = memoized(makeOptions);

function makeOptions(definition: ResourceDefinition): Options {
  const { create, delete: removal } = definition.lifecycle;
  if (create.how === "run") return {};
  const choices = [...(removal.archive ? ["archive"] : []), ...(removal.remove ? ["delete"] : []), "retain"];
  const options: Record<string, Field> = {
    onDelete: optional(z.enum(choices), `The effect of destroy. Left out: ${removal.onDeleteDefault}.`),
    adopt: input(z.boolean().optional(), {
      doc: "Whether creation adopts an existing object. Left out: creation fails for an existing object.",
    }),
  };
  // Without a read nobody sees an edit.
  const showsEdits = definition.lifecycle.read.how !== "remember";
  if (showsEdits)
    options[protectOption] = input(z.boolean().optional(), {
      doc: "Whether updates and destroys refuse an object that changed since the last refresh. Left out: the setting of the provider.",
    });
  if (showsEdits && definition.lifecycle.update.length > 0) {
    options[overwriteOption] = input(z.boolean().optional(), {
      doc: "Whether an update overwrites a value that changed in the console since the last read. Left out: the setting of the provider, else the update is refused.",
    });
  }
  if (definition.lifecycle.reviews !== undefined) {
    options[reviewsOption] = input(z.enum(reviewModes).optional(), {
      doc: "How writes treat reviews: bypass, respect (a change that needs a review is refused) or open (it opens one). Left out: the setting of the provider, else bypass.",
    });
    options[reviewersOption] = input(z.array(z.string().min(1)).optional(), {
      doc: "E-mail addresses or ids of the people whom a new review asks. Left out: those that the console asks.",
    });
  }
  const ownable = ownableConcerns(definition);
  if (ownable.length > 0) {
    options[ownsOption] = input(ownersOf(ownable).optional(), {
      doc: "Which fields the console manages after creation. No update changes them, and they are no drift.",
    });
  }
  if (removal.archive?.takesReason) {
    options.archiveReason = optional(z.string(), "Shown in the console when destroy archives.");
  }
  if (removal.archive?.takesForce) {
    options.forceArchive = input(z.boolean().optional(), {
      doc: "Whether destroy archives it even while others refer to it, as two that refer to each other do.",
    });
  }
  if (removal.remove?.usedBy !== undefined) {
    options.forceDelete = input(z.boolean().optional(), {
      doc: "Whether destroy deletes it even while others ask for it. Left out: destroy fails and names them.",
    });
  }
  if (Object.values(definition.routes).some((route) => route.dryRun)) {
    options.validate = input(z.boolean().optional(), {
      doc: "Whether the console checks the object right before each write. It does not store a refused object.",
    });
  }
  const machine = machineOf(definition);
  const hasFixed = fixedNames(definition).length > 0 || (machine?.locked.length ?? 0) > 0;
  if (hasFixed && canGo(definition)) {
    options.onImmutableChange = input(z.enum(["refuse", "replace"]).optional(), {
      doc: "The effect of a change of an argument that can no longer change: refuse, or replace the object. Left out: refuse.",
    });
  }
  for (const [name, { doc }] of Object.entries(moveOptions(definition)))
    options[name] = input(z.boolean().optional(), { doc });
  return options;
}

/** Each concern in words, for the reference. */
const concernTexts = {
  rollout: "Percentages: the program's count for what is new.",
  status: "Whether it is on; to be archived is drift all the same.",
} as const satisfies Record<(typeof concerns)[number], string>;

function ownersOf(ownable: readonly (typeof concerns)[number][]): z.ZodType {
  const members = ownable.map((concern) => [
    concern,
    maybe(z.enum(["console", "code"]), `${concernTexts[concern]} Left out: \`code\`.`),
  ]);
  return nested(z.object(Object.fromEntries(members)), { typeName: "Owners" });
}

/** The options as plain data, by name. */
export const optionTree = memoized((definition: ResourceDefinition) =>
  treeOf({ ...definition, fields: optionsOf(definition) }),
);

/** Fields that can be set at creation and never again. */
function fixedNames(definition: ResourceDefinition): string[] {
  return fieldsWith(definition, ({ traits }) => traits.fixed === true);
}

/** True where destroy can do something: without that, an object of the same id stands in the way of one that replaces it. */
export function canGo({ lifecycle }: ResourceDefinition): boolean {
  return lifecycle.delete.remove !== undefined || lifecycle.delete.archive !== undefined;
}

/** Effect of destroy for these arguments or this state. */
export function onDeleteOf(definition: ResourceDefinition, values: { onDelete?: unknown }): OnDelete {
  return (values.onDelete as OnDelete | undefined) ?? definition.lifecycle.delete.onDeleteDefault;
}

/** True for an act of a destroy after which nothing brings the object back. */
export function isForGood({ lifecycle }: ResourceDefinition, act: string): boolean {
  return act === "delete" || (act === "archive" && lifecycle.archived === undefined);
}
