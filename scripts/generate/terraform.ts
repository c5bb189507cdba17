import published from "../../spec/published-attributes.json";
import { snakeCase } from "../../src/provider/texts/argument-names";
import { section, table } from "./markdown";
import { kebab } from "./names";
import { allShapes, inputsOf, type KindModel } from "./shapes";
import { generatedNotice } from "./typescript";

/** The attributes of another provider of the same console, by the kind that has them here. */
export interface PublishedAttributes {
  readonly package: string;
  /** Kind here -> what its resource is called there. */
  readonly resources: Readonly<Record<string, string>>;
  /** Kind here -> the attributes there: `rules[].pass_percentage`. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** `Gate: rules[].id` -> what stands for it here, where that is no argument of the same name. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

/** An argument under its three names. */
interface Argument {
  readonly byRule: string;
  readonly wire: string;
  readonly here: string;
}

const columns = ["by the rule in Terraform", "in Pulumi's bridge", "in the API", "here"];

/**
 * The text of `spec/terraform-arguments.md`: every argument under the name that Terraform's usual rule makes of the API's, under
 * that of the published provider, and as programs say it here.
 * @throws Error that names the published attributes that nothing here stands for.
 */
export function terraformText(models: readonly KindModel[], theirs: PublishedAttributes = published): string {
  const kinds = models.filter(({ definition }) => definition.lifecycle.create.how !== "run");
  const introduction = `<!-- ${generatedNotice} -->

# Attributes and arguments

Every argument of every kind that both sides could have, for [coming from Terraform](../docs/guides/terraform.md).

- **By the rule in Terraform**: the usual rule of providers that are made from an API, its names in snake_case.
- **In Pulumi's bridge**: ${theirs.package}, which Pulumi's bridge made from the service's
  Terraform provider. It puts the names of lists in the plural. Empty: that version has no such argument.
`;
  return [introduction, ...kinds.map((model) => kindText(model, theirs))].join("");
}

function kindText(model: KindModel, { resources, attributes, elsewhere }: PublishedAttributes): string {
  const { kind, name } = model.definition;
  const theirs = new Map((attributes[kind] ?? []).map((attribute) => [comparable(attribute), attribute]));
  const own = argumentsOf(model);
  const rows = own.map(({ byRule, wire, here }) => [
    byRule,
    theirs.get(comparable(byRule)) ?? "",
    wire,
    here,
  ]);
  for (const { byRule } of own) theirs.delete(comparable(byRule));
  const others = [...theirs.values()].map((attribute) => [
    attribute,
    elsewhere[`${kind}: ${attribute}`] ?? "",
  ]);
  const unknown = others.flatMap(([attribute, instead]) => (instead === "" ? [attribute] : []));
  if (unknown.length > 0)
    throw new Error(`spec/published-attributes.json: nothing of ${kind} stands for ${unknown.join(", ")}.`);
  const there = resources[kind] === undefined ? "" : `, \`${resources[kind]}\` in Pulumi's bridge`;
  return section(
    `## ${kind}\n\n\`statsig_${snakeCase(name)}\` by the rule${there}; [reference](../docs/reference/${kebab(kind)}.md).`,
    table(
      columns,
      rows.map((row) => row.map(code)),
    ),
    table(
      ["only in Pulumi's bridge", "here"],
      others.map(([attribute = "", instead = ""]) => [code(attribute), instead]),
    ),
  );
}

/** The arguments that the API has, and not only this package. */
function argumentsOf(model: KindModel): Argument[] {
  const inputs = inputsOf(model).filter(([, { traits }]) => traits.startsAction !== true);
  const fields = new Set(inputs.map(([name]) => name));
  const nested = allShapes(model)
    .filter(({ inArgs, path }) => inArgs && fields.has(path.split(/[.[]/)[0] ?? ""))
    .flatMap(({ path, members }) =>
      members
        .filter(({ node }) => node.serverSet === undefined)
        .map(({ name, node }) => argumentOf(path, node.wire ?? name, name)),
    );
  return [...inputs.map(([name, { traits }]) => argumentOf("", traits.wire ?? name, name)), ...nested];
}

function argumentOf(path: string, wire: string, name: string): Argument {
  const [theirs, ours] = path === "" ? ["", ""] : [`${snakeCase(path)}.`, `${path}.`];
  return { byRule: `${theirs}${snakeCase(wire)}`, wire, here: `${ours}${name}` };
}

/** What names have in common that differ in a plural, or in where words end: `criterias[].id_type`, `criteria[].idtype`. */
function comparable(attribute: string): string {
  return attribute
    .replaceAll("_", "")
    .split(".")
    .map((part) => part.replace(/s?(\[\])?$/, ""))
    .join(".");
}

function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}
