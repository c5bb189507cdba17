import * as pulumi from "@pulumi/pulumi";
import { drawnByNames, Flags, type SpecDocument, startOn } from "../evaluation";
import { constructedUnderMocks } from "../pulumi/mocks";
import type { MockConsole } from "./mock-console";
import { type MockOptions, programMocks, resourcesMade } from "./program-mocks";

/** How a program is run, and for which environment its flags are evaluated. */
export interface FlagOptions extends MockOptions {
  /** What the SDK says as its environment, such as `production`. Left out: none. */
  readonly environment?: string;
  /** The stack's configuration. A name without a namespace is one of the program's own: `pulumi.Config().get(name)`. */
  readonly config?: Readonly<Record<string, string>>;
  /** What `pulumi.getProject()` answers. Default: `project`. */
  readonly project?: string;
  /** What `pulumi.getStack()` answers. Default: `stack`. */
  readonly stack?: string;
  /** The explicit provider whose flags are meant, by its name. Needed where the program has resources in several consoles. */
  readonly provider?: string;
}

/** Loads a Pulumi program, as `() => import("../index")`; where it exports a function by default, that is called too, as Pulumi does. */
export type Program = () => unknown;

/**
 * Runs a program with this package's provider over a console in memory, and hands its flags to the service's own SDK. No Pulumi
 * CLI, no network, no file. The program's mocks stay set.
 * @throws Error with all that is wrong with the program; where it makes no resources; where the SDK is not installed.
 */
export async function flagsOf(program: Program, options: FlagOptions = {}): Promise<Flags> {
  const { environment, config = {}, project = "project", stack = "stack", provider } = options;
  const { mocks, used } = programMocks(options);
  await pulumi.runtime.setMocks(mocks, project, stack);
  const entries = Object.entries(config).map(([name, value]) => [
    name.includes(":") ? name : `${project}:${name}`,
    value,
  ]);
  pulumi.runtime.setAllConfig(Object.fromEntries(entries));
  await run(program);
  if (constructedUnderMocks().length === 0) throw new Error(nothingMade);
  await resourcesMade();
  const { v1 } = consoleOf(used, provider).sdkDocuments();
  return new Flags(await startOn(drawnByNames(JSON.parse(v1) as SpecDocument), environment));
}

const nothingMade =
  "the program made no resources. A module runs once: where it was loaded before, make its resources in a function that it " +
  "exports and that is called here, use a file of tests for each, or have jest.resetModules() or vi.resetModules() forget it";

async function run(program: Program): Promise<void> {
  let loaded = await program();
  // As TypeScript and bundlers wrap it: a default within a default.
  while (hasDefault(loaded)) loaded = await loaded.default;
  if (typeof loaded === "function") await loaded();
}

function hasDefault(loaded: unknown): loaded is { readonly default: unknown } {
  return typeof loaded === "object" && loaded !== null && "default" in loaded && loaded.default !== loaded;
}

function consoleOf(used: ReadonlyMap<string, MockConsole>, provider: string | undefined): MockConsole {
  const named = [...used].map(([key, console]) => [nameOf(key), console] as const);
  const found = named.filter(([name]) => provider === undefined || name === provider);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first[1];
  const names = named.map(([name]) => (name === "" ? "the default one" : `"${name}"`)).join(", ");
  throw new Error(
    provider === undefined
      ? `the program has resources in several providers, each a console of its own: ${names}; name one by { provider }`
      : `{ provider: "${provider}" }: the program has no resources there; its providers are ${names}`,
  );
}

/** The name of a provider, of which Pulumi tells `URN::ID`. */
const nameOf = (key: string): string => key.split("::").at(-2) ?? "";
