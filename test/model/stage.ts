import type { Transport } from "../../src/provider/client/transport";
import { wantsArchived } from "../../src/provider/decisions/plan";
import type { StoredObject } from "../../src/provider/pulumi/runs/exported-state";
import { nativePrefix, typePrefix } from "../../src/provider/pulumi/stored-names";
import type { Adapter } from "../laws/subject";
import { CliRun } from "../world/cli-run";
import type { Dice } from "../world/dice";
import type { EngineRun } from "../world/engine";
import { type Held, nameOf } from "../world/programs";
import type { ProviderCode } from "../world/provider";
import type { Run } from "../world/steps";
import { interruptedAfter } from "./allowances";
import type { Away } from "./astray";
import { keyOf, ModelConsole, type Received, type Snapshot, type Stored } from "./console";
import type { Act, Episode } from "./episode";
import type { Disturbance, StackName } from "./history";
import { isAction, type KindPlay, kinds } from "./kinds";
import { Ledger } from "./ledger";
import { aboutOf, objectOf } from "./ownership";
import { passages } from "./passages";
import type { Stack } from "./stack";
import { count, noCounts, withoutNames } from "./tally";

/** How a process goes; nothing: undisturbed, one resource after the other. */
interface Course {
  readonly disturbance?: Disturbance | undefined;
  readonly parallel?: boolean;
  /** A kind about which the console answers 404. */
  readonly hidden?: string | undefined;
  /** Another console than the shared one, to which the settings lead. */
  readonly away?: Away | undefined;
}

/** What is known of a command when it has ended; the rest is what it mostly is. */
type Part = Pick<Episode, "before" | "seen" | "start" | "update"> & Partial<Episode>;

/** The console that everybody shares, what is true about it, and what is told of what happens. */
export class Stage {
  readonly told: string[] = [];
  readonly counts = noCounts();
  readonly console: ModelConsole;
  readonly ledger: Ledger;
  /** Which stack adopted an object last, as the notes that are left tell; with the folder that they are in. */
  readonly adoptions = new Map<string, { readonly by: StackName; readonly folder: string }>();
  readonly #code: ProviderCode;
  readonly #dice: Dice;
  /** Objects that must be in use at every moment of the command that is under way, and those that were not. */
  #watched = new Set<string>();
  #interrupted = new Set<string>();

  constructor(code: ProviderCode, dice: Dice) {
    this.#code = code;
    this.#dice = dice;
    this.console = new ModelConsole(dice);
    this.ledger = new Ledger(this.console);
    this.console.onWrite = (received) => this.#onWrite(received);
  }

  /** Lets a process of a stack do its work. */
  async act(
    stack: Stack,
    phase: "preview" | "update",
    { disturbance, parallel, hidden, away }: Course,
    work: (engine: EngineRun) => Promise<Run>,
  ): Promise<Act> {
    const console = away?.console ?? this.console;
    const from = console.received.length;
    let died: () => void = () => {};
    const death = new Promise<void>((resolve) => {
      died = resolve;
    });
    const { adapter } = stack;
    const cli = new CliRun({
      ...{ code: this.#code, stack: stack.calledAs, adapter, folder: stack.folder },
      environment: {
        ...environment,
        PULUMI_BACKEND_URL: stack.backend,
        ...away?.settings,
        ...(stack.takesOver ? { FEATURE_CONSOLE_TAKE_OVER: "1" } : {}),
      },
      transport: hiding(hidden, console.transport(stack.name, passages(disturbance), died)),
      storedObjects: () => Promise.resolve(stack.state.map((held) => storedOf(held, adapter))),
      now: this.console.now,
      sleep: async (ms) => this.console.wait(ms),
    });
    const cut = disturbance?.how === "cut" ? disturbance : undefined;
    const dice = parallel ? this.#dice : undefined;
    const run = await cli.play(stack.state, work, { preview: phase === "preview", cut, death, dice });
    return { run, lines: cli.lines, requests: console.received.slice(from) };
  }

  /** A command of a stack that has ended. */
  episode(stack: Stack, others: readonly Held[], command: Episode["command"], part: Part): Episode {
    const facts = this.ledger.facts();
    const end = this.console.snapshot();
    const removed = [...part.start.values()].filter(
      ({ key, archived }) => !archived && (end.get(key)?.archived ?? true),
    );
    return {
      ...{ stack: stack.name, command, program: stack.program, others, after: stack.state, end, facts },
      ...{
        preview: undefined,
        disturbed: false,
        lost: false,
        refused: false,
        again: undefined,
        factsBefore: facts,
      },
      ...{
        refreshes: false,
        takesOver: false,
        continues: true,
        replaced: [],
        users: new Set<string>(),
        wasKilled: stack.wasKilled,
      },
      ...{ interruptedCreates: new Map(), unremembered: stack.unremembered },
      ...{
        unsure: stack.unsure,
        actedOn: stack.actedOn,
        everHeld: stack.everHeld,
        interrupted: [...this.#interrupted],
      },
      editedSince: this.#editedSince(stack, part.start),
      asked: new Map(removed.map((stored) => [stored.key, this.console.usersOf(stored)])),
      adoptedAway: new Set(
        [...this.adoptions]
          .filter(([, { by, folder }]) => by !== stack.name && folder === stack.folder)
          .map(([key]) => key),
      ),
      ...part,
    };
  }

  /** Objects as a stack last saw them, where somebody else has touched them since. */
  #editedSince(stack: Stack, start: Snapshot): ReadonlyMap<string, Stored> {
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
  see(stack: Stack, keys: Iterable<string>): void {
    for (const key of keys) {
      const stored = this.console.find(key);
      if (stored === undefined) stack.lastSeen.delete(key);
      else stack.lastSeen.set(key, { stored, requests: this.console.received.length });
    }
  }

  /** Notes what an update that came to its end has written, and so seen. */
  seeWritten(stack: Stack, { run, requests }: Act): void {
    const done = run.error === undefined ? run.steps.filter(({ op }) => op !== "same") : [];
    const held = stack.state.map(objectOf);
    const touched = requests.flatMap((one) => one.touched).filter((key) => held.includes(key));
    this.see(stack, [...touched, ...done.map(({ kind, id }) => keyOf(kind, id ?? ""))]);
  }

  /** Keeps what a process left in state. */
  record(stack: Stack, update: Act, checkpoints: boolean): void {
    const { run, requests } = update;
    const read = !run.killed || checkpoints ? run.refreshed.map(objectOf) : [];
    for (const known of [stack.unsure, stack.unremembered]) for (const key of read) known.delete(key);
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
    for (const { kind, op } of run.steps) count(this.counts.ops, `${kind} ${op}`);
  }

  /** Tells what came of a command. */
  tell(stack: Stack, command: string, { run, lines, requests }: Act, isPreview = false): void {
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

  /** The command has ended. */
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

/** A door behind which a kind does not exist, as for a key without the permission for it. */
function hiding(kind: string | undefined, transport: Transport): Transport {
  const { routes } = (kind === undefined ? undefined : kinds[kind]?.definition) ?? {};
  const base = routes === undefined ? undefined : /^\/[^/]+/.exec(Object.values(routes)[0]?.path ?? "")?.[0];
  if (base === undefined) return transport;
  const text = JSON.stringify({ status: 404, message: "Not found." });
  return {
    send: (request) =>
      new RegExp(`/console/v1${base}(?:[/?]|$)`).test(request.url)
        ? Promise.resolve({ status: 404, headers: { "content-type": "application/json" }, text })
        : transport.send(request),
  };
}

/** A resource as the CLI exports it. */
function storedOf({ kind, urn, id, outputs, condemned }: Held, adapter: Adapter): StoredObject {
  const type = `${adapter === "native" ? nativePrefix : typePrefix}${kinds[kind]?.definition.kind}`;
  return { urn, type, id, outputs, provider: "default", isHeld: !condemned };
}

const environment = {
  FEATURE_CONSOLE_PROFILE: "custom",
  FEATURE_CONSOLE_BASE_URL: "https://console.test",
  FEATURE_CONSOLE_API_KEY: ["model", "key"].join("-"),
  FEATURE_CONSOLE_WRITES_PER_10S: "1000000",
  FEATURE_CONSOLE_WRITES_PER_15MIN: "1000000",
};
