import type { Adapter } from "../laws/subject";
import type { Declared, Held } from "../world/programs";
import type { InterruptedCreates } from "./allowances";
import type { Stored } from "./console";
import type { StackName } from "./history";

/** An object as a stack saw it. */
interface Seen {
  readonly stored: Stored;
  readonly requests: number;
}

/** What a stack has. */
export interface Stack {
  readonly name: StackName;
  readonly folder: string;
  /** What Pulumi calls it, and the address of the backend that keeps its state. */
  readonly calledAs: StackName;
  readonly backend: string;
  /** Where its program takes the classes from. */
  adapter: Adapter;
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
  /** What it did not know of when its notes were removed: nothing tells it any more what a killed run was about to do. */
  readonly unremembered: Set<string>;
  /** What an action of it has acted on, until a refresh has shown it what came of that. */
  readonly actedOn: Set<string>;
  readonly everHeld: Set<string>;
  /** Objects as it last wrote or refreshed them, and how many requests the console had had by then. */
  readonly lastSeen: Map<string, Seen>;
  interruptedCreates: InterruptedCreates;
}

/** A stack that has nothing yet. */
export function newStack(name: StackName, folder: string, sameName = false): Stack {
  const calledAs = sameName ? "A" : name;
  return {
    ...{ adapter: "dynamic", calledAs, backend: `file:///backends/${sameName ? name : "shared"}` },
    ...{ name, folder, program: [], good: [], state: [], takesOver: false, wasKilled: false },
    ...{ interrupted: undefined, unsure: new Set(), everHeld: new Set(), lastSeen: new Map() },
    ...{ unremembered: new Set(), actedOn: new Set(), interruptedCreates: new Map() },
  };
}
