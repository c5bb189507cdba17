import { showsChanges } from "../../src/provider/schema/audit";
import { list, section } from "./markdown";
import { pageOf } from "./pages";
import { type ListName, memberList, notice, type Shared } from "./reference";
import { allShapes, type KindModel } from "./shapes";

const legend = `## How to read a page

An argument is optional unless it is *required*. The *default* is what the console fills in; that of a list is the empty list. Changes are made in place, except:

- *replaces*: another object is created first; the old one is destroyed, as \`onDelete\` sets, after what uses it has moved. A page describes any other order.
- *fixed*: a change after creation is refused. Where a page lists \`onImmutableChange\`, its value \`"replace"\` replaces the object instead.

Removing an argument from the program clears it or sets its default; *kept*: the console keeps its value.
Names are the same in YAML, and in \`snake_case\` in Python. Each argument that reads show is also an output, with the console's value. \`onDelete: "retain"\` leaves the object in the console.

To manage an existing object, declare it with \`adopt: true\`, or with its id in Pulumi's option \`import\`: \`new fc.Gate("name", {...}, { import: "id" })\`. Otherwise
creation fails for a key that is taken; [Objects](../ownership.md#objects) lists every case. The command \`pulumi import TYPE NAME ID\` needs the [native plugin](../languages.md). The next refresh
removes a missing object from state; destroying it is no error.
`;

/** The text of `docs/reference/README.md`: all kinds at a glance, and what holds for all. */
export function referenceIndexText(models: readonly KindModel[], { lines }: Shared): string {
  const kinds = [...Map.groupBy(models, ({ definition }) => pageOf(definition) + definition.doc).values()];
  const entries = kinds.map((group) => {
    const [{ definition }] = group as [KindModel, ...KindModel[]];
    const [doc = ""] = definition.doc.split(/(?<=\.) /);
    return `[${group.map((one) => one.definition.kind).join(", ")}](${pageOf(definition)}): ${doc}`;
  });
  const shared = Object.entries(lines).map(([name, all]) =>
    section(
      `## Common ${name.toLowerCase()}`,
      `${introductions[name as ListName]}\n`,
      list(all.map(({ text }) => text)),
    ),
  );
  return [
    `${notice}\n# Reference\n\nEvery resource type, and the [conditions](conditions.md) of rules.\n\n${list(entries)}\n${legend}`,
    byValueText(models),
    ...shared,
    ownersText(models),
  ].join("");
}

const introductions: Readonly<Record<ListName, string>> = {
  Arguments: "Pages name these, and describe those that differ:",
  Options:
    "Options are arguments beside the fields of the API. Pages name those that the resource type takes:",
  Outputs: "Pages name these:",
};

/** The kinds of which an edit shows by its values alone. */
function byValueText(models: readonly KindModel[]): string {
  const kinds = models.filter(({ definition }) => {
    const { create, read } = definition.lifecycle;
    return create.how !== "run" && read.how !== "remember" && !showsChanges(definition);
  });
  const all = kinds.map(({ definition }) => `[${definition.kind}](${pageOf(definition)})`).join(", ");
  return `\nConsole edits are detected by version or time of change; where reads show neither, by value: ${all}.\n`;
}

function ownersText(models: readonly KindModel[]): string {
  const owners = models.flatMap(allShapes).find(({ name }) => name === "Owners");
  return owners === undefined ? "" : section("### OwnersArgs", "`owns`\n", memberList(owners));
}
