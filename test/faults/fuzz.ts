import { startEmulator } from "../../src/emulator";
import * as exported from "../../src/index";
import { createClient } from "../../src/provider/client";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { driverOf } from "../support/driver";
import { startDynamicHost } from "../support/dynamic-host";
import { configFor, testKey } from "../support/in-process";
import { createPackedProject } from "../support/packed-project";
import { FuzzedKind, type Outcome } from "./fuzz-kind";
import { drawRecipes, type Recipe } from "./fuzz-recipes";
import { groupOf, openFront } from "./fuzz-relay";
import { SharedLock } from "./shared-lock";
import { errorStatus } from "./wrong-answer";

/** What to run. */
export interface FuzzOptions {
  /** Wrong answers to give. */
  readonly count: number;
  readonly seed: number;
  /** Told after each wrong answer. */
  readonly progress?: (outcome: Outcome, given: number) => void;
}

/** What came of it. */
export interface FuzzResult {
  readonly outcomes: readonly Outcome[];
  /** Faults of the host as a whole: changed prototypes, texts of accidents on its standard error. */
  readonly hostFaults: readonly string[];
}

/** Runs inside the host and tells when a prototype has a member that it did not have. */
const probe = `
const watched = { Object, Array, String, Number, Function };
const names = (one) => Object.getOwnPropertyNames(one.prototype).sort().join();
const before = Object.entries(watched).map(([name, one]) => [name, names(one)]);
const look = () => {
  for (const [name, was] of before) if (names(watched[name]) !== was) console.error("CHANGED PROTOTYPE " + name);
};
setInterval(look, 50).unref();
process.on("exit", look);
`;

const kinds: readonly ResourceDefinition[] = Object.values(catalog);

/** Gives wrong answers to every verb of every managed kind, over Pulumi's own host of dynamic providers. */
export async function fuzz({ count, seed, progress }: FuzzOptions): Promise<FuzzResult> {
  const emulator = await startEmulator({ key: testKey, seed: besideSamples() });
  const front = await openFront(emulator.url, testKey);
  const project = await createPackedProject({ program: "", files: { "probe.cjs": probe } });
  const env = { NODE_OPTIONS: `--require ${project.folder}/probe.cjs` };
  const host = await startDynamicHost({ cwd: project.folder, env });
  // A run in which a create took something over leaves it alone when an older resource of that id goes.
  const destroyer = await startDynamicHost({ cwd: project.folder, env });
  const raw = createClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey });
  const lookups = exported as unknown as ConstructorParameters<typeof FuzzedKind>[0]["lookups"];
  const around = { ...process.env };
  Object.assign(process.env, {
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: front.url,
    FEATURE_CONSOLE_API_KEY: testKey,
  });
  const outcomes: Outcome[] = [];
  try {
    for (const one of [host, destroyer])
      await one.configure({ ...configFor(front), "feature-console:maxConcurrency": "64" });
    const groups = new Map<string, FuzzedKind[]>();
    for (const definition of kinds) {
      const [first] = Object.values(definition.routes);
      const group = groupOf(`/console/v1${first?.path}`);
      const fuzzed = new FuzzedKind({
        definition,
        driver: driverOf({ definition, backend: () => host }),
        destroyer: driverOf({ definition, backend: () => destroyer }),
        raw,
        front,
        group,
        lookups,
        key: testKey,
      });
      groups.set(group, [...(groups.get(group) ?? []), fuzzed]);
    }
    let given = 0;
    const lock = new SharedLock();
    // Verbs end before they have asked so often as some recipes want: more are drawn than are needed.
    const recipes = drawRecipes(count * 3, seed)[Symbol.iterator]();
    await Promise.all(
      [...groups.values()].map(async (group) => {
        for (let turn = 0; given < count; turn += 1) {
          const { value: recipe } = recipes.next() as IteratorResult<Recipe, undefined>;
          if (recipe === undefined) return;
          const fuzzed = group[turn % group.length] as FuzzedKind;
          const meet = () => fuzzed.meet(recipe);
          // A refused key ends the reads of all that are under way: theirs would show what state had.
          const isAlone = fuzzed.looksAtOthers || errorStatus(recipe) === 401;
          const outcome = await (isAlone ? lock.exclusive(meet) : lock.shared(meet));
          outcomes.push(outcome);
          if (outcome.given !== undefined) given += 1;
          progress?.(outcome, given);
        }
      }),
    );
    const stderr = host.stderr() + destroyer.stderr();
    const hostFaults = stderr.match(/CHANGED PROTOTYPE \w+|unhandled\w*.*/gi) ?? [];
    return {
      outcomes,
      hostFaults: [...hostFaults, ...(stderr.includes(testKey) ? ["the host printed the key"] : [])],
    };
  } finally {
    process.env = around;
    await Promise.all([host.stop(), destroyer.stop()]);
    await project.remove();
    await front.close();
    await emulator.close();
  }
}

/** What the samples of all kinds refer to, each once. */
function besideSamples(): Record<string, JsonObject[]> {
  const all: Record<string, JsonObject[]> = {};
  for (const [list, objects] of kinds.flatMap(({ samples }) => Object.entries(samples.beside ?? {}))) {
    const known = all[list] ?? [];
    all[list] = [...known, ...objects.filter(({ name }) => known.every((one) => one.name !== name))];
  }
  return all;
}
