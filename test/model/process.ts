import type { Transport } from "../../src/client/transport";
import type { JsonObject } from "../../src/core/json";
import type { Modules, Patch } from "./source-copy";
import { SourceCopy } from "./source-copy";

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
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly stack: string;
  readonly preview: boolean;
  readonly imports: string | undefined;
}

/** The provider's code. */
export interface ProviderCode {
  start(options: ProcessOptions): ProviderProcess;
  /** Inputs that the class hands over. */
  told(telling: Telling): JsonObject;
}

/** What a process of today's code finds in the place of what Node gives it. */
interface Around {
  readonly folder: string;
  readonly transport: Transport;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Doors for what a process of today's code takes from Node itself. */
const doors: readonly Patch[] = [
  {
    file: "pulumi/context.ts",
    find: "{ ...embedded(settings), report, writesLeft }",
    replace: "{ transport: around.transport, clock: around, report, writesLeft }",
  },
  { file: "pulumi/context.ts", find: "sleep: systemClock.sleep", replace: "sleep: around.sleep" },
  { file: "pulumi/context.ts", find: "now: systemClock.now", replace: "now: around.now" },
  {
    file: "pulumi/notes.ts",
    find: 'path.join(".feature-console"',
    replace: 'path.join(around.folder, ".feature-console"',
  },
];

/** The code with some places changed, as it runs in processes of its own. */
export function codeWith(patches: readonly Patch[]): ProviderCode {
  const copy = new SourceCopy([...doors, ...patches], ["process", "console", "around"]);
  const shared: Modules = new Map();
  const definitions = copy.load("catalog/index.ts", () => shared).managed as Record<string, unknown>;
  return {
    start({ environment, report, ...around }) {
      const own: Modules = new Map();
      // What a process remembers is in this room alone.
      const keep = (file: string) => (file.startsWith("pulumi/") ? own : shared);
      const scope = { process: { env: environment }, console: { info: report }, around: around as Around };
      const { providerOf } = copy.load("pulumi/provider.ts", keep, scope) as {
        providerOf: (definition: unknown) => KindProvider;
      };
      const providers = new Map<string, KindProvider>();
      return (kind) => {
        const known = providers.get(kind) ?? providerOf(definitions[kind]);
        providers.set(kind, known);
        return known;
      };
    },
    told({ name, stack, preview, imports, type }) {
      return {
        __provider: `exports.handler = () => require("pulumi-feature-console/dynamic/v1").${type};`,
        __logicalName: name,
        __stack: stack,
        __preview: preview,
        ...(imports === undefined ? {} : { __adopt: imports }),
      };
    },
  };
}
