import { providerText } from "../../src/provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import type { Bag } from "./wire-json";

/** A problem that a check found. */
export interface Failure {
  readonly property: string;
  readonly reason: string;
}

/** The answer to a diff. `changes` is `unknown` when the engine is to compare by itself. */
export interface DiffAnswer {
  readonly changes: "unknown" | "none" | "some";
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** The calls that Pulumi's engine makes, whoever answers them: the provider in this process, or Pulumi's host over gRPC. */
export interface Backend {
  check(olds: Bag, news: Bag): Promise<{ inputs: Bag; failures: Failure[] }>;
  diff(id: string, olds: Bag, news: Bag): Promise<DiffAnswer>;
  create(properties: Bag): Promise<{ id: string; properties: Bag }>;
  update(id: string, olds: Bag, news: Bag): Promise<{ properties: Bag }>;
  /** A refresh sends properties and inputs, a get only inputs. `inputs` is set when the provider returned them. */
  read(id: string, properties?: Bag, inputs?: Bag): Promise<{ id: string; properties: Bag; inputs?: Bag }>;
  delete(id: string, properties: Bag): Promise<void>;
}

/** A resource as state holds it. */
export interface Resource {
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/** One kind, driven as Pulumi's engine drives it. Arguments are those of a program. */
export interface Driver {
  readonly definition: ResourceDefinition;
  /** The provider text that it puts into state. */
  readonly text: string;
  /** The single calls, of the run that goes on. */
  calls(): Backend;
  problems(args: JsonObject, olds?: JsonObject): Promise<Failure[]>;
  /** Checks arguments; fails the test on problems. */
  checked(args: JsonObject, olds?: JsonObject): Promise<JsonObject>;
  /** What `pulumi up` of a new resource does. */
  up(args: JsonObject): Promise<Resource>;
  diff(
    resource: Resource,
    args: JsonObject,
  ): Promise<{ readonly quiet: boolean; readonly replaces: readonly string[] }>;
  /** A diff with all of its answer. */
  plan(resource: Resource, args: JsonObject): Promise<DiffAnswer>;
  /** What `pulumi up` of a changed resource does. */
  update(resource: Resource, args: JsonObject): Promise<Resource>;
  /**
   * What `pulumi up` of a replaced resource does, in the order that its diff asks for. `between`: happens after the first of
   * create and delete; what it throws ends the run there.
   */
  replace(resource: Resource, args: JsonObject, between?: () => Promise<void>): Promise<Resource>;
  /** What `pulumi refresh` finds; undefined: nothing. */
  refresh(resource: Resource): Promise<Resource | undefined>;
  /** What the `get` of a class finds. */
  get(id: string): Promise<Resource>;
  destroy(resource: Resource): Promise<void>;
}

/** What a create or an update that failed half-way leaves in the state. */
export interface PartialState {
  readonly id: string;
  readonly properties: Bag;
  readonly reasons: readonly string[];
}

/** What an error tells of the object that exists in spite of it; undefined: none does. */
export function partialOf(error: unknown): PartialState | undefined {
  // Over the wire it is packed into the details of the error.
  const { partial = error } = error as { partial?: unknown };
  const { id, properties, reasons = [] } = partial as Partial<PartialState>;
  return id === undefined || properties === undefined ? undefined : { id, properties, reasons };
}

/** How a kind is driven. */
export interface Driven {
  readonly definition: ResourceDefinition;
  /** Who answers; asked anew for each verb, as the next run has another. */
  readonly backend: () => Backend;
  /** The stack of the URN that the class tells; left out: it tells none. */
  readonly stack?: () => string;
}

/** Drives a kind. */
export function driverOf({ definition, backend, stack }: Driven): Driver {
  const text = providerText(definition);
  const check = (calls: Backend, args: JsonObject, olds: JsonObject = {}) => {
    const { name = "resource", ...note } = (args.__program ?? {}) as { name?: string };
    const urn = stack && { urn: urnOf(stack(), definition, name) };
    return calls.check(olds, said({ ...args, __program: { name, ...urn, ...note }, __provider: text }));
  };
  const checkedBy = async (calls: Backend, args: JsonObject, olds?: JsonObject) => {
    const { inputs, failures } = await check(calls, args, olds);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    return inputs;
  };
  const made = async (calls: Backend, inputs: JsonObject): Promise<Resource> => {
    const { id, properties } = await calls.create(inputs);
    return { id, inputs, outputs: properties };
  };
  const plan: Driver["plan"] = async ({ id, inputs, outputs }, args) => {
    const calls = backend();
    return calls.diff(id, outputs, await checkedBy(calls, args, inputs));
  };
  return {
    definition,
    text,
    calls: backend,
    problems: async (args, olds) => (await check(backend(), args, olds)).failures,
    checked: (args, olds) => checkedBy(backend(), args, olds),
    async up(args) {
      const calls = backend();
      return made(calls, await checkedBy(calls, args));
    },
    plan,
    async diff(resource, args) {
      const { changes, replaces } = await plan(resource, args);
      return { quiet: changes === "none", replaces };
    },
    async update({ id, inputs, outputs }, args) {
      const calls = backend();
      const news = await checkedBy(calls, args, inputs);
      const { properties } = await calls.update(id, outputs, news);
      return { id, inputs: news, outputs: properties };
    },
    async replace({ id, inputs, outputs }, args, between = async () => undefined) {
      const calls = backend();
      const planned = await calls.diff(id, outputs, await checkedBy(calls, args, inputs));
      if (planned.replaces.length === 0) throw new Error(`${id} would not be replaced`);
      const news = await checkedBy(calls, args);
      if (planned.deleteBeforeReplace) {
        await calls.delete(id, outputs);
        await between();
        return made(calls, news);
      }
      const resource = await made(calls, news);
      await between();
      await calls.delete(id, outputs);
      return resource;
    },
    async refresh({ id, inputs, outputs }) {
      const found = await backend().read(id, outputs, inputs);
      const { properties } = found;
      return found.id === ""
        ? undefined
        : { id: found.id, inputs: found.inputs ?? inputs, outputs: properties };
    },
    async get(id) {
      const inputs = { __provider: text };
      const found = await backend().read(id, undefined, inputs);
      return { id: found.id, inputs: found.inputs ?? inputs, outputs: found.properties };
    },
    destroy: ({ id, outputs }) => backend().delete(id, outputs),
  };
}

/** The URN of a resource. */
function urnOf(stack: string, { kind }: ResourceDefinition, name: string): string {
  return `urn:pulumi:${stack}::test::pulumi-nodejs:dynamic/feature-console:${kind}::${name}`;
}

/** A sample under names of its own, so that tests that share a console do not meet. */
export function named(definition: ResourceDefinition, sample: JsonObject, name: string): JsonObject {
  const own = ["key", "name"].filter((field) => definition.fields[field] !== undefined);
  return { ...sample, ...Object.fromEntries(own.map((field) => [field, name])) };
}

/** What a program says: members that are undefined are not said. */
function said<T>(value: T): T;
function said(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(said);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, said(member)]));
}
