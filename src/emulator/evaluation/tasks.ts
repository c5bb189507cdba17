import { keptIn } from "../../provider/schema/memoized";
import { within } from "../http/limited";
import { flagsOn } from "./flags";
import { quiet, startOn, whole } from "./sdk";
import { type Kind, lists, parametersOf, type Spec, type SpecDocument, titleOf } from "./specs";
import { type Evaluation, evaluate } from "./table";
import type { FlagUser, SdkClient } from "./types";
import { labelOf } from "./users";

/**
 * A task of the worker: `answers` about every document, the rest about the first. Documents are sent once, and again
 * when they change.
 */
export type Task =
  | { readonly what: "documents"; readonly texts: readonly string[] }
  | { readonly what: "client"; readonly user: FlagUser; readonly hash: "none" | "djb2" | "sha256" }
  | { readonly what: "answers"; readonly flags: readonly Flag[]; readonly users: readonly FlagUser[] }
  | {
      readonly what: "users";
      readonly kind: Kind;
      readonly name: string;
      readonly users: readonly FlagUser[];
      readonly environment?: string;
    };

/** A flag that is asked for. */
export interface Flag {
  readonly kind: Kind;
  readonly name: string;
}

/** Many answers, few of which differ: the text of each is `texts[places[index]]`. */
export interface Answers {
  readonly texts: readonly string[];
  readonly places: Uint32Array;
}

/** The most users that are evaluated under one limit: a limit of its own costs as much as an evaluation. */
const usersTogether = 100;

/** Time in which a flag by itself tells whether it is the slow one, milliseconds. */
const probeMs = 1000;

/** Carries tasks out by the service's own SDK. `limitMs`: time that the answers for one user may take. */
export class Evaluator {
  readonly #limitMs: number;
  #documents: readonly SpecDocument[] = [];
  /** One for each document. */
  #clients: readonly SdkClient[] | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** @throws Error for a person, with the flag whose evaluation does not end. */
  async carryOut(task: Task): Promise<unknown> {
    if (task.what === "documents") {
      this.#documents = task.texts.map((text) => JSON.parse(text) as SpecDocument);
      this.#clients = undefined;
      return undefined;
    }
    if (task.what === "answers") return this.#answers(task);
    const document = this.#documents[0] as SpecDocument;
    if (task.what === "users") return this.#forUsers(document, task);
    const [client] = await this.#started();
    return this.#forClient(client as SdkClient, document, task);
  }

  async #started(): Promise<readonly SdkClient[]> {
    this.#clients ??= await Promise.all(this.#documents.map((document) => startOn(document)));
    return this.#clients;
  }

  #forClient(client: SdkClient, document: SpecDocument, { user, hash }: Task & { what: "client" }): unknown {
    const one = whole(user);
    const all = within(this.#limitMs, () => client.getClientInitializeResponse(one, undefined, { hash }));
    if (all === undefined) throw this.#givenUp(client, document, one);
    if (all.value === null) throw new Error("the service's own SDK does not take the flags of this console");
    // A text goes from thread to thread in a fraction of the time that its object takes.
    return JSON.stringify(all.value);
  }

  /** For each document what each user in turn gets of each flag, as JSON text. */
  async #answers({ flags, users }: Task & { what: "answers" }): Promise<Answers[]> {
    const clients = await this.#started();
    const asked = this.#documents.map((document, index) => {
      const client = clients[index] as SdkClient;
      const asks = flags.map((flag) => askerOf(client, document, flag));
      return { client, document, asks, noted: new NotedAnswers(users.length * flags.length) };
    });
    // All documents by turns, for few users at a time: the SDK remembers the hashes of these users.
    for (let from = 0; from < users.length; from += usersTogether) {
      const some = users.slice(from, from + usersTogether).map(whole);
      for (const { client, document, asks, noted } of asked) {
        const together = within(this.#limitMs, () => some.flatMap((user) => asks.map((ask) => ask(user))));
        if (together === undefined) throw this.#givenUp(client, document, some[0] ?? whole({}));
        noted.add(together.value);
      }
    }
    return asked.map(({ noted }) => noted.answers());
  }

  async #forUsers(
    document: SpecDocument,
    { kind, name, users, environment }: Task & { what: "users" },
  ): Promise<readonly Evaluation[]> {
    const flags = await flagsOn(document, environment);
    const answers: Evaluation[] = [];
    for (let from = 0; from < users.length; from += usersTogether) {
      const some = users.slice(from, from + usersTogether);
      const answersFor = (asked: readonly FlagUser[]) =>
        within(this.#limitMs, () => asked.map((user) => evaluate(flags, kind, name, user)))?.value;
      const alone = (user: FlagUser, index: number): readonly Evaluation[] => {
        const answer = answersFor([user]);
        if (answer !== undefined) return answer;
        const whom = ` for the user ${labelOf(user, from + index + 1)}`;
        throw this.#givenUp(flags.sdk, document, whole(user), whom);
      };
      answers.push(...(answersFor(some) ?? some.flatMap(alone)));
    }
    return answers;
  }

  #givenUp(client: SdkClient, document: SpecDocument, user: WholeUser, whom = ""): Error {
    const slow = slowSpec(client, document, user);
    const after = `${this.#limitMs / 1000} s${whom}`;
    return new Error(
      slow === undefined
        ? `the flags were not evaluated within ${after}: ask for fewer, or again when this machine has less to do`
        : `${titleOf(slow)} was not evaluated within ${after}: one of its regular expressions (operator str_matches) takes too long. ` +
            "Write it without a repetition of a repetition: ^a+$ in the place of ^(a+)+$.",
    );
  }
}

/** Answers of one document, each text once. */
class NotedAnswers {
  readonly #texts = new Map<string, number>();
  readonly #places: Uint32Array;
  #next = 0;

  constructor(length: number) {
    this.#places = new Uint32Array(length);
  }

  add(texts: readonly string[]): void {
    for (const text of texts) {
      this.#places[this.#next++] = keptIn(this.#texts, text, () => this.#texts.size);
    }
  }

  answers(): Answers {
    return { texts: [...this.#texts.keys()], places: this.#places };
  }
}

/** Asks the SDK for one flag: of the many answers only what users get is kept. */
function askerOf(client: SdkClient, document: SpecDocument, { kind, name }: Flag) {
  const values: Readonly<Record<Kind, (user: WholeUser) => unknown>> = {
    gate: (user) => client.checkGate(user, name, quiet),
    config: (user) => client.getConfig(user, name, quiet).value,
    experiment: (user) => client.getExperiment(user, name, quiet).value,
    layer: (user) => {
      const layer = client.getLayer(user, name, quiet);
      return Object.fromEntries(parameters.map((one) => [one, layer.getValue(one, null)]));
    },
  };
  const parameters = parametersOf(document, name);
  const ask = values[kind];
  return (user: WholeUser): string => JSON.stringify(ask(user));
}

type WholeUser = ReturnType<typeof whole>;

/** The flag with a regular expression whose evaluation by itself does not end. */
function slowSpec(client: SdkClient, document: SpecDocument, user: WholeUser): Spec | undefined {
  const ask = {
    feature_gates: (name: string) => client.getFeatureGate(user, name, quiet),
    dynamic_configs: (name: string) => client.getConfig(user, name, quiet),
    layer_configs: (name: string) => client.getLayer(user, name, quiet),
  };
  for (const list of lists)
    for (const spec of document[list].filter(hasExpression))
      if (within(probeMs, () => ask[list](spec.name)) === undefined) return spec;
  return undefined;
}

const hasExpression = ({ rules }: Spec): boolean =>
  rules.some(({ conditions }) => conditions.some(({ operator }) => operator === "str_matches"));
