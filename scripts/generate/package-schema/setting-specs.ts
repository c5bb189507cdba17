import { readFileSync } from "node:fs";
import path from "node:path";
import { configNamespace, settingNames } from "../../../src/provider/pulumi/provider-settings";
import { enumSpec } from "./enums";
import type { NamedTypes } from "./named-types";
import type { Properties, PropertySpec, TypeSpec } from "./spec";
import { memberName } from "./value-specs";

/** The page that explains each setting to people, in a table. */
const page = "docs/settings.md";

/** Every setting: of the stack's configuration, and of an explicit provider. `root`: the repository. */
export function settingSpecs(types: NamedTypes, root: string): Properties {
  const text = readFileSync(path.join(root, page), "utf8");
  const specs = Object.entries(settingNames).map(([name, setting]): [string, PropertySpec] => [
    name,
    {
      ...settingType(types, name, setting),
      description: meaningOf(text, name),
      ...("isSecret" in setting ? { secret: true } : {}),
    },
  ]);
  return Object.fromEntries(specs);
}

type Setting = (typeof settingNames)[keyof typeof settingNames];

function settingType(types: NamedTypes, name: string, setting: Setting): TypeSpec {
  if ("isNumber" in setting) return { type: "number" };
  if ("isSwitch" in setting) return { type: "boolean" };
  if (!("choices" in setting)) return { type: "string" };
  return types.ref(memberName("Provider", name), `the setting ${name}`, () => enumSpec(setting.choices));
}

/** The last cell of a setting's row, without links, which lead nowhere outside the page. */
function meaningOf(text: string, name: string): string {
  const row = text.split("\n").find((line) => line.startsWith(`| \`${configNamespace}:${name}\` |`));
  const meaning = row?.split(" | ").at(-1)?.replace(/ \|$/, "");
  if (meaning === undefined) throw new Error(`${page} has no row for ${configNamespace}:${name}.`);
  const plain = meaning.replaceAll(/ \(\[[^\]]*\]\([^)]*\)\)/g, "");
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}
