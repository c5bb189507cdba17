import type { Transport } from "../../src/provider/client/transport";
import { managed } from "../../src/provider/definitions";
import type { StoredObject } from "../../src/provider/pulumi/runs/exported-state";
import { nativePrefix, typePrefix } from "../../src/provider/pulumi/stored-names";
import type { ObjectDefinition } from "../../src/provider/schema/define";
import type { Adapter } from "../laws/subject";
import { type Actor, type Passage, type Received, SharedConsole } from "./console";
import type { Dice } from "./dice";
import { EngineRun } from "./engine";
import type { Held } from "./programs";
import type { ProviderCode } from "./provider";
import type { Cut, Run } from "./steps";

/** How an `up` or a `destroy` is disturbed. */
export type Disturbance =
  /** Killed at a write that the engine asks for. */
  | ({ readonly how: "cut" } & Cut)
  /** Killed at a request; no answer comes to it; the console refuses it and all that follow. */
  | {
      readonly how: "kill" | "lose" | "refuse";
      readonly request: number;
      readonly when: "before" | "after";
      /** The number counts writes only. */
      readonly write: boolean;
    };

/** A stack: its state, the folder of its project, and how it is called. */
export interface Stack {
  readonly name: Actor;
  folder: string;
  /** What Pulumi calls it, and the address of the backend that keeps its state. */
  readonly calledAs: string;
  readonly backend: string;
  /** Where its program takes the classes from. */
  adapter: Adapter;
  state: readonly Held[];
  /** The next command is told that what is equal is this stack's. */
  takesOver: boolean;
}

/** A stack that has nothing yet. `otherName`: what Pulumi calls it, in a backend of its own. */
export function emptyStack(name: Actor, folder: string, otherName?: string): Stack {
  return {
    ...{ name, folder, adapter: "dynamic", state: [], takesOver: false, calledAs: otherName ?? name },
    backend: `file:///backends/${otherName === undefined ? "shared" : name}`,
  };
}

/** How a process goes; nothing: undisturbed, one resource after the other. */
export interface Course {
  readonly disturbance?: Disturbance | undefined;
  readonly parallel?: boolean;
  /** A kind about which the console answers 404. */
  readonly hidden?: string | undefined;
  /** Another console than the shared one, to which the settings lead. */
  readonly away?: Away | undefined;
}

/** Where the settings of a run lead instead. */
export interface Away {
  readonly console: SharedConsole;
  /** Settings in the place of those of the stack. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface Act {
  readonly run: Run;
  readonly lines: readonly string[];
  readonly requests: readonly Received[];
}

/** The console that everybody shares, and the stacks over it. */
export class Stage {
  readonly console: SharedConsole;
  readonly #code: ProviderCode;
  readonly #dice: Dice;

  constructor(code: ProviderCode, dice: Dice) {
    this.#code = code;
    this.#dice = dice;
    this.console = new SharedConsole(dice);
  }

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
    const lines: string[] = [];
    // A process of the provider, which remembers nothing of other runs.
    const process = this.#code.start({
      ...{ adapter, folder: stack.folder, report: (line) => lines.push(line) },
      environment: {
        ...environment,
        PULUMI_BACKEND_URL: stack.backend,
        ...away?.settings,
        ...(stack.takesOver ? { FEATURE_CONSOLE_TAKE_OVER: "1" } : {}),
      },
      transport: hiding(hidden, console.transport(stack.name, passages(disturbance), died)),
      exportStack: () => Promise.resolve(stack.state.map((held) => storedOf(held, adapter))),
      now: this.console.now,
      sleep: async (ms) => this.console.wait(ms),
    });
    const setting = {
      ...{ code: this.#code, stack: stack.calledAs, adapter, process, death, preview: phase === "preview" },
      cut: disturbance?.how === "cut" ? disturbance : undefined,
      dice: parallel ? this.#dice : undefined,
    };
    const run = await work(new EngineRun(setting, stack.state));
    return { run, lines, requests: console.received.slice(from) };
  }
}

/** What becomes of each request: after a kill, none comes through. */
function passages(disturbance: Disturbance | undefined): (method: string) => Passage {
  if (disturbance === undefined || disturbance.how === "cut") return () => "pass";
  const { how, request, when, write } = disturbance;
  let seen = -1;
  let dead = false;
  return (method) => {
    if (dead) return "killed before";
    if (write && method === "GET") return "pass";
    seen += 1;
    if (how === "refuse") return seen >= request && method !== "GET" ? "refused" : "pass";
    if (seen !== request) return "pass";
    dead = how === "kill";
    return how === "kill" ? `killed ${when}` : `lost ${when}`;
  };
}

const definitions: Readonly<Record<string, ObjectDefinition>> = managed;

/** A door behind which a kind does not exist, as for a key without the permission for it. */
function hiding(kind: string | undefined, transport: Transport): Transport {
  const [route] = Object.values(definitions[kind ?? ""]?.routes ?? {});
  const base = /^\/[^/]+/.exec(route?.path ?? "")?.[0];
  if (base === undefined) return transport;
  const text = JSON.stringify({ status: 404, message: "Not found." });
  return {
    send: (request) =>
      new RegExp(`/console/v1${base}(?:[/?]|$)`).test(request.url)
        ? Promise.resolve({ status: 404, headers: { "content-type": "application/json" }, text })
        : transport.send(request),
  };
}

function storedOf({ kind, urn, id, outputs, condemned }: Held, adapter: Adapter): StoredObject {
  const type = `${adapter === "native" ? nativePrefix : typePrefix}${definitions[kind]?.kind}`;
  return { urn, type, id, outputs, provider: "default", isHeld: !condemned };
}

/** What every command is told. */
export const environment = {
  FEATURE_CONSOLE_PROFILE: "custom",
  FEATURE_CONSOLE_BASE_URL: "https://console.test",
  FEATURE_CONSOLE_API_KEY: ["model", "key"].join("-"),
  FEATURE_CONSOLE_WRITES_PER_10S: "1000000",
  FEATURE_CONSOLE_WRITES_PER_15MIN: "1000000",
};
