import { compareText } from "./names";
import { ordered } from "./order";
import { directoryOf, type Link, linksOf, type ProgramObject } from "./program-object";

/** The objects of a program, with the references that a program can keep. */
export interface LinkedObjects {
  /** By kind and name. */
  readonly sorted: readonly ProgramObject[];
  /** Each after those that it refers to. */
  readonly order: readonly ProgramObject[];
  readonly links: ReadonlyMap<ProgramObject, readonly Link[]>;
  /** References that lead back, from each object to those that it can only name by id. */
  readonly cut: ReadonlyMap<ProgramObject, ReadonlySet<ProgramObject>>;
}

/** Links objects by the ids and names that they hold, and cuts circles. The same objects give the same links in whatever order. */
export function linkedObjects(objects: readonly ProgramObject[]): LinkedObjects {
  const sorted = objects.toSorted((a, b) => compareText(a.kind, b.kind) || compareText(a.name, b.name));
  const all = linksOf(sorted, directoryOf(sorted));
  const needs = new Map([...all].map(([one, own]) => [one, own.map(({ to }) => to)]));
  const { order, cut } = ordered(sorted, needs);
  const links = new Map(
    [...all].map(([one, own]) => [one, own.filter(({ to }) => cut.get(one)?.has(to) !== true)]),
  );
  return { sorted, order, links, cut };
}

/** Remarks for a reader of an object's code, a sentence each. `unusual`: sentences about its values. */
export function remarksOn(
  { cut }: Pick<LinkedObjects, "cut">,
  one: ProgramObject,
  unusual: readonly string[] = [],
): string[] {
  return [
    ...[...(cut.get(one) ?? [])].map(
      (other) =>
        `This and ${other.definition.title} ${JSON.stringify(other.name)} refer to each other: here by its id.`,
    ),
    ...unusual,
    ...one.notExpressible.map(({ path, why }) => `Not as in the console: ${path} (${why}).`),
  ];
}
