import path from "node:path";
import { fileURLToPath } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import { drawnByNames, type Flags, flagsOn, type SpecDocument } from "../../emulator/evaluation";
import { constructedUnderMocks, type MissingValue, missingUnderMocks } from "../../provider/pulumi/mocks";
import { typePrefix } from "../../provider/pulumi/stored-names";
import { guess } from "../../provider/texts/misspelling";
import { isYamlProgram, readYamlProgram } from "../yaml/program-file";
import type { MockConsole } from "./mock-console";
import { type MockOptions, type PlaceOf, programMocks, resourcesMade } from "./program-mocks";
import { makeYamlResources, type ProgramSettings, placesIn } from "./yaml-program";

/** Settings of a program, and the environment for which its flags are evaluated. */
export interface FlagOptions extends MockOptions {
  /** Environment of the SDK, such as `production`. Left out: none. */
  readonly environment?: string;
  /**
   * The stack's configuration. A name without a namespace is one of the program's own: `pulumi.Config().get(name)`. What is no text
   * becomes JSON, as the program asks for it.
   */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Result of `pulumi.getProject()`. Default: the name in the `Pulumi.yaml` of a program in YAML, else `project`. */
  readonly project?: string;
  /** Result of `pulumi.getStack()`. Default: `stack`. */
  readonly stack?: string;
  /**
   * Stage of release pipelines. `finished`: the last one is over. Left out: nobody knows, so that asking for a
   * flag whose pipeline has a stage open is an error.
   */
  readonly pipelines?: "finished";
  /** The explicit provider whose flags are meant, by its name. Needed where the program has resources in several consoles. */
  readonly provider?: string;
  /** Takes each warning: what a preview of the program warns of, and what no server SDK can be told. Default: `console.warn`. */
  readonly warn?: (text: string) => void;
}

const optionNames: Readonly<Record<keyof FlagOptions, true>> = {
  ...{ environment: true, config: true, project: true, stack: true, provider: true, warn: true },
  ...{ seed: true, stacks: true, fallback: true, pipelines: true },
};

function refuseUnknownOptions(options: FlagOptions): void {
  const known = Object.keys(optionNames);
  const name = Object.keys(options).find((one) => !known.includes(one));
  if (name === undefined) return;
  const advice = guess(name, known) || `; there are ${known.join(", ")}`;
  throw new Error(`flagsOf has no option "${name}"${advice}`);
}

/**
 * Loads a Pulumi program, as `() => import("../../index")`; where it exports a function by default, that is called too, as Pulumi does.
 * A program in YAML is named by its file, its folder, or the URL of either: `"./Pulumi.yaml"`.
 */
export type Program = (() => unknown) | string | URL;

/** Mocks and configuration belong to the whole process: of two programs at once each would get the other's. */
let latest: Promise<unknown> = Promise.resolve();

/**
 * Runs a program with this package's provider over a console in memory, and hands its flags to the service's own SDK. No Pulumi
 * CLI, no network, no file. The program's mocks stay set. Calls that are made at once run one after the other.
 * @throws Error with all that is wrong with the program; where it makes no resources; where the SDK is not installed.
 */
export async function flagsOf(program: Program, options: FlagOptions = {}): Promise<Flags> {
  if (typeof program !== "function" && !isYamlProgram(fileOf(program))) throw new Error(needsProgram);
  refuseUnknownOptions(options);
  const flags = latest.then(() => flagsMade(program, options));
  latest = flags.catch(() => {});
  return flags;
}

async function flagsMade(program: Program, options: FlagOptions): Promise<Flags> {
  const { load, name = "project", placeOf } = runnable(program);
  const { environment, config = {}, project = name, stack = "stack", provider } = options;
  const { warn = console.warn } = options;
  const { mocks, used, unknownStacks } = programMocks(options, placeOf);
  await pulumi.runtime.setMocks(mocks, project, stack);
  const entries = Object.entries(config).map(([name, value]) => [
    name.includes(":") ? name : `${project}:${name}`,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  pulumi.runtime.setAllConfig(Object.fromEntries(entries));
  await run(() => load({ project, stack, config }));
  if (constructedUnderMocks().length === 0) throw new Error(nothingMade);
  const made = resourcesMade();
  await made.catch(() => {});
  const [unknown] = unknownStacks;
  if (unknown !== undefined) throw new Error(stackMissing(unknown));
  for (const missing of missingUnderMocks()) warn(valueMissing(missing, options));
  await made;
  const [twice] = namesTwice(constructedUnderMocks());
  if (twice !== undefined) throw new Error(`two resources are called ${twice}: an update refuses that`);
  const meant = consoleOf(used, provider);
  for (const text of meant.warnings()) warn(text);
  const { v1 } = meant.sdkDocuments();
  const document = JSON.parse(v1) as SpecDocument;
  return flagsOn(drawnByNames(withStages(document, options.pipelines)), environment);
}

/** The document with doubts about release pipelines: none where they count as finished; else with advice. */
function withStages(document: SpecDocument, pipelines: FlagOptions["pipelines"]): SpecDocument {
  const doubts = Object.entries(document.not_known_here ?? {}).flatMap(([place, why]): [string, string][] => {
    if (!why.startsWith("release pipeline ")) return [[place, why]];
    return pipelines === "finished"
      ? []
      : [[place, `${why}; { pipelines: "finished" } evaluates what is out after the last one`]];
  });
  return { ...document, not_known_here: Object.fromEntries(doubts) };
}

const stackMissing = (name: string): string =>
  `the program reads the stack "${name}": set its outputs by { stacks: { "${name}": { NAME: VALUE } } }`;

/** Says which argument has no value, from where, and what to hand to `flagsOf`. */
function valueMissing({ place, sources }: MissingValue, { stacks = {} }: FlagOptions): string {
  const texts = sources.map(({ type, name }) => {
    if (type !== "pulumi:pulumi:StackReference")
      return `${type} "${name}", of which only its arguments are known here: mock its outputs by { fallback }`;
    const there = Object.keys(stacks[name] ?? {}).join(", ") || "nothing";
    return `the stack "${name}", for which { stacks } has ${there}`;
  });
  return `${place} has no value: it comes from ${texts.join(", and ")}`;
}

const nothingMade =
  "the program made no resources of this package. A module runs once in a process. For a module that a test has loaded before, " +
  "export a function that makes the resources, use one test file for each program, or call jest.resetModules() or vi.resetModules()";

const needsProgram =
  'flagsOf loads the program itself: hand it a function such as () => import("./index"), or the path of a Pulumi.yaml or its folder';

/** A program with what its language tells beside the resources. */
interface Runnable {
  readonly load: (settings: ProgramSettings) => unknown;
  /** The name of its project. */
  readonly name?: string | undefined;
  readonly placeOf?: PlaceOf;
}

function runnable(program: Program): Runnable {
  if (typeof program === "function") return { load: () => program() };
  const yaml = readYamlProgram(fileOf(program));
  return {
    ...{ name: yaml.name, placeOf: placesIn(yaml) },
    load: (settings) => makeYamlResources(yaml, settings),
  };
}

/** A URL of any realm: a test runner may have its own. */
const isUrl = (program: unknown): program is URL => (program as URL | undefined)?.protocol === "file:";

const fileOf = (program: unknown): string =>
  isUrl(program) ? fileURLToPath(program) : path.resolve(String(program));

async function run(load: () => unknown): Promise<void> {
  try {
    let loaded = await load();
    // As TypeScript and bundlers wrap it: a default within a default.
    while (hasDefault(loaded)) loaded = await loaded.default;
    if (typeof loaded === "function") await loaded();
  } catch (error) {
    // The resources made by then would fail in a later test.
    await resourcesMade().catch(() => {});
    throw error;
  }
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

/** Members of a resource that Pulumi's types hide. */
interface Placed {
  readonly __pulumiType: string;
  readonly __name: string;
  readonly __parentResource?: Placed;
}

/** Resources that have one URN, by kind and name: those of one name and type, below parents of the same types. */
function namesTwice(resources: readonly pulumi.Resource[]): string[] {
  const typesOf = ({ __pulumiType, __parentResource }: Placed): string =>
    `${__parentResource === undefined ? "" : `${typesOf(__parentResource)}$`}${__pulumiType}`;
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const resource of resources) {
    const placed = resource as unknown as Placed;
    const place = `${typesOf(placed).replace(typePrefix, "")} ${placed.__name}`;
    (seen.has(place) ? twice : seen).add(place);
  }
  return [...twice];
}
