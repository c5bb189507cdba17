import type { RouteClient } from "../../client/client";
import { compareConsoles, elsewhereText } from "../../engine";
import { unusableSettings } from "../../schema/errors";
import { consoleMember, projectMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";

/** A console that a state names, with an object that is there, or several, in words. */
export interface KnownConsole {
  readonly object: string;
  /** Digest of its address. */
  readonly console: string;
  /** Id of the project; left out where the state does not name it. */
  readonly project?: string;
}

/** The console that a state names; undefined for one that names none. */
export function consoleIn(state: JsonObject, object: string): KnownConsole | undefined {
  const { [consoleMember]: console, [projectMember]: project } = state;
  if (typeof console !== "string") return undefined;
  return { object, console, ...(typeof project === "string" ? { project } : {}) };
}

/** Access of a guard to the run. */
export interface GuardPorts {
  /** Digest of the address that the settings lead to. */
  readonly console: string;
  /** True where the person who runs this lets objects in other consoles be. */
  readonly letsGo: () => boolean;
  /** Reads the consoles that the state names, where nobody has told of any. */
  readonly learn: () => Promise<readonly KnownConsole[]>;
}

/**
 * Stands before every request of a run to one console: none goes to another console than that of the objects in state, in whatever
 * order a program stands. Neither a read nor a key.
 */
export class ConsoleGuard {
  readonly #ports: GuardPorts;
  readonly #known = new Map<string, KnownConsole>();
  #isTold = false;
  #learning: Promise<void> | undefined;

  constructor(ports: GuardPorts) {
    this.#ports = ports;
  }

  /** Notes consoles that the state names for resources with these settings; none for a state without objects. */
  know(consoles: readonly KnownConsole[]): void {
    this.#isTold = true;
    for (const one of consoles) {
      const place = `${one.console} ${one.project ?? ""}`;
      if (!this.#known.has(place)) this.#known.set(place, one);
    }
  }

  /** The same, of all that there are. */
  knowOnly(consoles: readonly KnownConsole[]): void {
    this.#known.clear();
    this.know(consoles);
  }

  /** Why no request may go, not even the question for the project: something is at another address. */
  async addressProblem(): Promise<string | undefined> {
    if (this.#ports.letsGo()) return undefined;
    if (!this.#isTold) {
      this.#learning ??= this.#ports.learn().then((consoles) => this.know(consoles));
      await this.#learning;
    }
    const { console } = this.#ports;
    const other = [...this.#known.values()].find((one) => one.console !== console);
    return other === undefined ? undefined : elsewhereText(other.object);
  }

  /**
   * Why no other request may go. Asks for the project, where a state names one; `asks: false`: compares with one that is known.
   * @throws ConsoleError for an answer that may come another time.
   */
  async problem(client: RouteClient, asks: boolean): Promise<string | undefined> {
    const address = await this.addressProblem();
    if (address !== undefined || this.#ports.letsGo()) return address;
    const { console } = this.#ports;
    for (const one of this.#known.values()) {
      const state = { [consoleMember]: one.console, [projectMember]: one.project };
      const compared = await compareConsoles({ client, console }, one.object, state, { asks });
      if (compared.how === "other") return compared.text;
    }
    return undefined;
  }

  /** A client whose requests this guard lets through, or not. */
  guarded(client: RouteClient): RouteClient {
    const refuse = (problem: string | undefined) => {
      if (problem !== undefined) throw unusableSettings(problem);
    };
    const pass = async () => refuse(await this.problem(client, true));
    const project = async () => {
      refuse(await this.addressProblem());
      return client.project();
    };
    return {
      ...client,
      async item(...call) {
        await pass();
        return client.item(...call);
      },
      async maybeItem(...call) {
        await pass();
        return client.maybeItem(...call);
      },
      async *items(...call) {
        await pass();
        yield* client.items(...call);
      },
      async *pages(...call) {
        await pass();
        return yield* client.pages(...call);
      },
      project: Object.assign(project, { known: client.project.known }),
    };
  }
}
