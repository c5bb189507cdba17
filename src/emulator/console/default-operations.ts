import type { ObjectDefinition } from "../../provider/schema/define";
import type { Behaviour, Operation } from "./behaviour";
import { create, get, list, patch, remove, replace, versions } from "./item-operations";
import { reviewOperations } from "./reviews";
import {
  addRule,
  addRules,
  deleteRule,
  getRule,
  listRules,
  patchRule,
  replaceRules,
} from "./rule-operations";
import { disable, enable, unarchive } from "./rules/states";

/** Default operations by the names of routes. */
const usual = {
  ...{ list: list(), create, get, replace, patch, delete: remove },
  // A POST that changes what its body names.
  update: patch,
  ...{ listRules, getRule, addRule, patchRule, deleteRule, addRules, replaceRules },
  listVersions: versions,
  ...reviewOperations,
};

/** The same, of kinds that have {@link Behaviour.states}. */
const betweenStates = { enable, disable, unarchive };

type DefaultName = keyof typeof usual | keyof typeof betweenStates;
type RouteName<D extends ObjectDefinition> = keyof D["routes"] & string;
type OwnName<D extends ObjectDefinition> = Exclude<RouteName<D>, DefaultName>;
type Operations<D extends ObjectDefinition> = { readonly [N in OwnName<D>]: Operation } & {
  readonly [N in RouteName<D>]?: Operation;
};

/** A behaviour that names an operation for each route without a default, and none for a route that is not there. */
type Complete<D extends ObjectDefinition> = Omit<Behaviour, "definition" | "operations"> & {
  readonly definition: D & Behaviour["definition"];
} & ([OwnName<D>] extends [never]
    ? { readonly operations?: Operations<D> }
    : { readonly operations: Operations<D> });

/** Says how the console treats a kind: no more than what is particular to it. */
export function defineBehaviour<D extends Behaviour["definition"]>(behaviour: Complete<D>): Behaviour {
  return behaviour;
}

/**
 * The operations of a kind by the names of its routes: its own, and the defaults.
 * @throws TypeError for a route that has neither, and for an operation that has no route: mistakes in the behaviour.
 */
export function operationsOf(behaviour: Behaviour): Readonly<Record<string, Operation>> {
  const { definition, operations: own = {}, states } = behaviour;
  const known: Readonly<Record<string, Operation>> = {
    ...usual,
    ...(states === undefined ? {} : betweenStates),
    ...own,
  };
  for (const name of Object.keys(own)) {
    if (definition.routes[name] === undefined)
      throw new TypeError(`${definition.kind} has no route "${name}" for the operation of that name`);
  }
  return Object.fromEntries(
    Object.keys(definition.routes).map((name) => {
      const operation = known[name];
      if (operation === undefined) throw new TypeError(`${definition.kind}.${name} has no operation`);
      return [name, operation];
    }),
  );
}
