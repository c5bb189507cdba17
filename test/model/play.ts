import { isObject, type JsonObject } from "../../src/core/json";
import { wantsArchived } from "../../src/core/plan";
import { keyOf, ModelConsole, type Received, type Snapshot } from "./console";
import { edited, keyOf as keyOfDeclared } from "./edits";
import { EngineRun, type Run, type UpOptions } from "./engine";
import type { Act, Episode, Violation } from "./episode";
import type { Disturbance, History, StackName, Step } from "./history";
import { kinds } from "./kinds";
import { Ledger } from "./ledger";
import { objectOf, releasedGate } from "./ownership";
import { passages } from "./passages";
import { perform } from "./people";
import type { ProviderCode } from "./process";
import { changeText, type Declared, type Held, nameOf, substituted } from "./program";
import { Dice } from "./random";
import { unforeseen, violationsOf } from "./rules";
import { type Counts, count, noCounts, withoutNames } from "./tally";
import { followAdvice, type Reaction, saysWhatToType } from "./user";

/** What came of a history. */
export interface Outcome {
  readonly history: History;
  /** Those of the first command that broke a rule. */
  readonly violations: readonly Violation[];
  /** What happened, in words. */
  readonly told: readonly string[];
  readonly counts: Counts;
}

/** What a stack has. */
interface Stack {
  readonly name: StackName;
  readonly folder: string;
  program: readonly Declared[];
  /** The program of the last success. */
  good: readonly Declared[];
  state: readonly Held[];
  /** The next command is told that what is equal is this stack's. */
  takesOver: boolean;
  /** The program of the run that was killed last. */
  interrupted: readonly Declared[] | undefined;
  /** A run of it was killed, or failed. */
  wasKilled: boolean;
  /** What it does not know of, because it was killed. */
  unsure: Set<string>;
  readonly everHeld: Set<string>;
}

type Up = Extract<Step, { do: "up" }>;

/** Where notes of a stack are, and how they are forgotten. */
export interface Notes {
  folderOf(stack: StackName): string;
  forget(stack: StackName): void;
}

/** Plays a history until its first violation. */
export async function play(history: History, code: ProviderCode, notes: Notes): Promise<Outcome> {
  const world = new PlayedWorld(history, code, notes);
  const violations = await world.run();
  return { history, violations, told: world.told, counts: world.counts };
}

class PlayedWorld {
  readonly told: string[] = [];
  readonly counts = noCounts();
  readonly #history: History;
  readonly #code: ProviderCode;
  readonly #notes: Notes;
  readonly #console: ModelConsole;
  readonly #ledger: Ledger;
  readonly #dice: Dice;
  readonly #stacks: Record<StackName, Stack>;
  readonly #fixture: Readonly<Record<string, string>>;
  /** Objects that must be in use at every moment of the command that is under way. */
  #watched = new Set<string>();
  #interrupted = new Set<string>();

  constructor(history: History, code: ProviderCode, notes: Notes) {
    this.#history = history;
    this.#code = code;
    this.#notes = notes;
    this.#dice = new Dice(history.seed ^ 0x5bd1e995);
    this.#console = new ModelConsole(this.#dice);
    this.#ledger = new Ledger(this.#console);
    this.#console.onWrite = (received) => this.#onWrite(received);
    this.#stacks = { A: this.#newStack("A"), B: this.#newStack("B") };
    this.#fixture = this.#furnish();
  }

  async run(): Promise<readonly Violation[]> {
    for (const step of this.#history.steps) {
      const violations = await this.#perform(step);
      if (violations.length > 0) return violations;
      this.#console.wait(1000 + this.#dice.below(3_600_000));
    }
    return [];
  }

  #newStack(name: StackName): Stack {
    const folder = this.#notes.folderOf(name);
    return {
      name,
      folder,
      program: [],
      good: [],
      state: [],
      wasKilled: false,
      takesOver: false,
      interrupted: undefined,
      unsure: new Set(),
      everHeld: new Set(),
    };
  }

  /** What is there from the start: environments, and a release where the history acts on one. */
  #furnish(): Record<string, string> {
    const environments = ["production", "staging", "development"].map((name, index) => ({
      ...{ name, isProduction: index === 0, requiresReview: false, requiresReleasePipeline: false },
    }));
    this.#console.ask("person", "POST", "/environments", { environments });
    if (!this.#history.kinds.some((kind) => kind.startsWith("release"))) return {};
    // Only a phase that waits for its review can be approved, and only one that does not wait can be skipped.
    const requiredReview = this.#history.kinds.includes("releaseApproval");
    const phases = ["one", "two"].map((name) => ({
      ...{ name, timeIntervalMs: 60_000_000_000, requiredReview },
      rules: [{ name, conditions: [] }],
    }));
    const ask = (method: string, path: string, body?: JsonObject) =>
      this.#console.ask("person", method, path, body).body.data as JsonObject & JsonObject[];
    const pipeline = ask("POST", "/release_pipelines", { name: "careful", phases });
    ask("POST", "/gates", { name: releasedGate, releasePipelineID: pipeline.id });
    const rules = [{ name: "All", passPercentage: 50, conditions: [{ type: "public" }] }];
    ask("PATCH", `/gates/${releasedGate}`, { rules });
    const [trigger] = ask("GET", "/release_pipeline_triggers");
    return { $release: String(trigger?.id), $phase: String(trigger?.currentPhaseID) };
  }

  #onWrite(received: Received): void {
    this.#ledger.note(received);
    for (const key of received.touched) {
      const now = this.#console.find(key);
      if (this.#watched.has(key) && (now === undefined || now.archived)) this.#interrupted.add(key);
    }
  }

  async #perform(step: Step): Promise<readonly Violation[]> {
    switch (step.do) {
      case "edit":
        this.#edit(step.stack, step);
        return [];
      case "hand": {
        const declared = Object.values(this.#stacks).flatMap((stack) => this.#plain(stack));
        const sight = { console: this.#console, kinds: this.#history.kinds, declared };
        const did = perform(sight, step.how, step.n);
        if (did === undefined) return [];
        this.told.push(`a person: ${did}`);
        count(this.counts.edits, `by hand: ${step.how}`);
        return [];
      }
      case "forget notes":
        this.#notes.forget(step.stack);
        this.told.push(`${step.stack}: the notes of its project are removed`);
        return [];
      case "refresh":
        return this.#refresh(this.#stacks[step.stack]);
      case "destroy":
        return this.#destroy(this.#stacks[step.stack], step);
      case "up":
        return this.#up(this.#stacks[step.stack], step);
    }
  }

  #edit(name: StackName, { how, n }: Extract<Step, { do: "edit" }>): void {
    const stack = this.#stacks[name];
    const desk = {
      program: stack.program,
      state: stack.state,
      console: this.#console.snapshot(),
      kinds: this.#history.kinds,
    };
    const program = edited(desk, how, n);
    if (program === stack.program) return;
    if (how === "move to the other stack") {
      const moved = stack.program.find((one) => !program.some((other) => nameOf(other) === nameOf(one)));
      const other = this.#other(stack);
      if (moved === undefined || other.program.some((one) => nameOf(one) === nameOf(moved))) return;
      const args = { ...moved.args, ...((n[2] ?? 0) % 2 === 0 ? { adopt: true } : {}) };
      // Outputs of the program that it leaves are not at hand.
      const plain = this.#plain({ ...stack, program: [{ ...moved, args, aliases: [] }] });
      other.program = [...other.program, ...plain];
    }
    const changed = changeText(stack.program, program);
    stack.program = program;
    this.told.push(`${name}: ${how}: ${changed}`);
    count(this.counts.edits, how);
  }

  /** A program with ids in the place of references and of what stands for the release. */
  #plain({ program, state }: Stack): Declared[] {
    const idOf = (name: string) => {
      const declared = program.find((one) => nameOf(one) === name);
      return (
        state.find((held) => nameOf(held) === name)?.id ??
        (declared ? keyOfDeclared(declared) : name.split(".")[1])
      );
    };
    return program.map((one) => ({ ...one, args: substituted(one.args, idOf) as JsonObject }));
  }

  async #refresh(stack: Stack): Promise<readonly Violation[]> {
    const start = this.#console.snapshot();
    const before = stack.state;
    const update = await this.#act(stack, "update", {}, (engine) => engine.refresh());
    stack.state = update.run.state;
    stack.unsure.clear();
    this.#tell(stack, "refresh", update);
    return violationsOf(this.#episode(stack, "refresh", { before, start, seen: start, update }));
  }

  async #destroy(stack: Stack, { disturbance, checkpoints, parallel }: Extract<Step, { do: "destroy" }>) {
    const before = stack.state;
    const seen = this.#console.snapshot();
    const preview = await this.#act(stack, "preview", {}, (engine) => engine.destroy());
    const factsBefore = this.#ledger.facts();
    const update = await this.#act(stack, "update", { disturbance, parallel }, (engine) => engine.destroy());
    this.#record(stack, update, checkpoints);
    this.#tell(stack, "destroy", update);
    const lost = disturbance?.how === "lose";
    return violationsOf(
      this.#episode(stack, "destroy", { before, seen, start: seen, factsBefore, preview, update, lost }),
    );
  }

  async #up(stack: Stack, step: Up): Promise<readonly Violation[]> {
    const first = await this.#upOnce(stack, step);
    if (first.violations.length > 0 || !first.killed || step.recover === "later") return first.violations;
    if (step.recover === "without notes") {
      this.#notes.forget(stack.name);
      this.told.push(`${stack.name}: the notes of its project are removed`);
    }
    const plain: Up = {
      ...step,
      between: undefined,
      disturbance: undefined,
      refresh: false,
      replace: undefined,
      ifRefused: "nothing",
    };
    for (let tries = 1; ; tries += 1) {
      this.#console.wait(60_000);
      const next = await this.#upOnce(stack, plain);
      if (next.violations.length > 0 || next.error === undefined) return next.violations;
      const advised = next.isExcused ? undefined : this.#advised(stack, next.error);
      // What was said about an object of its own must then be enough.
      if (advised?.takesOver && tries === 1) {
        stack.takesOver = true;
        this.told.push(`${stack.name}: ${advised.told}`);
        continue;
      }
      if (saysWhatToType(next.error) || next.isExcused) return [];
      if (tries === 1) continue;
      const rule = "after a kill the same command ends well, or says what to type";
      return [{ rule, object: "program", text: next.error }];
    }
  }

  async #upOnce(stack: Stack, step: Up) {
    const before = stack.state;
    const seen = this.#console.snapshot();
    const options = this.#options(stack, step);
    const program = this.#programOf(stack);
    const up = (engine: EngineRun) => engine.up(program, options);
    const preview = await this.#act(stack, "preview", {}, up);
    let inner: readonly Violation[] = [];
    let disturbed = false;
    if (step.between !== undefined && preview.run.error === undefined) {
      this.told.push(`${stack.name}: has seen the preview of up; before it says yes:`);
      inner = await this.#perform(step.between);
      // Clocks do not tell what happens within seconds.
      this.#console.wait(10_000);
      disturbed = true;
    }
    const start = this.#console.snapshot();
    const factsBefore = this.#ledger.facts();
    this.#watch(preview.run, before, start);
    const users = this.#askedFor(before);
    const update = preview.run.error === undefined ? await this.#act(stack, "update", step, up) : undefined;
    this.#watched.clear();
    if (update !== undefined) this.#record(stack, update, step.checkpoints, step.refresh);
    const flags = [
      options.refresh ? "--refresh" : "",
      ...options.replace.map((urn) => `--replace ${urn.split("::").at(-1)}`),
    ];
    this.#tell(stack, ["up", ...flags.filter(Boolean)].join(" "), update ?? preview, update === undefined);
    const error = preview.run.error ?? update?.run.error;
    const killed = update?.run.killed === true;
    const done = error === undefined && !killed;
    const again =
      done && !disturbed
        ? await this.#act(stack, "preview", {}, (engine) => engine.up(program, none))
        : undefined;
    const lost = step.disturbance?.how === "lose";
    const episode = this.#episode(stack, "up", {
      before,
      seen,
      start,
      factsBefore,
      preview,
      update,
      lost,
      disturbed,
      again,
      users,
      replaced: options.replace,
      refreshes: options.refresh,
      takesOver: stack.takesOver,
      continues: stack.interrupted === undefined || stack.interrupted === stack.program,
    });
    if (update !== undefined && !done) stack.wasKilled = true;
    stack.takesOver = false;
    if (done) stack.good = stack.program;
    else if (!killed) this.#react(stack, step, error ?? "");
    // What stands against it does so with or without a kill.
    const isExcused = update?.run.error !== undefined && unforeseen(episode) === undefined;
    return { violations: [...inner, ...violationsOf(episode)], error, killed, isExcused };
  }

  /** Objects of a state that others in use refer to. */
  #askedFor(state: readonly Held[]): Set<string> {
    const found = state.map((held) => this.#console.find(objectOf(held)));
    const asked = found.filter((stored) => stored !== undefined && this.#console.usersOf(stored).length > 0);
    return new Set(asked.map((stored) => stored?.key ?? ""));
  }

  #options(stack: Stack, { refresh, replace }: Up): UpOptions {
    const chosen = replace === undefined ? undefined : stack.state[replace % Math.max(1, stack.state.length)];
    return { refresh, replace: chosen === undefined ? [] : [chosen.urn] };
  }

  /** The program with what stands for the release in its place. */
  #programOf({ program }: Stack): readonly Declared[] {
    const place = (value: unknown): unknown => {
      if (typeof value === "string") return this.#fixture[value] ?? value;
      if (Array.isArray(value)) return value.map(place);
      if (!isObject(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, place(one)]));
    };
    return program.map((one) => ({ ...one, args: place(one.args) as JsonObject }));
  }

  /** Objects in use that one resource had and another goes on with. */
  #watch({ steps }: Run, before: readonly Held[], start: Snapshot): void {
    this.#interrupted = new Set();
    const wanted = new Map(
      steps.flatMap((step) => {
        const definition = kinds[step.kind]?.definition;
        if (step.inputs === undefined || definition?.identity.argument !== "key") return [];
        if (wantsArchived(definition, step.inputs)) return [];
        return [[keyOf(step.kind, String(step.inputs.key)), step.id] as const];
      }),
    );
    const keys = before.flatMap((held) => {
      const key = objectOf(held);
      const stored = start.get(key);
      const isTaken = wanted.has(key) && wanted.get(key) !== held.id;
      return isTaken && stored !== undefined && !stored.archived ? [key] : [];
    });
    this.#watched = new Set(keys);
  }

  #record(stack: Stack, update: Act, checkpoints: boolean, refreshed = false): void {
    const { run, requests } = update;
    if (refreshed && (!run.killed || checkpoints)) stack.unsure.clear();
    if (run.killed) {
      stack.interrupted = stack.program;
      for (const key of requests.flatMap(({ touched }) => touched)) stack.unsure.add(key);
    } else {
      const settled = run.error === undefined ? run.steps.filter(({ op }) => op !== "same") : [];
      for (const { kind, id } of settled) stack.unsure.delete(keyOf(kind, id ?? ""));
    }
    if (!run.killed || checkpoints) stack.state = run.state;
    for (const held of stack.state) stack.everHeld.add(objectOf(held));
    for (const { kind, op } of run.steps) count(this.counts.ops, `${kind} ${op}`);
  }

  /** What a user does who was refused. */
  #react(stack: Stack, { ifRefused }: Up, error: string): void {
    if (ifRefused === "nothing") return;
    if (ifRefused === "revert") {
      if (stack.program === stack.good) return;
      stack.program = stack.good;
      this.told.push(`${stack.name}: puts the program back`);
      return;
    }
    const reaction = this.#advised(stack, error);
    if (reaction === undefined) return;
    stack.program = reaction.program;
    stack.takesOver = reaction.takesOver;
    this.told.push(`${stack.name}: ${reaction.told}`);
    count(this.counts.edits, reaction.told.replace(/\w+\.flag_\d was flag_\d/, "it was renamed"));
  }

  #advised(stack: Stack, error: string): Reaction | undefined {
    const { name, program, state } = stack;
    const [console, facts] = [this.#console.snapshot().values(), this.#ledger.facts()];
    return followAdvice({
      stack: name,
      error,
      program,
      state,
      others: this.#other(stack).state,
      console,
      facts,
    });
  }

  #other({ name }: Stack): Stack {
    return this.#stacks[name === "A" ? "B" : "A"];
  }

  async #act(
    stack: Stack,
    phase: "preview" | "update",
    {
      disturbance,
      parallel,
    }: { readonly disturbance?: Disturbance | undefined; readonly parallel?: boolean },
    work: (engine: EngineRun) => Promise<Run>,
  ): Promise<Act> {
    const from = this.#console.received.length;
    const lines: string[] = [];
    let died: () => void = () => {};
    const death = new Promise<void>((resolve) => {
      died = resolve;
    });
    const process = this.#code.start({
      environment: stack.takesOver ? { ...environment, FEATURE_CONSOLE_TAKE_OVER: "1" } : environment,
      folder: stack.folder,
      transport: this.#console.transport(stack.name, passages(disturbance), died),
      report: (line) => lines.push(line),
      now: this.#console.now,
      sleep: async (ms) => this.#console.wait(ms),
    });
    const cut = disturbance?.how === "cut" ? disturbance : undefined;
    const preview = phase === "preview";
    const dice = parallel ? this.#dice : undefined;
    const setting = { stack: stack.name, code: this.#code, process, preview, cut, death, dice };
    const engine = new EngineRun(setting, stack.state);
    const run = await work(engine);
    return { run, lines, requests: this.#console.received.slice(from) };
  }

  #episode(
    stack: Stack,
    command: Episode["command"],
    part: Pick<Episode, "before" | "seen" | "start" | "update"> & Partial<Episode>,
  ): Episode {
    const others = this.#other(stack).state;
    const facts = this.#ledger.facts();
    const end = this.#console.snapshot();
    const removed = [...part.start.values()].filter(
      ({ key, archived }) => !archived && (end.get(key)?.archived ?? true),
    );
    return {
      ...{ stack: stack.name, command, program: stack.program, others, after: stack.state, end, facts },
      ...{ preview: undefined, disturbed: false, lost: false, again: undefined, factsBefore: facts },
      ...{
        refreshes: false,
        takesOver: false,
        continues: true,
        replaced: [],
        users: new Set<string>(),
        wasKilled: stack.wasKilled,
      },
      ...{ unsure: stack.unsure, everHeld: stack.everHeld, interrupted: [...this.#interrupted] },
      asked: new Map(removed.map((stored) => [stored.key, this.#console.usersOf(stored)])),
      ...part,
    };
  }

  #tell(stack: Stack, command: string, { run, lines, requests }: Act, isPreview = false): void {
    const how = run.killed
      ? "killed"
      : run.error === undefined
        ? "done"
        : isPreview
          ? "preview refused"
          : "failed";
    const steps = run.steps.filter(({ op }) => op !== "same").map((step) => `${step.op} ${nameOf(step)}`);
    const writes = requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, status }) => `${method} ${path} ${status}`);
    this.told.push(
      [`${stack.name}: ${command}: ${how}`, steps.join(", "), writes.join(", "), run.error ?? "", ...lines]
        .filter((text) => text !== "")
        .join("\n    "),
    );
    count(this.counts.commands, `${command.split(" ")[0]} ${how}`);
    if (run.error !== undefined) count(this.counts.refusals, withoutNames(run.error));
  }
}

const none: UpOptions = { refresh: false, replace: [] };

const environment = {
  FEATURE_CONSOLE_PROFILE: "custom",
  FEATURE_CONSOLE_BASE_URL: "http://console.test",
  FEATURE_CONSOLE_API_KEY: ["model", "key"].join("-"),
  FEATURE_CONSOLE_WRITES_PER_10S: "1000000",
  FEATURE_CONSOLE_WRITES_PER_15MIN: "1000000",
};
