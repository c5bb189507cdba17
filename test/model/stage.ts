import { wantsArchived } from "../../src/provider/decisions/plan";
import { keyOf, type Received, type Snapshot, type Stored } from "../world/console";
import type { Dice } from "../world/dice";
import { isAction, type KindPlay, kinds } from "../world/kinds";
import { type Declared, type Held, nameOf } from "../world/programs";
import type { ProviderCode } from "../world/provider";
import { type Act, emptyStack, type Stack, Stage } from "../world/stage";
import type { Run } from "../world/steps";
import { type InterruptedCreates, interruptedAfter } from "./allowances";
import type { Episode } from "./episode";
import type { StackName } from "./history";
import { aboutOf, Ledger, objectOf } from "./ledger";
import { count, type Tally } from "./report";

/** A stack, its program, and what is true about it. */
export interface PlayedStack extends Stack {
  readonly name: StackName;
  program: readonly Declared[];
  /** The program of the last success. */
  good: readonly Declared[];
  /** The program of the run that was killed last. */
  interrupted: readonly Declared[] | undefined;
  /** A run of it was killed, or failed. */
  wasKilled: boolean;
  /** Objects that it does not know to be other than its state says, because it was killed. */
  readonly unsure: Set<string>;
  /** What an action of it has acted on, until a refresh has shown it what came of that. */
  readonly actedOn: Set<string>;
  /** Objects that its state has ever held. */
  readonly everHeld: Set<string>;
  /** Objects as it last wrote or refreshed them, and how many requests the console had had by then. */
  readonly lastSeen: Map<string, { readonly stored: Stored; readonly requests: number }>;
  /** Creates that were under way when a run ended. */
  interruptedCreates: InterruptedCreates;
}

export function newStack(name: StackName, folder: string, sameName = false): PlayedStack {
  return {
    ...{ ...emptyStack(name, folder, sameName ? "A" : undefined), name, program: [], good: [] },
    ...{ wasKilled: false, interrupted: undefined, unsure: new Set(), everHeld: new Set() },
    ...{ lastSeen: new Map(), actedOn: new Set(), interruptedCreates: new Map() },
  };
}

/** What is known of a command when it has ended; the rest is what it mostly is. */
export type Known = Pick<Episode, "before" | "seen" | "start" | "update"> & Partial<Episode>;

/** A stage of which somebody notes what is true, and tells what happens. */
export class WatchedStage extends Stage {
  readonly told: string[] = [];
  readonly counts: Tally = {};
  readonly ledger: Ledger = new Ledger(this.console);
  /** Which stack adopted an object last, as the notes that are left tell; with the folder that they are in. */
  readonly adoptions = new Map<string, { readonly by: StackName; readonly folder: string }>();
  /** Objects that must be in use at every moment of the command that is under way, and those that were not. */
  #watched = new Set<string>();
  #interrupted = new Set<string>();

  constructor(code: ProviderCode, dice: Dice) {
    super(code, dice);
    this.console.onWrite = (received) => this.#onWrite(received);
  }

  /** A command of a stack that has ended. */
  episode(stack: PlayedStack, others: readonly Held[], command: Episode["command"], known: Known): Episode {
    const { name, program, state: after, folder, wasKilled } = stack;
    const { unsure, actedOn, everHeld } = stack;
    const facts = this.ledger.facts();
    const end = this.console.snapshot();
    const isOut = ({ key, archived }: Stored) => !archived && (end.get(key)?.archived ?? true);
    const removed = [...known.start.values()].filter(isOut);
    const away = [...this.adoptions].filter(([, one]) => one.by !== name && one.folder === folder);
    return {
      ...{ stack: name, command, program, others, after, end, facts, factsBefore: facts },
      ...{ preview: undefined, again: undefined, disturbed: false, lost: false, refused: false },
      ...{ refreshes: false, takesOver: false, continues: true, replaced: [], users: new Set() },
      ...{ wasKilled, unsure, actedOn, everHeld, interruptedCreates: new Map() },
      interrupted: [...this.#interrupted],
      editedSince: this.#editedSince(stack, known.start),
      asked: new Map(removed.map((stored) => [stored.key, this.console.usersOf(stored)])),
      adoptedAway: new Set(away.map(([key]) => key)),
      ...known,
    };
  }

  /** Objects as a stack last saw them, where somebody else has touched them since. */
  #editedSince(stack: PlayedStack, start: Snapshot): ReadonlyMap<string, Stored> {
    const { received } = this.console;
    const edited = [...stack.lastSeen].filter(
      ([key, { requests }]) =>
        start.has(key) &&
        received
          .slice(requests)
          .some(
            ({ actor, touched, status }) => actor !== stack.name && status < 400 && touched.includes(key),
          ),
    );
    return new Map(edited.map(([key, { stored }]) => [key, stored]));
  }

  /** Notes what a stack sees of its objects: all that it refreshed, and what it wrote. */
  see(stack: PlayedStack, keys: Iterable<string>): void {
    for (const key of keys) {
      const stored = this.console.find(key);
      if (stored === undefined) stack.lastSeen.delete(key);
      else stack.lastSeen.set(key, { stored, requests: this.console.received.length });
    }
  }

  /** Notes what an update that came to its end has written, and so seen. */
  seeWritten(stack: PlayedStack, { run, requests }: Act): void {
    const done = run.error === undefined ? run.steps.filter(({ op }) => op !== "same") : [];
    const held = stack.state.map(objectOf);
    const touched = requests.flatMap((one) => one.touched).filter((key) => held.includes(key));
    this.see(stack, [...touched, ...done.map(({ kind, id }) => keyOf(kind, id ?? ""))]);
  }

  /** Keeps what a process left in state. */
  record(stack: PlayedStack, update: Act, checkpoints: boolean): void {
    const { run, requests } = update;
    const read = !run.killed || checkpoints ? run.refreshed.map(objectOf) : [];
    for (const key of read) stack.unsure.delete(key);
    this.see(stack, read);
    for (const key of read) stack.actedOn.delete(key);
    for (const { kind, op, inputs } of run.steps)
      if ((op === "create" || op === "replace") && isAction(kinds[kind] as KindPlay))
        for (const key of aboutOf(kind, inputs ?? {})) stack.actedOn.add(key);
    if (run.killed) {
      stack.interrupted = stack.program;
      for (const key of requests.flatMap(({ touched }) => touched)) stack.unsure.add(key);
    } else {
      // What goes after its successor came is not the object that another resource has under its key by now.
      const settled =
        run.error === undefined ? run.steps.filter(({ op }) => op !== "same" && op !== "delete") : [];
      for (const { kind, id } of settled) stack.unsure.delete(keyOf(kind, id ?? ""));
    }
    if (!run.killed || checkpoints) stack.state = run.state;
    stack.interruptedCreates = interruptedAfter(stack.interruptedCreates, run, {
      ...{ stack: stack.name, at: this.console.now() },
      ...{ console: this.console.snapshot(), facts: this.ledger.facts() },
    });
    for (const step of run.steps) {
      const held = stack.state.find(({ urn, condemned }) => urn === step.urn && !condemned);
      if (held === undefined || (step.op !== "create" && step.op !== "replace")) continue;
      const key = objectOf(held);
      if (step.inputs?.adopt === true) this.adoptions.set(key, { by: stack.name, folder: stack.folder });
      else this.adoptions.delete(key);
    }
    // A removal that was interrupted has given up what it was about to remove.
    for (const { op, kind, id } of run.killed ? run.steps : [])
      if (op === "delete" && this.adoptions.get(keyOf(kind, id ?? ""))?.by === stack.name)
        this.adoptions.delete(keyOf(kind, id ?? ""));
    for (const held of stack.state) stack.everHeld.add(objectOf(held));
    for (const { kind, op } of run.steps) count(this.counts, `by kind: ${kind} ${op}`);
  }

  /** Tells what came of a command. */
  tell(stack: PlayedStack, command: string, { run, lines, requests }: Act, isPreview = false): void {
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
    count(this.counts, `command: ${command.split(" ")[0]} ${how}`);
  }

  /** Objects of a state that others in use refer to. */
  askedFor(state: readonly Held[]): Set<string> {
    const found = state.map((held) => this.console.find(objectOf(held)));
    const asked = found.filter((stored) => stored !== undefined && this.console.usersOf(stored).length > 0);
    return new Set(asked.map((stored) => stored?.key ?? ""));
  }

  /** From now on objects in use must stay so that one resource had and another goes on with. */
  watch({ steps }: Run, before: readonly Held[], start: Snapshot): void {
    this.#interrupted = new Set();
    const wanted = new Map(
      steps.flatMap((step) => {
        const definition = kinds[step.kind]?.definition;
        if (step.inputs === undefined || definition?.fields.key === undefined) return [];
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

  watchNoMore(): void {
    this.#watched.clear();
  }

  #onWrite(received: Received): void {
    this.ledger.note(received);
    for (const key of received.touched) {
      const now = this.console.find(key);
      if (this.#watched.has(key) && (now === undefined || now.archived)) this.#interrupted.add(key);
    }
  }
}
