import { everyKind } from "../../src/provider/definitions";
import type { ObjectDefinition } from "../../src/provider/schema/define";
import type { MeantKind } from "../../src/provider/schema/field";
import { idMember } from "../../src/provider/schema/object-id";
import { itemsOf, type Node } from "../../src/provider/schema/tree";
import { withArticle } from "./names";
import { pageOf } from "./pages";
import { alternatives } from "./schema";
import { isManaged, type Shape } from "./shapes";

const kinds: Readonly<Record<string, ObjectDefinition>> = everyKind;

type Fact = "refersTo" | "names";

/** The kind that a value stands for, with a link to its page: "id of a Gate". Empty where it stands for nothing else. */
export function meaningOf(node: Node): string {
  const facts = factsOf(node);
  const teller = facts.map(([, meant]) => meant).find((meant) => typeof meant === "object");
  if (teller !== undefined) return "";
  return facts.map(([fact, kind]) => meantKind(fact, String(kind))).join(" or ");
}

/** The kinds that a member of a nested object stands for, by the value of a member beside it; empty where none tells. */
export function meaningList({ members }: Shape, name: string, node: Node): string {
  const told = factsOf(node).flatMap(([fact, meant]) =>
    typeof meant === "string"
      ? []
      : Object.entries(meant.of).map(([value, kind]) => ({ fact, value, kind, by: meant.by })),
  );
  const by = told[0]?.by ?? "";
  const teller = members.find((one) => one.name === by);
  // The kinds of a table of all conditions need not all be there.
  const values = new Set(alternatives(teller?.node ?? {}).forms.flatMap((form) => form.enum ?? []));
  const rows = told
    .filter(({ value }) => values.size === 0 || values.has(value))
    .sort((a, b) => (a.value < b.value ? -1 : 1))
    .map(({ fact, value, kind }) => `\`"${value}"\` ${meantKind(fact, kind)}`);
  return rows.length === 0 ? "" : `By \`${by}\`, \`${name}\` is: ${rows.join(", ")}.`;
}

/** What an array means its elements mean, and the other way round. */
function factsOf(node: Node): [Fact, MeantKind][] {
  const items = itemsOf(node);
  return (["refersTo", "names"] as const).flatMap((fact): [Fact, MeantKind][] => {
    const meant = node[fact] ?? items?.[fact];
    return meant === undefined ? [] : [[fact, meant]];
  });
}

function meantKind(fact: Fact, name: string): string {
  const definition = kinds[name];
  if (definition === undefined) throw new Error(`a field refers to "${name}", and there is no such kind`);
  const { kind, identity } = definition;
  const link = isManaged(definition) ? `[${kind}](${pageOf(definition)})` : kind;
  // Of the object of which there is one, the elements have names.
  if (identity.how === "singleton") return `name in ${link}`;
  // Where the name is the id, the name is what people know.
  const isName = fact === "names" || idMember(definition) === "name";
  return `${isName ? "name" : "id"} of ${withArticle(kind).replace(kind, link)}`;
}
