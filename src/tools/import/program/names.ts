import { pascalCase } from "../../../provider/texts/argument-names";
import { occurrences } from "../../../provider/texts/count-text";
import { hardToRead } from "./code-text";

/** Something that gets a name in a program. */
export interface Named {
  /** PascalCase kind. */
  readonly kind: string;
  /** Name of the resource. */
  readonly name: string;
}

/** Words that a module of TypeScript cannot call something, and those that the programs written here use themselves. */
const taken = new Set(
  (
    "abstract,any,arguments,as,async,await,boolean,break,case,catch,class,const,constructor,continue,debugger,declare," +
    "default,delete,do,else,enum,eval,export,exports,extends,false,finally,for,from,function,get,if,implements,import,in," +
    "instanceof,interface,is,keyof,let,module,namespace,never,new,null,number,object,of,package,private,protected,public," +
    "readonly,require,return,set,static,string,super,switch,symbol,this,throw,true,try,type,typeof,undefined,unique," +
    "unknown,using,var,void,while,with,yield,NaN,Infinity,Object,Array,String,Number,Boolean,Symbol,Function,Promise," +
    "Error,JSON,Math,Date,globalThis,process,console,Buffer,__dirname,__filename,fc,pulumi,readFileSync"
  ).split(","),
);

/**
 * An identifier for each: made of the resource's name. Of several that would get the same, the one that is called so keeps it; the
 * others, and what is a word of the language, get the kind behind it, and a number where that is not enough. The same names give the
 * same identifiers in whatever order.
 * `others`: names that code has already. `spelled`: a text as an identifier of the language.
 */
export function identifiersOf<T extends Named>(
  objects: readonly T[],
  others: ReadonlySet<string> = new Set(),
  spelled: (text: string, kind: string) => string = camelCase,
): ReadonlyMap<T, string> {
  const isTaken = (name: string) => taken.has(name) || others.has(name);
  const sorted = objects.toSorted((a, b) => compareText(a.kind, b.kind) || compareText(a.name, b.name));
  const plain = (one: T) => spelled(one.name, one.kind);
  const wanted = occurrences(sorted.map(plain));
  const exact = occurrences(sorted.map(({ name }) => name));
  const isAlone = (one: T) =>
    wanted.get(plain(one)) === 1 || (plain(one) === one.name && exact.get(one.name) === 1);
  const short = sorted.filter((one) => isAlone(one) && !isTaken(plain(one)));
  const used = new Set(short.map(plain));
  const names = new Map(short.map((one) => [one, plain(one)]));
  for (const one of sorted)
    if (!names.has(one))
      names.set(one, unusedName(spelled(`${one.name} ${one.kind}`, one.kind), used, isTaken, ""));
  return names;
}

/** A name that nothing has yet: this one, or this one with a number behind a separator. */
export function unusedName(base: string, used: Set<string>, isTaken = (_: string) => false, separator = "-") {
  let name = base;
  for (let number = 2; used.has(name) || isTaken(name); number += 1) name = `${base}${separator}${number}`;
  used.add(name);
  return name;
}

/** The order of texts that is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A text of the letters and digits that identifiers may hold in every language. */
export function commonLetters(text: string): string {
  const bare = text.normalize("NFKD").replace(/\p{M}+/gu, "");
  return bare.normalize("NFKC").replace(/[^\p{L}\p{Nd}]+/gu, " ");
}

/** A text as an identifier; the kind where nothing of it can stand in one. */
export function camelCase(text: string, kind: string): string {
  const seen = text.normalize("NFC").replace(hardToRead, "");
  const words = seen.match(/[\p{ID_Start}\p{ID_Continue}]+/gu) ?? [];
  const parts = words.flatMap((word) => word.split("_")).filter((word) => word !== "");
  const joined = parts
    .map((word, index) => (index === 0 ? lowerFirst(word) : pascalCase(word)))
    .reduce(
      (text, word) => (/\p{N}$/u.test(text) && /^\p{N}/u.test(word) ? `${text}_${word}` : text + word),
      "",
    );
  const identifier = /^\p{ID_Start}/u.test(joined) ? joined : `${lowerFirst(kind)}${joined}`;
  return identifier === "" ? lowerFirst(kind) : identifier;
}

/** `SQLSource` -> `sqlSource`, `URL` -> `url`: capitals before another capital or the end count as one word. */
function lowerFirst(word: string): string {
  return word.replace(/^\p{Lu}+(?=\p{Lu}\p{Ll}|$|[^\p{L}])|^\p{Lu}/u, (capitals) => capitals.toLowerCase());
}

/**
 * Names for the resources of one kind: what a program calls each; where two are called alike, with what tells them apart. `isFree`:
 * whether no other object has the name already.
 */
export function resourceNames(
  objects: readonly { readonly called: string; readonly id: string }[],
  isFree: (name: string, id: string) => boolean,
): string[] {
  const counts = occurrences(objects.map(({ called }) => called));
  const isPlain = ({ called, id }: (typeof objects)[number]) =>
    called !== "" && counts.get(called) === 1 && isFree(called, id);
  const used = new Set(objects.filter(isPlain).map(({ called }) => called));
  return objects.map((one) => {
    if (isPlain(one)) return one.called;
    const long = one.called === "" ? one.id : `${one.called} (${one.id})`;
    return unusedName(long, used, (name) => !isFree(name, one.id), " ");
  });
}
