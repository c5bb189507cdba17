import { countOf, listText } from "../../provider/texts/count-text";
import type { ReadStack } from "../stack/live";
import type { Preview } from "../stack/preview";
import { objectOf, resourcesOf } from "../stack/resources";
import { edited } from "./edits";
import { type Acceptance, intoProgram, type ProgramPorts } from "./into-program";
import type { ChangeableSettings } from "./settings-file";
import { type FedWish, fedWishes, unclearSettings } from "./settings-proof";
import type { Outcome, Wish } from "./wish";

/** Means of a change of settings. */
export interface SettingsPorts {
  readonly settings: ChangeableSettings;
  /** Preview of the program with this text in the place of its file of settings. */
  readonly previewWith: (text: string) => Promise<Preview>;
  readonly progress: (line: string) => void;
}

/** Plans a program and its settings that fulfil wishes. A setting changes where no literal holds the value. Writes nothing. */
export async function intoProgramOrSettings(
  stack: ReadStack,
  program: ProgramPorts,
  wishes: readonly Wish[],
  ports: SettingsPorts | undefined,
): Promise<Acceptance> {
  const { exported, resources } = stack;
  const alone = await intoProgram(stack, program, wishes);
  const refused = alone.outcomes.filter(({ how }) => how === "refused");
  if (ports === undefined || refused.length === 0) return alone;
  const { settings, previewWith, progress } = ports;
  const { file, text } = settings.file;
  const isRefused = (urn: string, name: string) =>
    refused.some((one) => one.urn === urn && one.argument === name);
  const fed = await fedWishes(wishes, { isRefused, settings, resources }, async (changed) => {
    progress(`Trying ${countOf(changed.length, "setting")} of ${file} (pulumi preview) ...`);
    const shown = await previewWith(edited(text, changed)).catch(() => undefined);
    return shown === undefined ? undefined : resourcesOf(exported, shown);
  });
  const changed = [...new Set(fed.flatMap((one) => one.settings))];
  const { outcomes, changes } = changed.length === 0 ? alone : await intoProgram(stack, program, fed);
  const after = edited(text, changed);
  return {
    outcomes: [...outcomes.map((one) => withUnclear(one, wishes, settings)), ...fed.flatMap(settingOutcomes)],
    changes: after === text ? changes : new Map([...changes, [file, { before: text, after }]]),
  };
}

/** An outcome with the settings that may hold a refused value, where there are several. */
function withUnclear(outcome: Outcome, wishes: readonly Wish[], settings: ChangeableSettings): Outcome {
  if (outcome.how !== "refused") return outcome;
  const { resource, values = [] } = wishes.find((one) => one.resource.urn === outcome.urn) ?? {};
  const value = values.find(({ name }) => name === outcome.argument);
  const found = resource && value ? unclearSettings(resource, value, settings) : [];
  if (found.length === 0) return outcome;
  const names = listText(found.map(({ path }) => path.join(".")));
  return { ...outcome, why: `${outcome.why}; ${settings.file.file} has this value in ${names}` };
}

function settingOutcomes({ resource, settings }: FedWish): Outcome[] {
  return settings.map(({ path, place }) => ({
    ...{ object: objectOf(resource), urn: resource.urn },
    ...{ label: path.join("."), how: "accepted", place },
  }));
}
