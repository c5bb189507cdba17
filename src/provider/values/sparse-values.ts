import type { ResourceDefinition } from "../schema/define";
import { isGiven, type JsonObject, mapped, membersOf, picked } from "../schema/json";
import { alternativesOf, holdsNode, type Node } from "../schema/tree";
import { sameMeaning, sameUnder } from "./compare";
import { type ObjectPlace, pairedByKey, type Values, type Visitor, walkField } from "./walk";

/**
 * Arguments, completed by the live object where the program leaves something to the console: members of sparse objects (fact
 * `sparse`), element by element. A member that the program gave last time and no longer does goes, if the live one is still as it
 * was given.
 */
export function completeFromLive(definition: ResourceDefinition, name: string, values: Values): unknown {
  return walkField(definition, name, completing, values);
}

/**
 * A live value without what a program leaves to the console: as much of it as arguments would give. What the program gave last time,
 * and does not give now, is not left to the console.
 */
export function restrictToArgs(definition: ResourceDefinition, name: string, values: Values): unknown {
  return walkField(definition, name, restricting, values);
}

/** True where a live value is what the arguments say, as far as they say it. */
export function matchesArgs(definition: ResourceDefinition, name: string, values: Values): boolean {
  const { program, live } = values;
  // Mostly a program gives all that there is, and that is known without a copy of a part.
  if (sameMeaning(definition, name, program, live)) return true;
  const comparable = restrictToArgs(definition, name, values);
  return comparable !== live && sameMeaning(definition, name, program, comparable);
}

const holdsSparse = holdsNode((node) => node.sparse === true);

/** Adds to the program's objects the members that it leaves to the console. */
const completing: Visitor = {
  into: "program",
  enters: holdsSparse,
  pair: pairedByKey("program"),
  members: (place, values, inside) => {
    const { program = {}, live = {} } = values;
    const { properties, node } = place;
    const left = membersOfConsole(place, values).filter((member) => {
      const known = properties[member];
      if (known === undefined || !isGiven(live[member]) || isEmptyForm(known, live[member])) return false;
      return !otherForms(node, program).includes(member);
    });
    return { ...picked(live, left), ...mapped(program, (_, member) => inside(member)) };
  },
};

/** Takes from the live objects the members that the program leaves to the console. */
const restricting: Visitor = {
  into: "live",
  enters: holdsSparse,
  pair: pairedByKey("live"),
  members: (place, values, inside) => {
    const { program, live = {} } = values;
    if (program === undefined) return live;
    const left = new Set(membersOfConsole(place, values));
    const own = Object.keys(live).filter((member) => !left.has(member));
    return membersOf(own, inside);
  },
};

/** Members of a live object that a sparse one of the program leaves out, but for those that only the console sets. */
function membersOfConsole({ node, properties }: ObjectPlace, values: Values<JsonObject>): string[] {
  const { program = {}, live = {}, lastProgram = {} } = values;
  if (!alternativesOf(node).some((one) => one.sparse === true)) return [];
  const others = otherForms(node, program);
  return Object.keys(live).filter((member) => {
    const inside = properties[member];
    const forms = formsOf(properties, member);
    if (inside?.serverSet !== undefined || forms.some((form) => isGiven(program[form]))) return false;
    const isLeft =
      inside?.lasting !== true && isLeftover(node, picked(lastProgram, forms), picked(live, forms));
    return others.includes(member) || !isLeft;
  });
}

/** True for an empty text that nobody could write: reads may show one where nothing is set. */
function isEmptyForm(node: Node, value: unknown): boolean {
  return value === "" && alternativesOf(node).some(({ minLength = 0 }) => minLength > 0);
}

/** A member, and those that give the same value in another form. */
export function formsOf(properties: ObjectPlace["properties"], member: string): string[] {
  return Object.keys(properties).filter(
    (other) =>
      other === member || properties[member]?.aliasOf === other || properties[other]?.aliasOf === member,
  );
}

/** True for what the program gave last time and not now, while it is still as it was given. */
function isLeftover(node: Node, previous: JsonObject, live: JsonObject): boolean {
  return Object.values(previous).some(isGiven) && sameUnder(node, previous, live);
}

/** Members of the forms of a value that the program does not use. */
function otherForms(node: Node, program: JsonObject): readonly string[] {
  const forms = alternativesOf(node).find((one) => one.formsOfOne !== undefined)?.formsOfOne ?? [];
  const used = forms.filter((form) => form.some((member) => isGiven(program[member])));
  return used.length === 0 ? [] : forms.filter((form) => !used.includes(form)).flat();
}
