import { absentText, type DeclaredNames, elementNames, namesOf } from "../../decisions/declared-names";
import { managedKind } from "../../definitions";
import { type EngineContext, nameOf } from "../../engine";
import { type ResourceDefinition, routeOf } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
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
  /** The console is asked, or has answered, whether it takes a name that is not there. */
  readonly isLookedFor: boolean;
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
  /** Uses whose names may be of nothing. */
  readonly #doubts: Use[] = [];
  readonly #lists = new Map<string, Promise<ReadonlySet<string>>>();
  /** By kind and name; undefined where that cannot be known. */
  readonly #there = new Map<string, Promise<boolean | undefined>>();
  #lookUps = 0;
  /** Look-ups when the reports were made. */
  #toldLookUps = 0;

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
      if (!changed.includes(String(path[0]))) continue;
      const question = questions[kind];
      const isLookedFor =
        question !== undefined &&
        (question === "unknownReferences" ? isAsked : answers[question] !== undefined);
      if (typeof value !== "string" || value === "" || value === standard || value.includes(UNKNOWN))
        continue;
      const [by, resource] = [nameOf(definition, id), args[resourceMember]];
      this.#uses.push({ kind, name: value, by, path: placeText(definition, path), resource, isLookedFor });
    }
  }

  /**
   * True while names that are noted may be of nothing: misspelt, or of no object that the program has declared so far or the console has.
   * Forgets all others. Calls that come meanwhile note more.
   */
  async hasDoubts(): Promise<boolean> {
    const { names } = this.#process;
    for (let use = this.#uses.shift(); use !== undefined; use = this.#uses.shift()) {
      const { kind, name, isLookedFor } = use;
      if (names.isDeclared(kind, name)) continue;
      const isMisspelt = names.meant(kind, name) !== undefined;
      if (isMisspelt || (isLookedFor && (await this.#isThere(use)) === false)) this.#doubts.push(use);
    }
    return this.#doubts.length > 0 || this.#lookUps > Math.max(mostLookUps, this.#toldLookUps);
  }

  /** Reports the names that neither the program nor the console has. Never fails. */
  async settle(): Promise<void> {
    const answers = this.#process.answers();
    for (const use of [...this.#doubts.splice(0), ...this.#uses.splice(0)]) {
      const { kind, name, by, path, resource, isLookedFor } = use;
      const question = questions[kind];
      if (!isLookedFor || question === undefined || this.#process.names.isDeclared(kind, name)) continue;
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
    this.#toldLookUps = this.#lookUps;
    const beyond = this.#lookUps - mostLookUps;
    if (beyond > 0)
      this.#process.reportOnce(
        `${countOf(beyond, "more name")} of gates and segments not looked for: a preview looks for ${mostLookUps}.`,
      );
  }

  #isThere(use: Use): Promise<boolean | undefined> {
    return keptIn(this.#there, `${use.kind} ${use.name}`, () => this.#look(use));
  }

  async #look({ kind, name }: Use): Promise<boolean | undefined> {
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
