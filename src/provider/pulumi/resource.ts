import * as pulumi from "@pulumi/pulumi";
import { hashesMember } from "../id-lists/packed";
import { adoptMember, programMember } from "../schema/internal";
import { isObject, type JsonObject } from "../schema/json";
import { defaultName } from "../schema/object-id";
import { foreignProviderText } from "../texts/allowed-hosts";
import {
  holdsOutput,
  idsAndKinds,
  loggable,
  type ResourceOf,
  resourceLabel,
  secretPaths,
  sourcesIn,
  withIds,
  withIdTexts,
} from "./arguments/arguments";
import { ignoredNote, type ProgramNote } from "./arguments/program-note";
import {
  declaredBeside,
  formerUrns,
  heldObject,
  partsKept,
  type Registering,
  refuseWayBack,
  twinOf,
} from "./arguments/registering";
import { noteSound, soundArguments } from "./arguments/unsound-values";
import { hasForeignMocks, noteUnderMocks } from "./mocks";
import { idToRead, partsOf } from "./output-parts";
import { explicitProvider, hasLookedUp, knownConsoles, urnOfProvider } from "./previews/known-consoles";
import { beforeRegistering, noteConstructed, watchKind } from "./previews/preview";
import type { ClassTraits } from "./previews/stored-kinds";
import { openSettings, unknownSettings } from "./provider-settings";
import { ownStackName, refuseMarksInStack } from "./runs/stack-state";
import { nativePrefix, providerText, typePrefix } from "./stored-names";
import { providerMember } from "./wire";

/** A resource with its outputs. */
export type ResourceInstance<State, Kind extends string = string> = ResourceOf<Kind> & {
  readonly [Name in keyof State]-?: pulumi.Output<State[Name]>;
};

/** Parameters of a resource class beside the name. */
export type ConstructorRest<Args> = object extends Args
  ? [args?: Args, options?: pulumi.CustomResourceOptions]
  : [args: Args, options?: pulumi.CustomResourceOptions];

/** The class of a kind. */
export interface ResourceClass<Args, State, Kind extends string = string> {
  new (name: string, ...rest: ConstructorRest<Args>): ResourceInstance<State, Kind>;
  /** Reads an object that is managed elsewhere. Fails when it is not there. */
  get(
    name: string,
    id: pulumi.Input<string>,
    options?: pulumi.CustomResourceOptions,
  ): ResourceInstance<State, Kind>;
  /** True for an instance of this class, also one of another copy of this package. */
  isInstance(value: unknown): value is ResourceInstance<State, Kind>;
}

/** The way of a resource to its provider. */
interface Adapter {
  /** Begins the Pulumi type of every kind. */
  readonly prefix: string;
  /** Inputs beside the arguments and the note of the program. */
  readonly inputs: (traits: ClassTraits, options: pulumi.CustomResourceOptions) => JsonObject;
  /** The program's options as the engine gets them. */
  readonly options: (
    traits: ClassTraits,
    options: pulumi.CustomResourceOptions,
  ) => pulumi.CustomResourceOptions;
  /** Fails for a provider that must not read an object. `whose`: what has it. */
  readonly judge?: (whose: string, provider: pulumi.ProviderResource | undefined) => void;
  /** Work that a registration waits for; it fails where the resource must not be registered. */
  readonly before?: (registering: Registering) => Promise<void>;
}

const dynamicAdapter: Adapter = {
  prefix: typePrefix,
  inputs: (traits, { id, import: imported }) => ({
    ...(id === undefined ? { [adoptMember]: imported } : {}),
    [providerMember]: providerText(traits),
  }),
  // The engine cannot import a dynamic resource: it would call the provider without its text. Creation adopts instead.
  options: (_, { import: __, ...options }) => options,
  // Pulumi shows the settings of any other to the process of the provider alone, which a get tells nothing of the program.
  judge(whose, provider) {
    if (provider === undefined) return;
    const { settingsOf } = require("./explicit-provider") as typeof import("./explicit-provider");
    if (settingsOf(provider) === undefined) throw new pulumi.RunError(foreignProviderText(whose));
  },
  before: refuseWayBack,
};

const nativeAdapter: Adapter = {
  prefix: nativePrefix,
  inputs: () => ({}),
  // A stack of dynamic resources moves by the change of an import in its program.
  options: ({ kind }, options) => ({
    ...options,
    aliases: [...(options.aliases ?? []), { type: `${typePrefix}${kind}` }],
  }),
};

/** Traits of each class of a dynamic resource. */
const traitsOfClass = new WeakMap<object, ClassTraits>();

/** Makes the class of a kind. `Class` is its type, which the caller says: most are a `ResourceClass`. */
export function resourceClass<Class>(traits: ClassTraits): Class {
  return classOf<Class>(traits, dynamicAdapter);
}

/** Makes the class of the same kind and the same arguments whose resources the native plugin manages. */
export function nativeClass<Class extends object>(dynamicClass: Class): Class {
  const traits = traitsOfClass.get(dynamicClass);
  if (traits === undefined) throw new TypeError("nativeClass takes a class of this package");
  return classOf<Class>(traits, nativeAdapter);
}

function classOf<Class>(traits: ClassTraits, adapter: Adapter): Class {
  const type = `${adapter.prefix}${traits.kind}`;
  const declared = Object.fromEntries(traits.outputs.map((name) => [name, undefined]));
  watchKind(type, traits);

  const constructed = class extends pulumi.CustomResource {
    static get(name: string, id: pulumi.Input<string>, options?: pulumi.CustomResourceOptions) {
      return new constructed(name, {}, { ...options, id: idToRead(id) });
    }

    static override isInstance(value: unknown): value is pulumi.CustomResource {
      return (
        pulumi.CustomResource.isInstance(value) && (value as { __pulumiType?: unknown }).__pulumiType === type
      );
    }

    constructor(name: string, args: object = {}, options: pulumi.CustomResourceOptions = {}) {
      const rest = adapter.options(traits, options);
      const constructing: Constructing = {};
      const given = inputsOf({ traits, adapter, type }, name, args, options, constructing);
      const hidden = [...(traits.secrets ?? []), ...echoesOf(traits, given), ...hashesOf(traits, args)];
      const outputs = { additionalSecretOutputs: [...(rest.additionalSecretOutputs ?? []), ...hidden] };
      const traced = Error.stackTraceLimit;
      // Pulumi notes a stack trace for each promise of each output, which costs more than all else of a registration.
      Error.stackTraceLimit = 0;
      try {
        super(
          type,
          name,
          { ...declared, ...loggable(given) },
          { ...rest, ...(hidden.length > 0 ? outputs : {}) },
        );
      } catch (error) {
        Error.stackTraceLimit = traced;
        if (error instanceof Error) Error.captureStackTrace(error);
        throw error;
      } finally {
        Error.stackTraceLimit = traced;
      }
      constructing.resource = this;
      if (pulumi.runtime.isDryRun()) {
        awaitIds(this, traits);
        if (options.id !== undefined) keepGivenId(this, options.id);
      }
      noteSound(this);
      noteUnderMocks(this);
      showInExports(this, traits, args);
      const { id, import: imported } = options;
      noteConstructed({ resource: this, type, isRead: id !== undefined, imports: imported !== undefined });
    }
  };
  Object.defineProperty(constructed, "name", { value: traits.kind });
  traitsOfClass.set(constructed, traits);
  return constructed as unknown as Class;
}

/**
 * Leaves a resource that the program reads the id by which it does. Since 3.276 Pulumi's SDK takes the id of the engine's answer,
 * and engines answer a preview without one: whatever refers to the object would show a change in each preview.
 */
function keepGivenId(resource: pulumi.CustomResource, given: pulumi.Input<string>): void {
  // With the URN it comes of the resource, and fails where the read does.
  const id = pulumi.all([resource.urn, given]).apply(([, known]) => known);
  (resource as { id: pulumi.Output<string> }).id = id;
}

/** In the preview of an update Pulumi hands out the arguments as outputs: a part that the update makes has no id yet. */
function awaitIds(resource: pulumi.CustomResource, { namedParts = [] }: ClassTraits): void {
  const members = resource as unknown as Record<string, pulumi.Output<unknown>>;
  for (const name of namedParts)
    members[name] = (members[name] as pulumi.Output<unknown>).apply((parts) =>
      Array.isArray(parts) && parts.some(hasNoId) ? partsKept(resource, name, parts) : parts,
    );
}

const hasNoId = (part: unknown): boolean => isObject(part) && part.id === undefined;

/**
 * Leaves of an exported resource its id, its URN and its state: Pulumi exports what can be enumerated, and would show 40 lines
 * of each resource in each preview, and keep them in state a second time.
 */
function showInExports(resource: object, { outputs, shown = [] }: ClassTraits, args: object): void {
  // Pulumi adds this member to what a preview exports, and not to what an update does: each preview would show a change.
  Object.defineProperty(resource, "@isPulumiResource", { value: true, enumerable: true });
  for (const name of [...outputs, ...Object.keys(args)])
    if (!shown.includes(name) && Object.hasOwn(resource, name))
      Object.defineProperty(resource, name, { enumerable: false });
}

/** A resource, once its constructor has it. */
interface Constructing {
  resource?: object;
}

/** A kind with the way and the type by which its class registers it. */
interface RegisteredClass {
  readonly traits: ClassTraits;
  readonly adapter: Adapter;
  readonly type: string;
}

/** Inputs for Pulumi: those that a provider takes, or for the mocks of a unit test the program's own. */
function inputsOf(
  of: RegisteredClass,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions,
  constructing: Constructing,
): object {
  const { traits, adapter, type } = of;
  const isRead = options.id !== undefined;
  const sound = isRead
    ? {}
    : withSecrets(traits, soundArguments(`${traits.kind} "${name}"`, args, traits.idSets ?? []));
  if (hasForeignMocks()) return isRead ? {} : namedArguments(traits, name, sound, options);
  refuseMarksInStack();
  const own = adapter.inputs(traits, options);
  if (isRead) {
    const provider = explicitProvider(type, options);
    adapter.judge?.(`${traits.kind}.get "${name}"`, provider);
    return { ...own, [programMember]: mayRead(provider) };
  }
  const { value, kinds } = idsAndKinds(withIdTexts(traits.idSets ?? [], sound as JsonObject));
  const before = [options.dependsOn ?? []].flat().flatMap((one) => resourceLabel(one) ?? []);
  const sources = { ...sourcesIn(value), ...(before.length > 0 ? { dependsOn: before.join("\n") } : {}) };
  const secrets = secretPaths(value);
  const note = {
    ...noteOf(of, name, options, constructing),
    duplicateDeclaration: twinOf(traits, { name, type }, value as JsonObject, options),
    ...ignoredNote(options, value as JsonObject),
    ...(Object.keys(kinds).length > 0 ? { kinds } : {}),
    ...(Object.keys(sources).length > 0 ? { sources } : {}),
    ...(secrets === undefined ? {} : { secrets }),
  };
  return { ...(value as object), [programMember]: settled(note), ...own };
}

/** A note as one promise: of each that Pulumi waits for it takes a stack trace, a tenth of the time of a program. */
async function settled(note: object): Promise<object> {
  const values = await Promise.all(Object.values(note) as unknown[]);
  return Object.fromEntries(Object.keys(note).map((name, at) => [name, values[at]]));
}

/** Arguments of which Pulumi shows no value that is a secret whatever the program says. */
function withSecrets({ secrets = [] }: ClassTraits, args: object): object {
  const given = Object.entries(args).filter(([name, value]) => secrets.includes(name) && value !== undefined);
  return { ...args, ...Object.fromEntries(given.map(([name, value]) => [name, pulumi.secret(value)])) };
}

/**
 * Arguments with the names that only a provider fills in elsewhere: an engine shows it the names of last time, which an
 * object keeps when its resource is called otherwise.
 */
function namedArguments(
  { identity, named = [] }: ClassTraits,
  name: string,
  args: object,
  options: pulumi.CustomResourceOptions,
): object {
  const given = { ...(withIds(args) as JsonObject) };
  if (identity === undefined) return given;
  for (const argument of named)
    given[argument] ??= defaultName(
      { identity },
      argument,
      { ...given, [adoptMember]: options.import },
      name,
    );
  return given;
}

/** A note whose values Pulumi resolves once the program has run. */
type Later<Note> = { readonly [Name in keyof Note]: unknown };

/** The note of the program about a resource, for the provider. */
function noteOf(
  { traits: { identity }, adapter, type }: RegisteredClass,
  name: string,
  options: pulumi.CustomResourceOptions,
  constructing: Constructing,
): Later<ProgramNote> {
  const urn = urnOf(type, name, options);
  const resource = () => constructing.resource;
  const registering = { type, identity, urn, resource };
  const provider = explicitProvider(type, options);
  const count = declaredBeside(type, options);
  // Pulumi registers a resource once its inputs are known.
  const declared = Promise.all([beforeRegistering(), adapter.before?.(registering)]).then(() => count);
  return {
    ...{ name, urn },
    ...(pulumi.runtime.isDryRun() ? { preview: true, held: heldObject(registering) } : { preview: false }),
    ...{ stack: ownStackName(), formerUrns: formerUrns(resource) },
    provider: urnOfProvider(provider),
    consoles: knownConsoles(provider),
    ...(options.deleteBeforeReplace === false ? { createsFirst: true } : {}),
    ...(options.deleteBeforeReplace === true ? { deletesFirst: true } : {}),
    ...(options.retainOnDelete === true ? { retained: true } : {}),
    ...(options.deletedWith === undefined ? {} : { deletedWith: true }),
    declared,
    asks: declared.then(() => (hasLookedUp(provider) ? true : undefined)),
    ...misspelt(),
  };
}

/** Pulumi shows the provider of a get nothing but the id: the program itself looks whether the console may be asked. Leaves no input. */
async function mayRead(provider: pulumi.ProviderResource | undefined): Promise<undefined> {
  const consoles = await knownConsoles(provider);
  if (consoles === undefined || consoles.length === 0) return;
  const { refuseOtherConsole } = require("./lookup") as typeof import("./lookup");
  await refuseOtherConsole(provider, consoles);
}

/** Functions of the SDK about the configuration, of which it declares no `isConfigSecret`. */
const configuration = pulumi.runtime as typeof pulumi.runtime & {
  readonly isConfigSecret?: (name: string) => boolean;
};

/** Settings that the stack's configuration misspells or shows: a provider cannot see which names there are, nor what is encrypted. */
function misspelt(): object {
  const names = [
    ...unknownSettings(Object.keys(configuration.allConfig()), pulumi.getProject()),
    ...openSettings(configuration.getConfig, (name) => configuration.isConfigSecret?.(name) ?? true),
  ];
  return names.length === 0 ? {} : { misspelt: names };
}

/** The URN of a resource that stands in no other. */
export function urnWithoutParent(type: string, name: string): string {
  return `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${type}::${name}`;
}

/** The URN that Pulumi will give a resource. It does not tell it to a provider, and nothing else tells resources apart. */
function urnOf(type: string, name: string, { parent }: pulumi.CustomResourceOptions): pulumi.Input<unknown> {
  if (parent === undefined) return urnWithoutParent(type, name);
  // As an output it would come of the parent, and Pulumi has what comes of a component wait for all its children: for ever.
  return partsOf(pulumi.createUrn(name, type, parent)).promise();
}

/**
 * Outputs in which the console repeats an argument that may be a secret, in another form. Whether an output of a program
 * is a secret is known too late here, so each counts as one.
 */
function echoesOf({ aliasPairs = [] }: ClassTraits, args: object): string[] {
  return aliasPairs.flatMap((pair) => {
    const given = pair.find((one) => holdsOutput((args as Record<string, unknown>)[one]));
    return given === undefined ? [] : pair.filter((one) => one !== given);
  });
}

/** Hashes of ids that may be secrets. */
function hashesOf({ idSets = [] }: ClassTraits, args: object): string[] {
  return idSets.filter((name) => holdsOutput((args as Record<string, unknown>)[name])).map(hashesMember);
}
