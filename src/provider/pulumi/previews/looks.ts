import { absentText, type DeclaredNames, elementNames, namesOf } from "../../decisions/declared-names";
import { managedKind } from "../../definitions";
import { type EngineContext, nameOf } from "../../engine";
import { type ResourceDefinition, routeOf } from "../../schema/define";
import { type ConsoleError, isConsoleError, messageOf } from "../../schema/errors";
import { resourceMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import { keptIn } from "../../schema/memoized";
import type { InForce, RunAnswers } from "../../schema/observations";
import { kindInWords, referencesIn } from "../../schema/references";
import { UNKNOWN } from "../../schema/unknown";
import { placeText } from "../../texts/argument-names";
import { countOf } from "../../texts/count-text";
import { quote } from "../../texts/issue-text";
import { willFail } from "../../words/text";
import { late, within } from "../patience";

/** Most new objects that a preview looks for in the console. */
const mostLooks = 25;

/** Looks that are under way at the same time; the client may allow fewer. */
const mostAtOnce = 8;

/** Time that a preview waits for its last looks, milliseconds: it leaves some out rather than wait for a console that does not answer. */
const patienceMs = 5000;

/** Looks for what a preview is about to call new, side by side. */
export class NewObjects {
  readonly #report: (line: string) => void;
  /** Each makes one look after the other. */
  readonly #lanes: Promise<void>[] = Array.from({ length: mostAtOnce }, () => Promise.resolve());
  readonly #noted = new Set<unknown>();
  #begun = 0;
  #done = 0;
  #isLate = false;
  #beyond = 0;
  #unknown = 0;
  #unanswered = 0;
  #failure: ConsoleError | undefined;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  /** Looks for the object of a new resource, at once or when others are done. What the look finds, it reports by itself. */
  look(resource: unknown, work: () => Promise<void>): void {
    if (!this.#note(resource)) return;
    if (this.#begun >= mostLooks) {
      this.#beyond += 1;
      return;
    }
    const lane = this.#begun % mostAtOnce;
    this.#begun += 1;
    this.#lanes[lane] = (this.#lanes[lane] ?? Promise.resolve()).then(() => this.#try(work));
  }

  /** A new object of which the preview does not know where it is going to be. */
  cannotLook(resource: unknown): void {
    if (this.#note(resource)) this.#unknown += 1;
  }

  /** Notes a resource. @returns false for one that is noted already: a native plugin hears of each by its check and by its create. */
  #note(resource: unknown): boolean {
    if (resource !== undefined && this.#noted.has(resource)) return false;
    this.#noted.add(resource);
    return true;
  }

  /**
   * Waits for the looks that have begun, and reports how many new objects no look was made for. Never fails. `mayGoOn`: nobody
   * knows whether more resources follow, so that no number is the last.
   */
  async settle(mayGoOn: boolean): Promise<void> {
    if (this.#isLate) return;
    const all = async () => {
      while (this.#done < this.#begun && !this.#isLate) await Promise.all(this.#lanes);
    };
    this.#isLate = (await within(patienceMs, all())) === late;
    const open = this.#begun - this.#done;
    const unchecked = this.#unanswered + this.#beyond + this.#unknown + open;
    if (unchecked === 0) return;
    const which = mayGoOn ? "Not every new object is" : `${countOf(unchecked, "new object")} not`;
    this.#report(`${which} checked: ${this.#reason(unchecked === 1 && !mayGoOn)}`);
  }

  #reason(isOne: boolean): string {
    if (this.#failure !== undefined) return this.#failure.message;
    if (this.#isLate) return `the console did not answer within ${patienceMs / 1000} s.`;
    if (this.#beyond > 0) return `a preview looks for ${mostLooks} in the console.`;
    return `${isOne ? "its key is" : "their keys are"} not known before the update.`;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    if (this.#isLate) return;
    try {
      if (this.#failure !== undefined && failsEveryLook(this.#failure)) throw this.#failure;
      await work();
    } catch (error) {
      this.#unanswered += 1;
      if (isConsoleError(error)) this.#failure ??= error;
      else this.#report(`A look for a new object failed: ${messageOf(error)}`);
    }
    this.#done += 1;
  }
}

/** A refused key and a console out of reach would meet every other look too. */
function failsEveryLook({ category }: ConsoleError): boolean {
  return ["settings", "unauthorized", "unreachable", "timeout", "unavailable"].includes(category);
}

/** The question of `verify` about names that are not there, by the kind that is named. */
const questions: Readonly<Record<string, InForce>> = {
  environments: "unknownEnvironments",
  gate: "unknownReferences",
  segment: "unknownReferences",
  tag: "unknownTags",
  targetApp: "unknownTargetApps",
  team: "unknownTeams",
};

/** Kinds of which a console may have thousands: each name is looked up by itself. */
const lookedUp = ["gate", "segment"];

/** Most names of those kinds that a preview looks up. */
const mostLookUps = 25;

interface Use {
  readonly kind: string;
  readonly name: string;
  readonly by: string;
  readonly path: string;
  readonly resource: unknown;
}

/** The parts of a process by which names are looked for. */
interface Surroundings {
  readonly names: DeclaredNames;
  answers(): RunAnswers;
  context(): EngineContext;
  reportOnce(text: string, resource?: unknown): void;
}

/** Names that a run is about to send, of objects that only the console can have: looked for where the answers say that it matters. */
export class NamedObjects {
  readonly #process: Surroundings;
  readonly #uses: Use[] = [];
  readonly #lists = new Map<string, Promise<ReadonlySet<string>>>();
  #lookUps = 0;

  constructor(process: Surroundings) {
    this.#process = process;
  }

  /** Notes whom the arguments that are sent name. */
  note(
    definition: ResourceDefinition,
    { id, changed }: { readonly id: string; readonly changed: readonly string[] },
    args: JsonObject,
  ): void {
    if (changed.length === 0) return;
    const answers = this.#process.answers();
    for (const { kind, value, path, standard, isAsked } of referencesIn(definition, args)) {
      const question = questions[kind];
      if (question === undefined || !changed.includes(String(path[0]))) continue;
      if (question === "unknownReferences" ? !isAsked : answers[question] === undefined) continue;
      if (typeof value !== "string" || value === "" || value === standard || value.includes(UNKNOWN))
        continue;
      const [by, resource] = [nameOf(definition, id), args[resourceMember]];
      this.#uses.push({ kind, name: value, by, path: placeText(definition, path), resource });
    }
  }

  /** Reports the names that neither the program nor the console has. Never fails. */
  async settle(): Promise<void> {
    const answers = this.#process.answers();
    for (const use of this.#uses.splice(0)) {
      const { kind, name, by, path, resource } = use;
      const question = questions[kind];
      if (question === undefined || this.#process.names.isDeclared(kind, name)) continue;
      if ((await this.#isThere(use)) !== false) continue;
      const answer = answers[question];
      // A name that is only misspelt has its warning.
      if (answer === undefined && this.#process.names.meant(kind, name) !== undefined) continue;
      const does = answer === "ignore" ? "drops" : "refuses";
      const text =
        answer === undefined
          ? absentText(kind, name)
          : `${quote(name)} is no ${kindInWords(kind)} of the console, which ${does} the name (${question})`;
      const line = `${by}: ${path}: ${text}. Declare it first, or correct the name.`;
      this.#process.reportOnce(answer === undefined ? line : willFail(line), resource);
    }
    const beyond = this.#lookUps - mostLookUps;
    if (beyond > 0)
      this.#process.reportOnce(
        `${countOf(beyond, "more name")} of gates and segments not looked for: a preview looks for ${mostLookUps}.`,
      );
  }

  /** Undefined where that cannot be known. */
  async #isThere({ kind, name }: Use): Promise<boolean | undefined> {
    const definition = managedKind(kind);
    try {
      if (!lookedUp.includes(kind)) return (await this.#names(definition)).has(name);
      this.#lookUps += 1;
      if (this.#lookUps > mostLookUps) return undefined;
      await this.#process.context().client.item(routeOf(definition, "get"), { params: { id: name } });
      return true;
    } catch (error) {
      if (!isConsoleError(error)) throw error;
      return lookedUp.includes(kind) && error.category === "not-found" ? false : undefined;
    }
  }

  #names(definition: ResourceDefinition): Promise<ReadonlySet<string>> {
    return keptIn(this.#lists, definition.name, () => this.#readNames(definition));
  }

  async #readNames(definition: ResourceDefinition): Promise<ReadonlySet<string>> {
    const { client } = this.#process.context();
    if (definition.identity.how === "singleton")
      return new Set(elementNames(definition, await client.item(routeOf(definition, "get"), {})));
    const items = await Array.fromAsync(client.items(routeOf(definition, "list"), {}));
    return new Set(items.flatMap((item) => [...namesOf(definition, item), String(item.id ?? "")]));
  }
}
