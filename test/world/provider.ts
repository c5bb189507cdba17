import type { Transport } from "../../src/provider/client/transport";
import type { Plugin } from "../../src/provider/native/plugin";
import type { StoredObject } from "../../src/provider/pulumi/runs/exported-state";
import { nativePrefix, typePrefix } from "../../src/provider/pulumi/stored-names";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Adapter } from "../laws/subject";
import { type Patch, SourceCopy } from "./source-copy";

/** What a process of the provider is given from outside. */
export interface ProcessOptions {
  readonly adapter: Adapter;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly transport: Transport;
  readonly report: (line: string) => void;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly exportStack?: () => Promise<readonly StoredObject[]>;
}

/** The resource of a call, as the engine has it: with its arguments of last time where it is in state. */
export interface Called {
  readonly urn: string;
  readonly inputs?: JsonObject | undefined;
}

/** What Pulumi's engine calls, for one kind. */
export interface KindProvider {
  check(
    olds: JsonObject,
    news: JsonObject,
    called: Called,
  ): Promise<{ inputs: JsonObject; failures?: readonly Failure[] }>;
  diff(id: string, olds: JsonObject, news: JsonObject, called: Called): Promise<DiffResult>;
  create(inputs: JsonObject, called: Called): Promise<{ id: string; outs?: JsonObject }>;
  read(
    id: string,
    props: JsonObject,
    called: Called,
  ): Promise<{ id?: string; props?: JsonObject; inputs?: JsonObject }>;
  update(id: string, olds: JsonObject, news: JsonObject, called: Called): Promise<{ outs?: JsonObject }>;
  delete(id: string, props: JsonObject, called: Called): Promise<void>;
}

interface Failure {
  readonly property: string;
  readonly reason: string;
}

interface DiffResult {
  readonly changes?: boolean;
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
}

/** One process of the provider: it remembers what Pulumi called, and nothing of other processes. */
export type ProviderProcess = (kind: string) => KindProvider;

/** What a class tells its provider beside the arguments. */
export interface Telling {
  readonly kind: string;
  readonly name: string;
  readonly urn: string;
  readonly preview: boolean;
  readonly imports: string | undefined;
  /** As the program says it. */
  readonly deleteBeforeReplace: boolean | undefined;
  readonly retainOnDelete: boolean | undefined;
  readonly adapter: Adapter;
  /** Argument -> the resource whose output it takes, as `Layer shop`. */
  readonly sources: JsonObject;
  /** The consoles that its stack's state names. */
  readonly consoles: readonly JsonObject[];
}

export interface ProviderCode {
  start(options: ProcessOptions): ProviderProcess;
  /** Inputs that the class hands over. */
  told(telling: Telling): JsonObject;
}

/** Modules of a copy, as far as they are used here. */
interface Loaded {
  readonly ProviderProcess: new (ports: object) => unknown;
  readonly Plugin: new (processOf: (report: unknown) => unknown, report: unknown) => Plugin;
  readonly providerOf: (definition: unknown, process: unknown) => KindProvider;
  readonly managed: Readonly<Record<string, unknown>>;
}

/** The code with some places changed. @throws Error for a patch whose place is not there. */
export function codeWith(patches: readonly Patch[]): ProviderCode {
  return codeOf(new SourceCopy(patches));
}

export function codeOf(copy: SourceCopy): ProviderCode {
  const {
    ProviderProcess,
    Plugin: NativePlugin,
    providerOf,
    managed,
  } = {
    ...copy.load("provider/definitions/index.ts"),
    ...copy.load("provider/pulumi/process.ts"),
    ...copy.load("provider/pulumi/provider.ts"),
    ...copy.load("provider/native/plugin.ts"),
  } as unknown as Loaded;
  return {
    start({ adapter, environment, report, ...ports }) {
      const processOf = (reports: unknown) =>
        new ProviderProcess({ environment: () => environment, ...ports, report: reports });
      if (adapter === "native") {
        const native = nativeProvider(new NativePlugin(processOf, report));
        return () => native;
      }
      const process = processOf(report);
      const providers = new Map<string, KindProvider>();
      return (kind) => {
        const known = providers.get(kind) ?? providerOf(managed[kind], process);
        providers.set(kind, known);
        return known;
      };
    },
    told({ kind, name, urn, preview, imports, deleteBeforeReplace, retainOnDelete, adapter, ...more }) {
      const text = `exports.handler = () => require("pulumi-feature-console/dynamic/v1").${kind};`;
      return {
        ...(adapter === "native" ? {} : { __provider: text }),
        __program: {
          ...{ name, urn, preview, sources: more.sources, consoles: more.consoles },
          stack: urn.split(":")[2],
          ...orderNotes(deleteBeforeReplace),
          ...(retainOnDelete === true ? { retained: true } : {}),
        },
        ...(imports === undefined ? {} : { __adopt: imports }),
      };
    },
  };
}

function orderNotes(deletesFirst: boolean | undefined): JsonObject {
  if (deletesFirst === undefined) return {};
  return deletesFirst ? { deletesFirst } : { createsFirst: true };
}

/** The native plugin as the engine of the model calls it, which keeps URNs of dynamic resources. */
function nativeProvider(plugin: Plugin): KindProvider {
  return {
    check: (olds, news, { urn, inputs }) =>
      plugin.check(nativeUrn(urn), olds, { values: news, secrets: [] }, inputs !== undefined),
    async diff(id, olds, news, { urn, inputs = {} }) {
      const planned = await plugin.diff(nativeUrn(urn), id, { inputs, state: olds }, news);
      if (planned === undefined) return { changes: false };
      const { differences, replaces, deletesFirst } = planned;
      // The engine has nothing to compare by itself where the differences are listed.
      const listed = differences.some(({ ofInputs }) => ofInputs) ? {} : { changes: true };
      return { ...listed, replaces, deleteBeforeReplace: deletesFirst };
    },
    create: (inputs, { urn }) =>
      plugin.create(nativeUrn(urn), inputs).then(({ id, state }) => ({ id, outs: state })),
    update: (id, olds, news, { urn }) =>
      plugin.update(nativeUrn(urn), id, olds, news).then((outs) => ({ outs })),
    async read(id, props, { urn }) {
      const found = await plugin.refresh(nativeUrn(urn), id, props);
      if (found === undefined) return {};
      const inputs = found.inputs === undefined ? {} : { inputs: found.inputs };
      return { id: found.id, props: found.state, ...inputs };
    },
    delete: (id, props, { urn }) => plugin.delete(nativeUrn(urn), id, props),
  };
}

/** The kind of a native type is in PascalCase, as its class. */
function nativeUrn(urn: string): string {
  const [before = "", after = ""] = urn.split(typePrefix);
  return `${before}${nativePrefix}${after.charAt(0).toUpperCase()}${after.slice(1)}`;
}
