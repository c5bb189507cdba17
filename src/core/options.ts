import { z } from "zod";
import type { ResourceDefinition } from "./define";
import { type Field, input } from "./field";
import { machineOf, moveOptions } from "./machine";
import { memoized } from "./memoized";
import type { OnDelete } from "./verbs";

/** Options by name. */
type Options = Readonly<Record<string, Field>>;

/** What a program may say about how a kind is managed, beside the API's fields. */
export const optionsOf = memoized(makeOptions);

function makeOptions(definition: ResourceDefinition): Options {
  const { create, delete: removal } = definition.lifecycle;
  if (create.how === "run") return {};
  const choices = [...(removal.archive ? ["archive"] : []), ...(removal.remove ? ["delete"] : []), "retain"];
  const options: Record<string, Field> = {
    onDelete: input(z.enum(choices).optional(), {
      doc: `What destroy does: ${choices.join(", ")}. Left out: ${removal.onDeleteDefault}.`,
    }),
    adopt: input(z.boolean().optional(), {
      doc: "Whether creation takes over an object that exists already. Left out: creation fails and says so.",
    }),
  };
  if (removal.archive?.takesReason) {
    options.archiveReason = input(z.string().optional(), {
      doc: "Shown in the console when destroy archives.",
    });
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
      doc: "Whether the console checks the object right before each write. What it refuses is not stored.",
    });
  }
  const machine = machineOf(definition);
  const immutable = [...fixedNames(definition), ...(machine?.locked ?? [])];
  if (immutable.length > 0) {
    options.onImmutableChange = input(z.enum(["refuse", "replace"]).optional(), {
      doc: `What a change of ${immutable.join(", ")} does: refuse, or replace (delete, then create). Left out: refuse.`,
    });
  }
  for (const [name, { doc }] of Object.entries(moveOptions(definition)))
    options[name] = input(z.boolean().optional(), { doc });
  return options;
}

/** Fields that can be set at creation and never again. */
export function fixedNames(definition: ResourceDefinition): string[] {
  return Object.keys(definition.fields).filter((name) => definition.fields[name]?.facts.fixed === true);
}

/** What destroy does for these arguments or this state. */
export function onDeleteOf(definition: ResourceDefinition, values: { onDelete?: unknown }): OnDelete {
  return (values.onDelete as OnDelete | undefined) ?? definition.lifecycle.delete.onDeleteDefault;
}
