import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { SharedConsole } from "../world/console";
import { Dice } from "../world/dice";
import { edited, keyOf } from "../world/edits";
import type { EngineRun } from "../world/engine";
import { type Fixtures, furnish, placed } from "../world/fixtures";
import { perform } from "../world/people";
import { changeText, type Declared, nameOf, substituted } from "../world/programs";
import type { ProviderCode } from "../world/provider";
import type { Disturbance } from "../world/stage";
import type { UpOptions } from "../world/steps";
import { type Astray, astrayViolations, namesConsole, settingsTo, workOf } from "./astray";
import type { Episode, Violation } from "./episode";
import { allowedIn } from "./harm";
import type { History, StackName, Step } from "./history";
import { objectOf } from "./ledger";
import { count, type Tally } from "./report";
import { unforeseen, violationsOf } from "./rules";
import { type Known, newStack, type PlayedStack, WatchedStage } from "./stage";
import { followAdvice, type Reaction, saysWhatToType } from "./user";

export interface Outcome {
  readonly history: History;
  /** Those of the first command that broke a rule. */
  readonly violations: readonly Violation[];
  readonly told: readonly string[];
  readonly counts: Tally;
}

type Up = Extract<Step, { do: "up" }>;
type Destroy = Extract<Step, { do: "destroy" }>;

/** Plays a history until its first violation, in a folder of its own. */
export async function playHistory(history: History, code: ProviderCode): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-model-"));
  try {
    const world = new PlayedWorld(history, code, folder);
    const violations = await world.run();
    const { told, counts } = world.stage;
    return { history, violations, told, counts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class PlayedWorld {
  readonly stage: WatchedStage;
  readonly #history: History;
  readonly #dice: Dice;
  readonly #stacks: Record<StackName, PlayedStack>;
  readonly #fixtures: Fixtures;

  constructor(history: History, code: ProviderCode, folder: string) {
    this.#history = history;
    this.#dice = new Dice(history.seed ^ 0x5bd1e995);
    this.stage = new WatchedStage(code, this.#dice);
    const make = (name: StackName) =>
      newStack(name, path.join(folder, history.sameFolder ? "project" : name), history.sameName);
    this.#stacks = { A: make("A"), B: make("B") };
    this.#fixtures = furnish(this.stage.console, history.kinds);
  }

  async run(): Promise<readonly Violation[]> {
    for (const [index, step] of this.#history.steps.entries()) {
      if (step.do === "up") this.#move(this.#stacks[step.stack], index);
      const violations = await this.#perform(step);
      if (violations.length > 0) return violations;
      // No time passes: what follows is as it would be without it.
      if (step.do === "astray") continue;
      this.stage.console.wait(1000 + this.#dice.below(3_600_000));
    }
    return [];
  }

  /** Changes the import of a program, where its time has come. */
  #move(stack: PlayedStack, step: number): void {
    const from = this.#history.nativeFrom?.[stack.name];
    if (from === undefined || step < from || stack.adapter === "native") return;
    stack.adapter = "native";
    if (stack.state.length === 0) return;
    this.stage.told.push(`${stack.name}: moves to the native plugin`);
    count(this.stage.counts, "edit: move to the native plugin");
  }

  async #perform(step: Step): Promise<readonly Violation[]> {
    switch (step.do) {
      case "edit":
        this.#edit(step.stack, step);
        return [];
      case "hand": {
        const declared = Object.values(this.#stacks).flatMap((stack) => this.#plain(stack));
        const sight = { console: this.stage.console, kinds: this.#history.kinds, declared };
        const did = perform(sight, step.how, step.n);
        if (did === undefined) return [];
        this.stage.told.push(`a person: ${did}`);
        count(this.stage.counts, `edit: by hand: ${step.how}`);
        return [];
      }
      case "forget notes":
        this.#forget(this.#stacks[step.stack]);
        return [];
      case "refresh":
        return this.#refresh(this.#stacks[step.stack], step.hides);
      case "destroy":
        return this.#destroy(this.#stacks[step.stack], step);
      case "up":
        return this.#up(this.#stacks[step.stack], step);
      case "astray":
        return this.#astray(this.#stacks[step.stack], step);
    }
  }

  /** A command whose settings lead to a console that has the same objects. Nothing of it lasts. */
  async #astray(stack: PlayedStack, step: Astray): Promise<readonly Violation[]> {
    if (!namesConsole(stack)) return [];
    const away = {
      console: new SharedConsole(this.#dice, "another_project", this.stage.console),
      settings: settingsTo[step.to],
    };
    const work = workOf(step, placed(stack.program, this.#fixtures));
    const violations: Violation[] = [];
    for (const phase of ["preview", "update"] as const) {
      if (phase === "preview" && step.command === "refresh") continue;
      const act = await this.stage.act(stack, phase, { away }, work);
      const command = `${step.command} with settings that lead to ${step.to}`;
      this.stage.tell(stack, command, act, phase === "preview");
      violations.push(...astrayViolations(step, stack, act, phase === "preview"));
    }
    return violations;
  }

  /** Removes the folder of notes, which may be that of the other stack too. */
  #forget(stack: PlayedStack): void {
    rmSync(path.join(stack.folder, ".feature-console"), { recursive: true, force: true });
    this.stage.adoptions.clear();
    this.stage.told.push(`${stack.name}: the notes of its project are removed`);
  }

  #edit(name: StackName, { how, n }: Extract<Step, { do: "edit" }>): void {
    const stack = this.#stacks[name];
    const { kinds } = this.#history;
    const program = edited({ ...stack, console: this.stage.console.snapshot(), kinds }, how, n);
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
    this.stage.told.push(`${name}: ${how}: ${changed}`);
    count(this.stage.counts, `edit: ${how}`);
  }

  /** A program with ids in the place of references and of what stands for the release. */
  #plain({ program, state }: PlayedStack): Declared[] {
    const idOf = (name: string) => {
      const declared = program.find((one) => nameOf(one) === name);
      return (
        state.find((held) => nameOf(held) === name)?.id ?? (declared ? keyOf(declared) : name.split(".")[1])
      );
    };
    return program.map((one) => ({ ...one, args: substituted(one.args, idOf) }));
  }

  async #refresh(stack: PlayedStack, hides: number | undefined): Promise<readonly Violation[]> {
    const start = this.stage.console.snapshot();
    const before = stack.state;
    const hidden = hides === undefined ? undefined : before[hides % Math.max(1, before.length)]?.kind;
    const update = await this.stage.act(stack, "update", { hidden }, (engine) => engine.refresh());
    stack.state = update.run.state;
    // A refresh that stops keeps and prints what it had read by then: the next preview shows it as a difference.
    const read = update.run.refreshed.map(objectOf);
    this.stage.see(stack, read);
    for (const key of read) stack.unsure.delete(key);
    if (hidden !== undefined) count(this.stage.counts, "edit: by hand: a permission is lost");
    const how = hidden === undefined ? "" : ` without permission for ${hidden}`;
    this.stage.tell(stack, `refresh${how}`, update);
    return violationsOf(this.#episode(stack, "refresh", { before, start, seen: start, update, hidden }));
  }

  async #destroy(stack: PlayedStack, { disturbance, checkpoints, parallel }: Destroy) {
    const before = stack.state;
    const seen = this.stage.console.snapshot();
    const preview = await this.stage.act(stack, "preview", {}, (engine) => engine.destroy());
    const factsBefore = this.stage.ledger.facts();
    const course = { disturbance, parallel };
    const update = await this.stage.act(stack, "update", course, (engine) => engine.destroy());
    this.stage.record(stack, update, checkpoints);
    this.stage.tell(stack, "destroy", update);
    const known = { before, seen, start: seen, factsBefore, preview, update, ...spoilt(disturbance) };
    return violationsOf(this.#episode(stack, "destroy", known));
  }

  #episode(stack: PlayedStack, command: Episode["command"], known: Known): Episode {
    return this.stage.episode(stack, this.#other(stack).state, command, known);
  }

  async #up(stack: PlayedStack, step: Up): Promise<readonly Violation[]> {
    const first = await this.#upOnce(stack, step);
    if (first.violations.length > 0 || !first.killed || step.recover === "later") return first.violations;
    if (step.recover === "without notes") this.#forget(stack);
    const undisturbed = { between: undefined, disturbance: undefined, refresh: false, replace: undefined };
    const plain: Up = { ...step, ...undisturbed, ifRefused: "nothing" };
    for (let tries = 1; ; tries += 1) {
      this.stage.console.wait(60_000);
      const next = await this.#upOnce(stack, plain);
      if (next.violations.length > 0 || next.error === undefined) return next.violations;
      const advised = next.isExcused ? undefined : this.#advised(stack, next.error);
      // What was said about an object of its own must then be enough.
      if (advised?.takesOver && tries === 1) {
        stack.takesOver = true;
        this.stage.told.push(`${stack.name}: ${advised.told}`);
        continue;
      }
      if (saysWhatToType(next.error) || next.isExcused) return [];
      if (tries === 1) continue;
      const rule = "after a kill the same command ends well, or says what to type";
      return [{ rule, object: "program", text: next.error }];
    }
  }

  async #upOnce(stack: PlayedStack, step: Up) {
    const before = stack.state;
    const seen = this.stage.console.snapshot();
    const options = this.#options(stack, step);
    const program = placed(stack.program, this.#fixtures);
    const up = (engine: EngineRun) => engine.up(program, options);
    const preview = await this.stage.act(stack, "preview", {}, up);
    let inner: readonly Violation[] = [];
    let disturbed = false;
    if (step.between !== undefined && preview.run.error === undefined) {
      this.stage.told.push(`${stack.name}: has seen the preview of up; before it says yes:`);
      inner = await this.#perform(step.between);
      // Clocks do not tell what happens within seconds.
      this.stage.console.wait(10_000);
      disturbed = true;
    }
    const start = this.stage.console.snapshot();
    const factsBefore = this.stage.ledger.facts();
    this.stage.watch(preview.run, before, start);
    const { interruptedCreates } = stack;
    const users = this.stage.askedFor(before);
    const update =
      preview.run.error === undefined ? await this.stage.act(stack, "update", step, up) : undefined;
    this.stage.watchNoMore();
    if (update !== undefined) this.stage.record(stack, update, step.checkpoints);
    const replaces = options.replace.map((urn) => ` --replace ${urn.split("::").at(-1)}`).join("");
    const command = `up${options.refresh ? " --refresh" : ""}${replaces}`;
    this.stage.tell(stack, command, update ?? preview, update === undefined);
    const error = preview.run.error ?? update?.run.error;
    const killed = update?.run.killed === true;
    const done = error === undefined && !killed;
    const again =
      done && !disturbed
        ? await this.stage.act(stack, "preview", {}, (engine) => engine.up(program, none))
        : undefined;
    const episode = this.#episode(stack, "up", {
      ...{ before, seen, start, factsBefore, preview, update, disturbed, again, users, interruptedCreates },
      ...{ replaced: options.replace, refreshes: options.refresh, takesOver: stack.takesOver },
      continues: stack.interrupted === undefined || stack.interrupted === stack.program,
      ...spoilt(step.disturbance),
    });
    for (const allowance of allowedIn(episode)) count(this.stage.counts, `allowed: ${allowance}`);
    if (update !== undefined && !killed) this.stage.seeWritten(stack, update);
    if (update !== undefined && !done) stack.wasKilled = true;
    stack.takesOver = false;
    if (done) stack.good = stack.program;
    else if (!killed) this.#react(stack, step, error ?? "");
    // What stands against it does so with or without a kill.
    const isExcused = update?.run.error !== undefined && unforeseen(episode) === undefined;
    return { violations: [...inner, ...violationsOf(episode)], error, killed, isExcused };
  }

  #options(stack: PlayedStack, { refresh, replace }: Up): UpOptions {
    const chosen = replace === undefined ? undefined : stack.state[replace % Math.max(1, stack.state.length)];
    return { refresh, replace: chosen === undefined ? [] : [chosen.urn] };
  }

  /** What a user does who was refused. */
  #react(stack: PlayedStack, { ifRefused }: Up, error: string): void {
    if (ifRefused === "nothing") return;
    if (ifRefused === "revert") {
      if (stack.program === stack.good) return;
      stack.program = stack.good;
      this.stage.told.push(`${stack.name}: puts the program back`);
      return;
    }
    const reaction = this.#advised(stack, error);
    if (reaction === undefined) return;
    stack.program = reaction.program;
    stack.takesOver = reaction.takesOver;
    this.stage.told.push(`${stack.name}: ${reaction.told}`);
    count(this.stage.counts, `edit: ${reaction.told.replace(/\w+\.flag_\d was flag_\d/, "it was renamed")}`);
  }

  #advised(stack: PlayedStack, error: string): Reaction | undefined {
    const console = this.stage.console.snapshot().values();
    const [facts, others] = [this.stage.ledger.facts(), this.#other(stack).state];
    return followAdvice({ error, stack, others, console, facts });
  }

  #other({ name }: PlayedStack): PlayedStack {
    return this.#stacks[name === "A" ? "B" : "A"];
  }
}

const none: UpOptions = { refresh: false, replace: [] };

/** What a disturbance does to the answers of the console. */
function spoilt(disturbance: Disturbance | undefined) {
  return { lost: disturbance?.how === "lose", refused: disturbance?.how === "refuse" };
}
