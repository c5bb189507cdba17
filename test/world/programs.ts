import { managed } from "../../src/provider/definitions";
import { typePrefix } from "../../src/provider/pulumi/stored-names";
import { equalJson, isObject, type JsonObject } from "../../src/provider/schema/json";

/** A resource of a program. In arguments, `{ $id: name }` stands for the id of another resource, as an output. */
export interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly aliases: readonly string[];
  readonly imports: string | undefined;
  readonly replaceOnChanges: readonly string[];
  readonly deleteBeforeReplace: boolean | undefined;
  /** Pulumi leaves its object alone when the resource goes. */
  readonly retainOnDelete?: boolean;
}

/** Declares a resource with nothing but arguments. */
export function declared(kind: string, name: string, args: JsonObject): Declared {
  return {
    ...{ kind, name, args, aliases: [], imports: undefined },
    ...{ replaceOnChanges: [], deleteBeforeReplace: undefined },
  };
}

export interface Held {
  readonly urn: string;
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** Argument -> resources whose outputs it takes. */
  readonly takes: Readonly<Record<string, readonly string[]>>;
  /** It was replaced and is to be deleted. */
  readonly condemned: boolean;
  /** It was deleted to make room for its successor, which is not there yet. */
  readonly makingRoom: boolean;
  /** A create or update failed half-way. */
  readonly unfinished: boolean;
  readonly retainOnDelete?: boolean;
}

export function urnOf(stack: string, kind: string, name: string): string {
  const { kind: className } = managed[kind as keyof typeof managed];
  return `urn:pulumi:${stack}::model::${typePrefix}${className}::${name}`;
}

/** A resource in few words. */
export function nameOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind}.${name}`;
}

/** A value with something else in the place of some of its parts: of those for which `change` returns it in a list. */
export function mapped(value: unknown, change: (part: unknown) => readonly [unknown] | undefined): unknown {
  const changed = change(value);
  if (changed !== undefined) return changed[0];
  if (Array.isArray(value)) return value.map((one) => mapped(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one, change)]));
}

/** Arguments with something else in the place of each reference. */
export function substituted(args: JsonObject, idOf: (name: string) => unknown): JsonObject {
  const change = (part: unknown) =>
    isObject(part) && typeof part.$id === "string" ? ([idOf(part.$id)] as const) : undefined;
  return mapped(args, change) as JsonObject;
}

/** The program's text. `{ $code: text }` stands for code in the place of a literal. */
export function programText(program: readonly Pick<Declared, "kind" | "name" | "args">[]): string {
  const texts = program.map(({ kind, name, args }) => {
    const text = JSON.stringify(args, undefined, 2)
      .replace(/\{\s*"\$id": ("[^"]+")\s*\}/g, "made[$1]")
      .replace(/\{\s*"\$code": ("(?:[^"\\]|\\.)*")\s*\}/g, (_, code: string) => JSON.parse(code));
    const { kind: className } = managed[kind as keyof typeof managed];
    return { name: nameOf({ kind, name }), text: `new fc.${className}(${JSON.stringify(name)}, ${text});` };
  });
  const isAsked = (name: string) => texts.some(({ text }) => text.includes(`made["${name}"]`));
  const lines = texts.map(({ name, text }) => (isAsked(name) ? `made["${name}"] = ${text}` : text));
  return `${lines.some((line) => line.startsWith("made")) ? "const made = {};\n" : ""}${lines.join("\n")}\n`;
}

/** How a program differs from another one, in lines. */
export function changeText(before: readonly Declared[], after: readonly Declared[]): string {
  const text = (one: Declared) => {
    const { kind: _k, name: _n, args, ...options } = one;
    const said = Object.entries(options).filter(([, value]) => value !== undefined && !equalJson(value, []));
    const rest = said.length === 0 ? "" : ` ${JSON.stringify(Object.fromEntries(said))}`;
    return `${nameOf(one)} ${JSON.stringify(args)}${rest}`;
  };
  const gone = before
    .filter((one) => !after.some((other) => equalJson(other, one)))
    .map((one) => `- ${text(one)}`);
  const come = after
    .filter((one) => !before.some((other) => equalJson(other, one)))
    .map((one) => `+ ${text(one)}`);
  return [...gone, ...come].join("\n    ");
}

/** Names of resources whose outputs arguments take. */
export function referencesIn(args: JsonObject): string[] {
  return [...JSON.stringify(args).matchAll(/"\$id":"([^"]+)"/g)].map(([, name = ""]) => name);
}

export function changedNames(olds: JsonObject, news: JsonObject): string[] {
  const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])];
  return names.filter((name) => !equalJson(olds[name], news[name]));
}

/** The text by which the engine finds a resource's provider; the host adds it to what a provider answers. */
export function textOf({ __provider }: JsonObject): JsonObject {
  return { __provider };
}

/** Over the wire nothing is shared, and what is undefined is gone. */
export function copy<T extends JsonObject>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
