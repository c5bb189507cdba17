import { elementNames, namesOf } from "../../decisions/declared-names";
import { managedKind } from "../../definitions";
import { nameOf } from "../../engine";
import { type ResourceDefinition, routeOf } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
import { resourceMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import type { InForce } from "../../schema/observations";
import { pathText } from "../../schema/path";
import { kindInWords, referencesIn } from "../../schema/references";
import { UNKNOWN } from "../../schema/unknown";
import { countOf } from "../../texts/count-text";
import { quote } from "../../texts/issue-text";
import { willFail } from "../../words/text";
import type { ProviderProcess } from "../process";

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

/** Names that a run is about to send, of objects that only the console can have: looked for where the answers say that it matters. */
export class NamedObjects {
  readonly #process: ProviderProcess;
  readonly #uses: Use[] = [];
  readonly #lists = new Map<string, Promise<ReadonlySet<string>>>();
  #lookUps = 0;

  constructor(process: ProviderProcess) {
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
      if (question === undefined || answers[question] === undefined || !changed.includes(String(path[0])))
        continue;
      if (question === "unknownReferences" && !isAsked) continue;
      if (typeof value !== "string" || value === "" || value === standard || value.includes(UNKNOWN))
        continue;
      const [by, resource] = [nameOf(definition, id), args[resourceMember]];
      this.#uses.push({ kind, name: value, by, path: pathText(path), resource });
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
      const does = answers[question] === "ignore" ? "drops" : "refuses";
      const line = willFail(
        `${by}: ${path}: ${quote(name)} is no ${kindInWords(kind)} of the console, which ${does} the name (${question}). ` +
          "Declare it first, or correct the name.",
      );
      this.#process.reportOnce(line, resource);
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
    const known = this.#lists.get(definition.name) ?? this.#readNames(definition);
    this.#lists.set(definition.name, known);
    return known;
  }

  async #readNames(definition: ResourceDefinition): Promise<ReadonlySet<string>> {
    const { client } = this.#process.context();
    if (definition.identity.how === "singleton")
      return new Set(elementNames(definition, await client.item(routeOf(definition, "get"), {})));
    const names: string[] = [];
    for await (const item of client.items(routeOf(definition, "list"), {}))
      names.push(...namesOf(definition, item), String(item.id ?? ""));
    return new Set(names);
  }
}
