import path from "node:path";
import type * as ts from "typescript";
import { quote } from "../../provider/texts/issue-text";
import type { Resource } from "../stack/resources";
import type { Position } from "../stack/source-places";
import { type Call, callsIn, unusualIn } from "./source/calls";
import type { Compiler, Sources } from "./source/compiler";
import type { Job } from "./source/edits";
import { styleOf } from "./source/literal-text";

/** A call of a constructor, and its file. */
export interface Place {
  readonly call: Call;
  readonly file: string;
}

/** The call that makes a resource, or the reason for which it is not known. */
export type Found = Place | { readonly why: string; readonly place?: Position };

/** A file, parsed once. */
interface Parsed {
  readonly calls: readonly Call[];
  readonly byPlace: ReadonlyMap<string, Call>;
  readonly job: Omit<Job, "definition">;
}

/** The constructor calls of a program, found with TypeScript's own parser. */
export class Program {
  readonly compiler: Compiler;
  readonly #sources: Sources;
  readonly #parsed = new Map<string, Parsed | undefined>();
  /** All that a program makes, by kind and place, and by kind and name where no place is known. */
  readonly #made = new Map<string, Resource[]>();
  #named: ReadonlyMap<string, readonly Place[]> | undefined;

  /** `resources`: all of the stack: a call that makes several of them is nobody's own. */
  constructor(compiler: Compiler, sources: Sources, resources: readonly Resource[]) {
    this.compiler = compiler;
    this.#sources = sources;
    for (const one of resources) if (one.wanted !== undefined) addTo(this.#made, madeBy(one), one);
  }

  /** The call that makes a resource: the one at the place that Pulumi noted, or the only one with its name. */
  find(resource: Resource): Found {
    const found = this.#at(resource) ?? this.#search(resource);
    if (!("call" in found)) return found;
    const makes = this.#madeIn(found, resource);
    if (makes.length < 2) return found;
    const names = makes.slice(0, 3).map(({ name }) => quote(name));
    const more = makes.length > names.length ? ` and ${makes.length - names.length} more` : "";
    return {
      why: `this call makes ${makes.length} resources: ${names.join(", ")}${more}`,
      place: placeOf(found.file, found.call.file, found.call.node),
    };
  }

  #madeIn({ call, file }: Place, asked: Resource): readonly Resource[] {
    const { kind } = asked.definition;
    const there = this.#made.get(placeKey(kind, placeOf(file, call.file, call.node))) ?? [];
    const asAsked = this.#made.get(madeBy(asked)) ?? [];
    const called = call.name === undefined ? [] : (this.#made.get(nameKey(kind, call.name)) ?? []);
    return [...new Set([...there, ...asAsked, ...called])];
  }

  #at({ position, definition, name }: Resource): Place | undefined {
    if (position === undefined || this.#isCompiled(position.file)) return undefined;
    const call = this.#parsedFile(position.file)?.byPlace.get(placeKey(definition.kind, position));
    const isOther = call?.name !== undefined && call.name !== name;
    return call === undefined || isOther ? undefined : { call, file: position.file };
  }

  #search(resource: Resource): Found {
    const { name, definition, position } = resource;
    if (position !== undefined && this.#sources.files.includes(position.file)) {
      if (this.#parsedFile(position.file) === undefined)
        return { why: `${position.file} is not UTF-8`, place: position };
    } else if (position !== undefined) return { why: outsideText(position.file), place: position };
    this.#named ??= this.#namedCalls();
    const from = (key: string) =>
      (this.#named?.get(key) ?? []).filter(
        ({ file }) => position === undefined || isSourceOf(file, position.file),
      );
    const written = from(nameKey(definition.kind, name));
    // A build puts its output beside the source.
    const typed = written.filter(({ file }) => !isScript(file));
    const [found, ...more] = typed.length > 0 ? typed : written;
    if (found !== undefined && more.length === 0) return found;
    const told = (place: Place) => placeOf(place.file, place.call.file, place.call.node);
    if (found !== undefined) return { why: `${more.length + 1} calls have its name`, place: told(found) };
    const [open] = from(nameKey(definition.kind, undefined));
    const why = "no constructor call with its name is in the sources";
    return open === undefined ? { why } : { why: `${why}; it may be made here`, place: told(open) };
  }

  #namedCalls(): ReadonlyMap<string, readonly Place[]> {
    const named = new Map<string, Place[]>();
    for (const file of this.#sources.files)
      for (const call of this.#parsedFile(file)?.calls ?? [])
        if (call.isOurs) addTo(named, nameKey(call.kind, call.name), { call, file });
    return named;
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
    const file = this.#tree(name, text);
    const calls = callsIn(this.compiler, file);
    const byPlace = calls.map((call) => [placeKey(call.kind, placeOf(name, file, call.node)), call] as const);
    const called = unusualIn(this.compiler, file);
    const unusual = (one: string) =>
      isScript(name) ? one : called === undefined ? `${one} as never` : `${called}(${one})`;
    const job = { compiler: this.compiler, file, style: { ...styleOf(text), unusual } };
    return { calls, byPlace: new Map(byPlace), job };
  }

  #tree(file: string, text: string): ts.SourceFile {
    const { ScriptTarget, ScriptKind } = this.compiler;
    const kind = /x$/.test(file) ? ScriptKind.TSX : isScript(file) ? ScriptKind.JS : ScriptKind.TS;
    return this.compiler.createSourceFile(file, text, ScriptTarget.Latest, true, kind);
  }

  /** Parser, text and style for changes of a file. */
  jobFor({ definition }: Resource, file: string): Job {
    const parsed = this.#parsedFile(file);
    if (parsed === undefined) throw new Error(`${file} was not read`);
    return { ...parsed.job, definition };
  }

  /** The call that a text of nothing but this call holds; undefined where it holds another thing. */
  alone(file: string, text: string): ts.NewExpression | undefined {
    // As a module, in which `await` has its meaning.
    const [, statement] = this.#tree(file, `export {};\n(${text});`).statements;
    if (statement === undefined || !this.compiler.isExpressionStatement(statement)) return undefined;
    const { expression } = statement;
    const isWhole =
      this.compiler.isParenthesizedExpression(expression) && expression.end === statement.end - 1;
    return isWhole && this.compiler.isNewExpression(expression.expression)
      ? expression.expression
      : undefined;
  }

  /** The calls of a changed text, in place of those that the file has now; undefined where there are more or fewer. */
  callsAfter(file: string, text: string): readonly Call[] | undefined {
    const calls = callsIn(this.compiler, this.#tree(file, text));
    return calls.length === this.#parsedFile(file)?.calls.length ? calls : undefined;
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

function addTo<T>(map: Map<string, T[]>, key: string, one: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [one]);
  else known.push(one);
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

/** The beginning of a node. */
export function placeOf(file: string, parsed: ts.SourceFile, node: ts.Node): Position {
  const { line, character } = parsed.getLineAndCharacterOfPosition(node.getStart(parsed));
  return { file, line: line + 1, column: character + 1 };
}
