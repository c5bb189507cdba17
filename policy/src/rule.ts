import type { JsonObject, KindFacts, Path } from "pulumi-feature-console/facts";

/** An object that the program declares. What is not known before the update is `UNKNOWN`. */
export interface DeclaredObject {
  /** Its name in the program. */
  readonly name: string;
  readonly kind: KindFacts;
  readonly args: JsonObject;
  /** The same object as the last update or refresh has left it; undefined for a new one. */
  readonly before: JsonObject | undefined;
  /** True for a new one, and where the program says something else than last time. */
  readonly isChanged: boolean;
}

/** An object whose resource is in the state and not in the program any more, or which is replaced. */
export interface LeavingObject {
  /** Its name in the program of last time. */
  readonly name: string;
  readonly kind: KindFacts;
  readonly state: JsonObject;
  /** What becomes of it. */
  readonly how: "archive" | "delete";
  /** Titles of the objects that stay and refer to it: `gate "checkout"`. */
  readonly users: readonly string[];
}

/** What an environment of the process tells, and the time. */
export interface Circumstances {
  readonly now: Date;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What a rule has to say. */
export type Finding =
  /** It is not kept. No value of an argument is in the message: a policy cannot tell which are secrets. */
  | { readonly message: string }
  /** It cannot be judged before the update, because what is there is not known. */
  | { readonly unknown: Path }
  /** It is kept, and something is worth telling; once in a run. */
  | { readonly note: string };

/** The schema of a parameter, as Pulumi reads it. */
export interface Parameter {
  readonly type: "number" | "string" | "boolean" | "array" | "object";
  readonly description: string;
  readonly default: unknown;
  readonly items?: object;
  /** The texts that are allowed. */
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, object>>;
  readonly additionalProperties?: object | boolean;
}

/** Objects that show what a rule is about. Documentation and tests are made of them. */
export interface Example {
  readonly kind: string;
  readonly args: JsonObject;
  readonly before?: JsonObject;
  /** The object leaves the program, and is in use by these. */
  readonly leaves?: { readonly users: readonly string[] };
  readonly parameters?: JsonObject;
  readonly environment?: Readonly<Record<string, string>>;
}

/** One rule of a house: data, and a pure function for what stays or for what goes, or both. `P`: its parameters. */
export interface Rule<P = JsonObject> {
  /** The name of the policy. */
  readonly name: string;
  /** What it asks for, in a sentence. */
  readonly description: string;
  /** What a violation does where nobody says anything else. */
  readonly level: "advisory" | "mandatory";
  /** "state": the stack as the last update or refresh has left it. Everything else is in the program. */
  readonly needs: "program" | "state";
  readonly parameters: { readonly [Name in keyof P]: Parameter };
  /** What is wrong with parameters that somebody has said, each with its place: `weekly[0].from is "Fri"; ...`. */
  problemsOf?(parameters: P): readonly string[];
  judge?(object: DeclaredObject, parameters: P, circumstances: Circumstances): readonly Finding[];
  judgeLeaving?(object: LeavingObject, parameters: P, circumstances: Circumstances): readonly Finding[];
  readonly examples: { readonly violated: Example; readonly met: Example };
}

/** Declares a rule. */
export function defineRule<P extends object>(rule: Rule<P>): Rule {
  return rule as unknown as Rule;
}

/** What a rule is given where its parameters are not all said. */
export function parametersOf({ parameters }: Rule, said: JsonObject): JsonObject {
  const defaults = Object.entries(parameters).map(([name, parameter]) => [
    name,
    (parameter as Parameter).default,
  ]);
  return { ...Object.fromEntries(defaults), ...said };
}

/** `gate "checkout"`: by its name in the program, which is no secret. */
export function titleOf({ kind, name }: { readonly kind: KindFacts; readonly name: string }): string {
  return `${kind.title} ${JSON.stringify(name)}`;
}
