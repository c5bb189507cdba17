import path from "node:path";
import type * as ts from "typescript";
import { quote } from "../../provider/texts/issue-text";
import type { Resource } from "../stack/resources";
import type { Position } from "../stack/source-places";
import { type Call, callsIn, unusualIn } from "./calls";
import type { Compiler, Sources } from "./compiler";
import { styleOf } from "./literal-text";
import { type Literal, literalIn } from "./literals";

/** The call that makes a resource, or the reason for which it is not known. */
export type Found = Call | { readonly why: string; readonly place?: Position; readonly isShared?: true };

/** A file, parsed once. */
interface Parsed {
  readonly calls: readonly Call[];
  readonly byPlace: ReadonlyMap<string, Call>;
}

/** The constructor calls of a program, found with TypeScript's own parser. */
export class Program {
  readonly #compiler: Compiler;
  readonly #sources: Sources;
  readonly #parsed = new Map<string, Parsed | undefined>();
  /** All that a program makes, by kind and place, and by kind and name where no place is known. */
  readonly #made: ReadonlyMap<string, readonly Resource[]>;
  /** Calls of this package in all files, by kind and name. */
  #named: ReadonlyMap<string, readonly Call[]> | undefined;

  /** `resources`: all of the stack: a call that makes several of them is nobody's own. */
  constructor(compiler: Compiler, sources: Sources, resources: readonly Resource[]) {
    this.#compiler = compiler;
    this.#sources = sources;
    const made = resources.filter(({ wanted }) => wanted !== undefined);
    this.#made = Map.groupBy(made, madeBy);
  }

  /** The call that makes a resource: the one at the place that Pulumi noted, or the only one with its name. */
  find(resource: Resource): Found {
    const found = this.#at(resource) ?? this.#search(resource);
    if (!("node" in found)) return found;
    const { kind } = resource.definition;
    const keys = [placeKey(kind, found.place), madeBy(resource)];
    if (found.name !== undefined) keys.push(nameKey(kind, found.name));
    const makes = [...new Set(keys.flatMap((key) => this.#made.get(key) ?? []))];
    if (makes.length < 2) return found;
    const names = makes.slice(0, 3).map(({ name }) => quote(name));
    const more = makes.length > names.length ? ` and ${makes.length - names.length} more` : "";
    return {
      why: `this call makes ${makes.length} resources: ${names.join(", ")}${more}`,
      place: found.place,
      isShared: true,
    };
  }

  #at({ position, definition, name }: Resource): Call | undefined {
    if (position === undefined || this.#isCompiled(position.file)) return undefined;
    const call = this.#parsedFile(position.file)?.byPlace.get(placeKey(definition.kind, position));
    return call?.name === undefined || call.name === name ? call : undefined;
  }

  #search({ name, definition: { kind }, position }: Resource): Found {
    if (position !== undefined && !this.#sources.files.includes(position.file))
      return { why: outsideText(position.file), place: position };
    if (position !== undefined && this.#parsedFile(position.file) === undefined)
      return { why: `${position.file} is not UTF-8`, place: position };
    this.#named ??= Map.groupBy(
      this.#sources.files.flatMap((file) => this.#parsedFile(file)?.calls ?? []).filter((one) => one.isOurs),
      (call) => nameKey(call.kind, call.name),
    );
    const from = (key: string) =>
      (this.#named?.get(key) ?? []).filter(
        ({ place }) => position === undefined || isSourceOf(place.file, position.file),
      );
    const written = from(nameKey(kind, name));
    // A build puts its output beside the source.
    const typed = written.filter(({ place }) => !isScript(place.file));
    const [found, ...more] = typed.length > 0 ? typed : written;
    if (found !== undefined && more.length === 0) return found;
    if (found !== undefined) return { why: `${more.length + 1} calls have its name`, place: found.place };
    const [open] = from(nameKey(kind, undefined));
    const why = "no constructor call with its name is in the sources";
    return open === undefined ? { why } : { why: `${why}; it may be made here`, place: open.place };
  }

  /** True for JavaScript that a build makes of a file of TypeScript: the next build would undo a change. */
  #isCompiled(file: string): boolean {
    return isScript(file) && this.#sources.files.some((one) => !isScript(one) && isSourceOf(one, file));
  }

  #parsedFile(file: string): Parsed | undefined {
    if (this.#parsed.has(file)) return this.#parsed.get(file);
    const text = this.#sources.files.includes(file) ? this.#sources.read(file) : undefined;
    const parsed = text === undefined ? undefined : this.#parse(file, text);
    this.#parsed.set(file, parsed);
    return parsed;
  }

  #parse(name: string, text: string): Parsed {
    const compiler = this.#compiler;
    const file = this.#tree(name, text);
    const called = unusualIn(compiler, file);
    const unusual = (one: string) =>
      isScript(name) ? one : called === undefined ? `${one} as never` : `${called}(${one})`;
    const calls = callsIn({ compiler, file, style: { ...styleOf(text), unusual } });
    return { calls, byPlace: new Map(calls.map((call) => [placeKey(call.kind, call.place), call])) };
  }

  #tree(file: string, text: string): ts.SourceFile {
    const { ScriptTarget, ScriptKind } = this.#compiler;
    const kind = /x$/.test(file) ? ScriptKind.TSX : isScript(file) ? ScriptKind.JS : ScriptKind.TS;
    return this.#compiler.createSourceFile(file, text, ScriptTarget.Latest, true, kind);
  }

  /** The second argument of the call that this text holds in the place of another; undefined where it holds another thing. */
  argumentsIn(text: string, { place: { file } }: Call): Literal | undefined {
    const compiler = this.#compiler;
    // As a module, in which `await` has its meaning.
    const [, statement] = this.#tree(file, `export {};\n(${text});`).statements;
    if (statement === undefined || !compiler.isExpressionStatement(statement)) return undefined;
    const { expression: whole } = statement;
    if (!compiler.isParenthesizedExpression(whole) || whole.end !== statement.end - 1) return undefined;
    const [, args] = compiler.isNewExpression(whole.expression) ? (whole.expression.arguments ?? []) : [];
    return args && literalIn(compiler, args);
  }
}

function outsideText(file: string): string {
  const why = `${file} makes it, which is none of the program's sources`;
  return file.includes(")")
    ? `${why}: Pulumi loses the part of a path before " (", so rename the folder that has a parenthesis in its name`
    : why;
}

const isScript = (file: string) => /\.[mc]?jsx?$/.test(file);

/** True for a file itself, and for one of TypeScript of which it may be made: a build keeps the name and changes the folder. */
function isSourceOf(source: string, file: string): boolean {
  if (source === file) return true;
  const base = (one: string) => path.posix.basename(one).replace(/\.[mc]?[jt]sx?$/, "");
  return isScript(file) && !isScript(source) && base(source) === base(file);
}

function madeBy({ definition: { kind }, position, name }: Resource): string {
  return position === undefined ? nameKey(kind, name) : placeKey(kind, position);
}

function placeKey(kind: string, { file, line, column }: Position): string {
  return `${kind} at ${line}:${column} ${file}`;
}

function nameKey(kind: string, name: string | undefined): string {
  return name === undefined ? `${kind} of any name` : `${kind} called ${name}`;
}
