import type * as ts from "typescript";
import { type Call, callsIn } from "./calls";
import type { Compiler } from "./compiler";
import type { Job } from "./edits";
import { styleOf } from "./literal-text";
import type { Position, Resource } from "./resources";

/** The files of a program, by their paths in the folder of the project. */
export interface Sources {
  /** Paths of all files of TypeScript and JavaScript. */
  readonly files: readonly string[];
  read(file: string): string;
}

/** Where a resource is made, or why that cannot be told. */
export type Found =
  | { readonly call: Call; readonly file: string }
  | { readonly why: string; readonly place?: Position };

/** The constructor calls of a program, found with TypeScript's own parser. */
export class Program {
  readonly compiler: Compiler;
  readonly #sources: Sources;
  readonly #parsed = new Map<string, ts.SourceFile>();
  readonly #calls = new Map<string, readonly Call[]>();
  readonly #resources: readonly Resource[];

  /** `resources`: all of the stack: a call that makes several of them is nobody's own. */
  constructor(compiler: Compiler, sources: Sources, resources: readonly Resource[]) {
    this.compiler = compiler;
    this.#sources = sources;
    this.#resources = resources;
  }

  /** The call that makes a resource: the one at the place that Pulumi noted, or the only one with its name. */
  find(resource: Resource): Found {
    const found = this.#at(resource) ?? this.#named(resource);
    if (!("call" in found)) return found;
    const makes = this.#resources.filter((one) => this.#makes(found, one, resource));
    if (makes.length < 2) return found;
    const names = makes.slice(0, 3).map(({ name }) => `"${name}"`);
    const more = makes.length > names.length ? ` and ${makes.length - names.length} more` : "";
    return {
      why: `this call makes ${makes.length} resources: ${names.join(", ")}${more}`,
      place: placeOf(found.file, found.call.file, found.call.node),
    };
  }

  #makes({ call }: Extract<Found, { call: Call }>, one: Resource, asked: Resource): boolean {
    if (one.definition !== asked.definition || one.wanted === undefined) return false;
    if (one === asked) return true;
    return call.name === undefined ? samePlace(one.position, asked.position) : one.name === call.name;
  }

  #at({ position, definition }: Resource): Found | undefined {
    if (position === undefined || !this.#sources.files.includes(position.file)) return undefined;
    const call = this.#callsIn(position.file).find(
      (one) =>
        one.kind === definition.kind && samePlace(placeOf(position.file, one.file, one.node), position),
    );
    return call && { call, file: position.file };
  }

  #named({ name, definition }: Resource): Found {
    const all = this.#sources.files.flatMap((file) =>
      this.#callsIn(file).flatMap((call) =>
        call.isOurs && call.kind === definition.kind ? [{ call, file }] : [],
      ),
    );
    const written = all.filter(({ call }) => call.name === name);
    // What was compiled stands beside its source.
    const typed = written.filter(({ file }) => /\.[mc]?tsx?$/.test(file));
    const [found, ...more] = typed.length > 0 ? typed : written;
    if (found !== undefined && more.length === 0) return found;
    if (found !== undefined)
      return {
        why: `${more.length + 1} calls have its name`,
        place: placeOf(found.file, found.call.file, found.call.node),
      };
    const [open] = all.filter(({ call }) => call.name === undefined);
    const why = "no constructor call with its name is in the sources";
    return open === undefined
      ? { why }
      : { why: `${why}; it may be made here`, place: placeOf(open.file, open.call.file, open.call.node) };
  }

  #callsIn(file: string): readonly Call[] {
    const known = this.#calls.get(file);
    if (known !== undefined) return known;
    const calls = callsIn(this.compiler, this.parse(file, this.#sources.read(file)));
    this.#calls.set(file, calls);
    return calls;
  }

  /** A file as its parser sees it; `text`: what is or would be in it. */
  parse(file: string, text: string): ts.SourceFile {
    const known = this.#parsed.get(file);
    if (known?.text === text) return known;
    const { ScriptTarget, ScriptKind } = this.compiler;
    const kind = /x$/.test(file) ? ScriptKind.TSX : /\.[mc]?js$/.test(file) ? ScriptKind.JS : ScriptKind.TS;
    const parsed = this.compiler.createSourceFile(file, text, ScriptTarget.Latest, true, kind);
    if (known === undefined) this.#parsed.set(file, parsed);
    return parsed;
  }

  /** What changes of a file are made with. */
  jobFor(resource: Resource, file: ts.SourceFile): Job {
    return { compiler: this.compiler, file, style: styleOf(file.text), definition: resource.definition };
  }

  /** The call that stands in a changed text where another one stood. */
  again(file: string, text: string, call: Call): Call | undefined {
    const at = this.#callsIn(file).indexOf(call);
    return callsIn(this.compiler, this.parse(file, text))[at];
  }
}

/** Where a node begins. */
export function placeOf(file: string, parsed: ts.SourceFile, node: ts.Node): Position {
  const { line, character } = parsed.getLineAndCharacterOfPosition(node.getStart(parsed));
  return { file, line: line + 1, column: character + 1 };
}

function samePlace(one: Position | undefined, other: Position | undefined): boolean {
  return (
    one !== undefined && one.file === other?.file && one.line === other.line && one.column === other.column
  );
}
