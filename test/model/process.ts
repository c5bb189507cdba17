import type { Transport } from "../../src/provider/client/transport";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Patch, SourceCopy } from "./source-copy";

/** What a process of the provider is given from outside. */
export interface ProcessOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder of the Pulumi project. */
  readonly folder: string;
  readonly transport: Transport;
  readonly report: (line: string) => void;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What Pulumi's host calls, for one kind. */
export interface KindProvider {
  check(olds: JsonObject, news: JsonObject): Promise<{ inputs: JsonObject; failures?: readonly Failure[] }>;
  diff(id: string, olds: JsonObject, news: JsonObject): Promise<DiffResult>;
  create(inputs: JsonObject): Promise<{ id: string; outs?: JsonObject }>;
  read(id: string, props: JsonObject): Promise<{ id?: string; props?: JsonObject; inputs?: JsonObject }>;
  update(id: string, olds: JsonObject, news: JsonObject): Promise<{ outs?: JsonObject }>;
  delete(id: string, props: JsonObject): Promise<void>;
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
  /** The program says `deleteBeforeReplace: false`. */
  readonly createsFirst: boolean;
}

/** The provider's code. */
export interface ProviderCode {
  start(options: ProcessOptions): ProviderProcess;
  /** Inputs that the class hands over. */
  told(telling: Telling): JsonObject;
}

/** Modules of a copy, as far as they are used here. */
interface Loaded {
  readonly ProviderProcess: new (ports: object) => unknown;
  readonly providerOf: (definition: unknown, process: unknown) => KindProvider;
  readonly managed: Readonly<Record<string, unknown>>;
}

/** The code with some places changed. @throws Error for a patch whose place is not there. */
export function codeWith(patches: readonly Patch[]): ProviderCode {
  return codeOf(new SourceCopy(patches));
}

/** The provider's code in a copy of the source. */
export function codeOf(copy: SourceCopy): ProviderCode {
  const { ProviderProcess, providerOf, managed } = {
    ...copy.load("provider/definitions/index.ts"),
    ...copy.load("provider/pulumi/process.ts"),
    ...copy.load("provider/pulumi/provider.ts"),
  } as unknown as Loaded;
  return {
    start({ environment, ...ports }) {
      const process = new ProviderProcess({ environment: () => environment, ...ports });
      const providers = new Map<string, KindProvider>();
      return (kind) => {
        const known = providers.get(kind) ?? providerOf(managed[kind], process);
        providers.set(kind, known);
        return known;
      };
    },
    told({ kind, name, urn, preview, imports, createsFirst }) {
      return {
        __provider: `exports.handler = () => require("pulumi-feature-console/dynamic/v1").${kind};`,
        __program: { name, urn, preview, ...(createsFirst ? { createsFirst: true } : {}) },
        ...(imports === undefined ? {} : { __adopt: imports }),
      };
    },
  };
}
