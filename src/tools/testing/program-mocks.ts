import * as pulumi from "@pulumi/pulumi";
import type { Seed } from "../../emulator";
import { asConsole, asProvider, constructedUnderMocks } from "../../provider/pulumi/mocks";
import { partsOf } from "../../provider/pulumi/output-parts";
import { urnWithoutParent } from "../../provider/pulumi/resource";
import { kindOfType } from "../../provider/pulumi/runs/kind-of-type";
import type { ResourceDefinition } from "../../provider/schema/define";
import { ConsoleError, isConsoleError, messageOf, reworded } from "../../provider/schema/errors";
import { isInternal, programMember } from "../../provider/schema/internal";
import { type JsonObject, kept, mapped } from "../../provider/schema/json";
import { keptIn } from "../../provider/schema/memoized";
import { MockConsole } from "./mock-console";

/** Options of mocks beside this package's part. */
export interface MockOptions {
  /**
   * Objects that are there from the start, by the name of their list (`gates`, `dynamic_configs`, `segments`), in the form
   * that the emulator takes. Each explicit provider has a console of its own with the same objects.
   */
  readonly seed?: Seed;
  /** Outputs of other stacks, which the program reads by `pulumi.StackReference`: outputs by their names, by the name of the stack. */
  readonly stacks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Mocks of other packages' resources and functions. Left out: a resource answers its inputs, and a function nothing. */
  readonly fallback?: pulumi.runtime.Mocks;
}

/**
 * Mocks for `pulumi.runtime.setMocks` under which resources of this package are checked as in a preview and made as in an
 * update, in a console in memory that is gone with the mocks; lookups ask the same console. What is wrong rejects the
 * outputs of the resource with the message of `pulumi preview`. Asks no network and writes no file.
 * @throws Error for a malformed seed.
 */
export function mocks(options: MockOptions = {}): pulumi.runtime.Mocks {
  return programMocks(options).mocks;
}

/** The place in the program of a problem of a resource, such as `rules[0].name: found 1`; undefined where that is not known. */
export type PlaceOf = (type: string, name: string, problem: string) => string | undefined;

/** Mocks, and what is in their consoles. @throws Error for a malformed seed. `placeOf`: stands before each problem. */
export function programMocks(
  { seed = {}, stacks = {}, fallback }: MockOptions,
  placeOf: PlaceOf = () => undefined,
) {
  const others = fallback ?? echoes;
  /** The stacks that the program has read and nobody has told of: they have no outputs. */
  const unknownStacks = new Set<string>();
  const stackRead = (args: pulumi.runtime.MockResourceArgs) => {
    const name = String(args.inputs.name ?? args.name);
    const outputs = stacks[name];
    if (outputs === undefined && fallback !== undefined) return fallback.newResource(args);
    if (outputs === undefined) unknownStacks.add(name);
    return { id: name, state: { name, outputs: outputs ?? {}, secretOutputNames: [] } };
  };
  const consoles = new Map<string, MockConsole>();
  /** The consoles in which the program has made anything, by provider: `URN::ID`, and "" for the default one. */
  const used = new Map<string, MockConsole>();
  const consoleOf = (provider = "") => keptIn(consoles, provider, () => new MockConsole(seed));
  // A seed that cannot be planted is a mistake of the test, and not of its first resource.
  consoleOf();
  const mocks: pulumi.runtime.Mocks = {
    newResource: asProvider(async (args) => {
      const definition = kindOfType(args.type);
      if (definition === undefined) return isStack(args) ? stackRead(args) : others.newResource(args);
      const console = consoleOf(args.provider);
      used.set(args.provider ?? "", console);
      return made(console, definition, args, placeOf);
    }),
    call: asConsole(
      (args) => others.call(args),
      (provider) => consoleOf(provider).context(),
    ),
    registerTransform: (transform) => others.registerTransform?.(transform),
    registerInvokeTransform: (transform) => others.registerInvokeTransform?.(transform),
  };
  return { mocks, used, unknownStacks };
}

const isStack = ({ type }: pulumi.runtime.MockResourceArgs): boolean =>
  type === "pulumi:pulumi:StackReference";

/**
 * The value of an output. Rejects with what went wrong in the resources that it comes from, which then is no failure of the
 * test beside that: `await expect(outputValue(gate.id)).rejects.toThrow("passPercentage")`.
 */
export async function outputValue<T>(output: pulumi.Output<T>): Promise<pulumi.Unwrap<T>> {
  const { promise, isKnown, isSecret, resources } = partsOf(output);
  for (const awaited of [isKnown, isSecret]) awaited.catch(() => {});
  for (const resource of resources()) expectFailure(resource);
  return (await promise()) as pulumi.Unwrap<T>;
}

/**
 * Waits for every resource of this package that the program has constructed since the mocks were set. Rejects with all that
 * went wrong, which then is no failure of the test beside that.
 */
export async function resourcesMade(): Promise<void> {
  const resources = constructedUnderMocks();
  const failures = new Set<string>();
  for (let next = 0; next < resources.length; ) {
    resources.forEach(expectFailure);
    const reached = resources.slice(next);
    next += reached.length;
    for (const { urn } of reached) await outputValue(urn).catch((error) => failures.add(messageOf(error)));
    // The program may construct resources of their outputs.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (failures.size > 0) throw listedError(failures);
}

/** An error of several, a line each. */
export function listedError(problems: ReadonlySet<string>): Error {
  const error = new Error([...problems].join("\n"));
  // It would lead to this place, and not into the program.
  error.stack = error.message;
  return error;
}

/** A test that looks at the failure of a resource does not have it reported besides. */
function expectFailure({ urn }: pulumi.Resource): void {
  partsOf(urn).isKnown.catch(() => {});
}

const echoes: pulumi.runtime.Mocks = {
  newResource: ({ name, inputs }) => ({ id: `${name}_id`, state: inputs }),
  call: () => ({}),
};

async function made(
  console: MockConsole,
  definition: ResourceDefinition,
  { type, name, inputs, id }: pulumi.runtime.MockResourceArgs,
  placeOf: PlaceOf,
): Promise<pulumi.runtime.MockResourceResult> {
  const { values, secrets } = known(inputs as JsonObject);
  const placed = (problem: string): string => {
    const place = placeOf(type, name, problem);
    return place === undefined ? problem : `${place}: ${problem}`;
  };
  const located = (error: unknown): never => {
    throw isConsoleError(error) ? reworded(error, placed(error.message)) : error;
  };
  if (id) return { id, state: shown(definition, await console.read(definition, id).catch(located), secrets) };
  // Mocks that are wrapped get what the program says, without the data for the provider beside it.
  const { inputs: checked, problems } = await console.check(definition, {
    [programMember]: { name, urn: urnWithoutParent(type, name) },
    ...values,
  });
  if (problems.length > 0) throw refused(problems.map((one) => placed(problemText(one))));
  const created = await console.create(definition, checked).catch(located);
  return { id: created.id, state: shown(definition, created.state, secrets) };
}

const problemText = ({ property, reason }: pulumi.dynamic.CheckFailure): string =>
  property === "" ? reason : `${property}: ${reason}`;

/** Pulumi names the resource in front of it. */
function refused(lines: readonly string[]): ConsoleError {
  const text =
    lines.length === 1
      ? lines.join()
      : `${lines.length} problems\n${lines.map((line) => `  - ${line}`).join("\n")}`;
  return new ConsoleError(text, { category: "invalid-argument" });
}

/**
 * Inputs as a provider gets them, and the names of those that the program has as secrets. Pulumi hands them to mocks together: a secret
 * anywhere in an input makes the whole input one.
 */
function known(inputs: JsonObject) {
  return {
    values: mapped(inputs, (value) => pulumi.runtime.unwrapRpcSecret(value)),
    secrets: new Set(Object.keys(inputs).filter((name) => pulumi.runtime.isRpcSecret(inputs[name]))),
  };
}

/** The outputs of a resource. Those are secrets that an engine would make secrets: mocks know none of their own. */
function shown(
  { fields }: ResourceDefinition,
  state: JsonObject,
  secrets: ReadonlySet<string>,
): Record<string, unknown> {
  const isSecret = (name: string): boolean => {
    const facts = fields[name]?.traits;
    const isEcho = [...secrets].some(
      (other) => fields[other]?.traits.aliasOf === name || facts?.aliasOf === other,
    );
    return secrets.has(name) || facts?.secret === true || isEcho;
  };
  const outputs = kept(state, (name) => !isInternal(name));
  return mapped(outputs, (value, name) => (isSecret(name) ? pulumi.secret(value) : value));
}
