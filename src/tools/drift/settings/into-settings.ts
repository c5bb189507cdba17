import { countOf, listText } from "../../../provider/texts/count-text";
import type { Preview } from "../../stack/preview";
import { resourcesOf } from "../../stack/resources";
import type { Acceptance } from "../accept";
import type { Comparison } from "../comparison";
import type { ReadStack } from "../live";
import { labelsOf } from "../refusal";
import { objectOf } from "../report";
import type { Outcome } from "../source/edits";
import { edited } from "../source/edits";
import { intoProgram, type ProgramPorts } from "../take-over";
import type { ChangeableSettings, Setting } from "./settings-file";
import { type FedComparison, fedComparisons, type RefusedNames, unclearSettings } from "./settings-proof";

/** Means of a change of settings. */
export interface SettingsPorts {
  readonly settings: ChangeableSettings;
  /** Preview of the program with this text in the place of its file of settings. */
  readonly previewWith: (text: string) => Promise<Preview>;
  readonly progress: (line: string) => void;
}

/**
 * Plans a program and its settings that set the values of these comparisons. A setting changes where no literal holds the value.
 * Writes nothing.
 */
export async function intoProgramOrSettings(
  stack: ReadStack,
  program: ProgramPorts,
  comparisons: readonly Comparison[],
  ports: SettingsPorts | undefined,
): Promise<Acceptance> {
  const { exported, resources } = stack;
  const written = (some: readonly Comparison[]) => {
    const wishes = some.map((comparison) => ({ comparison, isNamed: true, values: comparison.values }));
    return intoProgram(stack, program, wishes);
  };
  const alone = await written(comparisons);
  const refused = refusedNames(comparisons, alone.outcomes);
  if (ports === undefined || refused.size === 0) return alone;
  const { settings, previewWith, progress } = ports;
  const explained = (acceptance: Acceptance): Acceptance => ({
    ...acceptance,
    outcomes: acceptance.outcomes.map((one) => withUnclear(one, comparisons, settings)),
  });
  const { file, text } = settings.file;
  const fed = await fedComparisons(comparisons, { refused, settings, resources }, async (changed) => {
    progress(`Trying ${countOf(changed.length, "setting")} of ${file} (pulumi preview) ...`);
    const shown = await previewWith(edited(text, changed)).catch(() => undefined);
    return shown === undefined ? undefined : resourcesOf(exported, shown);
  });
  const changed = [...new Set(fed.flatMap((one) => one.settings))];
  if (changed.length === 0) return explained(alone);
  const { outcomes, changes } = explained(await written(fed.map(({ comparison }) => comparison)));
  return {
    outcomes: [...outcomes, ...fed.flatMap(settingOutcomes)],
    changes: new Map([...changes, [file, { before: text, after: edited(text, changed) }]]),
  };
}

function refusedNames(comparisons: readonly Comparison[], outcomes: readonly Outcome[]): RefusedNames {
  const refused = outcomes.filter(({ how }) => how === "refused");
  const labels = new Set(refused.map(({ urn, label }) => `${urn}\n${label}`));
  const entries = comparisons.map((comparison) => {
    const isRefused = comparison.values.filter((value) => {
      const { urn, label } = labelsOf(comparison, value);
      return labels.has(`${urn}\n${label}`);
    });
    return [comparison.resource.urn, new Set(isRefused.map(({ name }) => name))] as const;
  });
  return new Map(entries.filter(([, names]) => names.size > 0));
}

/** An outcome with the settings that may hold a refused value, where there are several. */
function withUnclear(
  outcome: Outcome,
  comparisons: readonly Comparison[],
  settings: ChangeableSettings,
): Outcome {
  if (outcome.how !== "refused") return outcome;
  const found = comparisons.flatMap((comparison) =>
    comparison.values.flatMap((value) => {
      const { urn, label } = labelsOf(comparison, value);
      return urn === outcome.urn && label === outcome.label
        ? unclearSettings(comparison, value, settings)
        : [];
    }),
  );
  if (found.length === 0) return outcome;
  const names = listText(found.map(({ path }) => path.join(".")));
  return { ...outcome, why: `${outcome.why}; ${settings.file.file} has this value in ${names}` };
}

function settingOutcomes({ comparison: { resource }, settings }: FedComparison): Outcome[] {
  return [...new Set(settings)].map(
    ({ path, place }: Setting): Outcome => ({
      ...{ object: objectOf(resource), urn: resource.urn },
      ...{ label: path.join("."), how: "accepted", place },
    }),
  );
}
