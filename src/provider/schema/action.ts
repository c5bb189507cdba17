import { z } from "zod";
import type { ResourceDefinition } from "./define";
import { type Field, input, type MeantKind, optional } from "./field";
import type { Stages } from "./stages";
import type { Route, RunStrategy } from "./verbs";

/**
 * Definition of an action: an operation that the provider sends once, and again when an argument changes. `F`: names
 * of its arguments.
 */
export interface ActionDefinition<F extends string = string> {
  readonly kind: string;
  readonly name: string;
  readonly title: string;
  readonly doc: string;
  /** Arguments, by name; each is one that the operation needs. */
  readonly inputs: Readonly<
    Record<F, { readonly schema: z.ZodType; readonly doc: string; readonly refersTo?: MeantKind }>
  >;
  /** Shown members of the answer. */
  readonly outputs: Readonly<Record<string, Field>>;
  /** Template of the resource's id; it begins with the object that the action is about. */
  readonly id: `${string}{${string}}${string}`;
  readonly route: Route;
  /** Route that tells whether it was carried out already. */
  readonly read?: Route;
  readonly params: RunStrategy<F>["params"];
  readonly done?: Omit<NonNullable<RunStrategy["done"]>, "route">;
  readonly advice?: string;
  readonly stages?: Omit<Stages<F>, "route"> & { readonly route: Route };
  /** The arguments that go into the body. */
  readonly body: readonly F[];
}

/** Declares an action as a kind whose every change carries it out again, and whose destroy does nothing. */
export function defineAction<const A extends ActionDefinition>(
  definition: A extends ActionDefinition<keyof A["inputs"] & string>
    ? A
    : ActionDefinition<keyof A["inputs"] & string>,
): ResourceDefinition {
  const action: ActionDefinition = definition;
  const { kind, name, title, doc, route: run, read, params, done, advice, stages, body } = action;
  const inputs = Object.entries(action.inputs).map(([argument, { schema, ...traits }]) => [
    argument,
    input(schema, { ...traits, replaces: true, remembered: true }),
  ]);
  const triggers = optional(z.array(z.unknown()), "Anything; a change carries the action out again.", {
    replaces: true,
    remembered: true,
    sameAs: "opaque",
  });
  return {
    ...{ kind, name, title, doc },
    identity: { how: "template", template: action.id },
    fields: { ...Object.fromEntries(inputs), triggers, ...action.outputs },
    routes: {
      run: run.body === undefined ? run : { ...run, body: { only: body } },
      ...(read && { read }),
      ...(stages && { stages: stages.route }),
    },
    lifecycle: {
      create: {
        ...({ how: "run", route: "run", params } as const),
        ...(done && { done: { route: "read", ...done } }),
        ...(advice !== undefined && { advice }),
        ...(stages && { stages: { ...stages, route: "stages" } }),
      },
      read: { how: "remember", why: "A completed action stays." },
      update: [],
      delete: { onDeleteDefault: "retain", why: "A completed action stays: destroy only forgets it." },
    },
  };
}
