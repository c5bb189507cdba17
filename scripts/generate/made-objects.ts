import { runInThisContext } from "node:vm";
import ts from "typescript";
import { type Made, Reference } from "../../src/tools/import/program/typed-value";

/** A resource that a program makes. */
export interface MadeObject extends Made {
  /** The name, with the kind where an earlier resource of the program has that name. */
  readonly calledHere: string;
  readonly dependsOn: readonly MadeObject[];
}

type Args = MadeObject["args"];

/**
 * The resources that a program in TypeScript makes, in its order; it runs with classes that only record. `adapted`: changes the form of
 * the arguments of a kind.
 * @throws TypeError where it asks an output for more than its value.
 */
export function objectsMadeBy(program: string, adapted: (args: Args, kind: string) => Args): MadeObject[] {
  const found: MadeObject[] = [];
  const classes = new Proxy({}, { get: (_, kind: string) => recorder(kind, found, adapted) });
  const module = ts.ModuleKind.CommonJS;
  const { outputText } = ts.transpileModule(program, { compilerOptions: { module } });
  const run = runInThisContext(`(function (require, exports) {${outputText}})`);
  run(() => classes, {});
  return found;
}

/** The resource that a handle stands for. */
const madeBy = Symbol("made");

function recorder(kind: string, found: MadeObject[], adapted: (args: Args, kind: string) => Args) {
  return function record(name: string, args: Record<string, unknown>, options: { dependsOn?: unknown } = {}) {
    const dependsOn = [options.dependsOn ?? []].flat().map((one) => plain(one) as Reference);
    const calledHere = found.some((one) => one.name === name) ? `${name}_${kind}` : name;
    const made = {
      ...{ kind, name, calledHere, args: adapted(plain(args) as Args, kind) },
      dependsOn: dependsOn.map((one) => one.made as MadeObject),
    };
    found.push(made);
    return new Proxy(made, {
      get: (_, output: string | symbol) => (output === madeBy ? made : new Reference(made, String(output))),
    });
  };
}

/** A value with references in the place of resources. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Reference) return value;
  const made = (value as { [madeBy]?: MadeObject })[madeBy];
  if (made !== undefined) return new Reference(made, "id");
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}
