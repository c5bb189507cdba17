import { section, table } from "./markdown";
import { kebab } from "./names";
import { allShapes, inputsOf, type KindModel } from "./shapes";
import { generatedNotice } from "./typescript";

/**
 * The text of `docs/terraform-arguments.md`: every argument under the name that Terraform's usual rule makes of the API's, and as
 * programs say it here.
 */
export function terraformText(models: readonly KindModel[]): string {
  const kinds = models.filter(({ definition }) => definition.lifecycle.create.how !== "run");
  const introduction = `<!-- ${generatedNotice} -->

# Attributes and arguments

Every argument of every kind that both sides could have, for [coming from Terraform](guides/terraform.md). The first column follows
the usual rule of Terraform providers that are made from an API: its names in snake_case. It is that rule, and not a
copy of the provider's schema, which may leave attributes out or call them otherwise.
`;
  return [introduction, ...kinds.map((model) => section(heading(model), table(columns, rowsOf(model))))].join(
    "",
  );
}

const columns = ["by the rule in Terraform", "in the API", "here"];

function heading({ definition: { kind, name } }: KindModel): string {
  return `## ${kind}\n\n\`statsig_${snakeCase(name)}\` by the same rule; [reference](reference/${kebab(kind)}.md).`;
}

function rowsOf(model: KindModel): string[][] {
  const own = inputsOf(model).map(([name, { facts }]) => rowOf("", "", facts.wire ?? name, name));
  const nested = allShapes(model)
    .filter(({ inArgs }) => inArgs)
    .flatMap(({ path, members }) =>
      members
        .filter(({ node }) => node.serverSet === undefined)
        .map(({ name, node }) => rowOf(`${snakeCase(path)}.`, `${path}.`, node.wire ?? name, name)),
    );
  return [...own, ...nested];
}

function rowOf(theirs: string, ours: string, wire: string, name: string): string[] {
  return [`${theirs}${snakeCase(wire)}`, wire, `${ours}${name}`].map((text) => `\`${text}\``);
}

/** `targetAppIDs` becomes `target_app_ids`. */
function snakeCase(name: string): string {
  return name
    .replaceAll("IDs", "Ids")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}
