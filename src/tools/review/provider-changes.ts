import { consoleAddress } from "../../provider/client/settings";
import {
  configNamespace,
  type Environment,
  explicitReader,
  isDefaultProvider,
  nativeProviderType,
  type ProviderSettings,
  readSettings,
  settingNames,
} from "../../provider/pulumi/provider-settings";
import { consoleDigest } from "../../provider/pulumi/runs/console-digest";
import { isObject, type JsonObject, kept, membersOf } from "../../provider/schema/json";
import { holdsUnknown } from "../../provider/schema/unknown";
import { countOf, hiddenValue, isHidden, listText } from "../../provider/words";
import { ownConsoles } from "../stack/consoles";
import type { PreviewResult, Step } from "../stack/preview";
import { providerUrn } from "../stack/resources";
import { nameInUrn } from "../stack/stack";
import type { Act, ArgumentChange, Change } from "./review";

/** Owners of changed settings, in the place of a kind. */
export const providerKind = "Provider";
export const settingsKind = "Settings";

/** The settings of one side of a step, by their short names; undefined where there is none, or it is another provider. */
type Settings = Readonly<Record<string, unknown>>;

const acts: Readonly<Record<string, Act>> = { create: "create", update: "update", replace: "replace" };

/** New and changed explicit providers of a preview: each may lead a key to another address, so each is a high risk. */
export function providerChanges({ steps }: PreviewResult): Change[] {
  return steps.flatMap((step) => {
    const act = acts[step.op];
    const after = settingsOf(step, step.newState?.inputs);
    if (act === undefined || after === undefined) return [];
    const before = settingsOf(step, step.oldState?.inputs) ?? {};
    const values = changedSettings(before, after);
    const reasons = act === "create" ? [newText(after)] : changedTexts(before, after, values);
    const name = nameInUrn(step.urn);
    const named = { urn: step.urn, name, kind: providerKind, title: "provider", called: name, act };
    return [changeFor(named, reasons, values)];
  });
}

/** Changes of the stack's settings that lead to another console than the one of its objects, as far as the preview shows them. */
export function settingsChanges({ config, steps }: PreviewResult, environment: Environment): Change[] {
  if (config === undefined) return [];
  const { settings } = readSettings((name) => config[name], environment);
  // A preview may leave out an explicit provider that stays as it is.
  const resources = steps
    .flatMap(({ oldState }) => oldState ?? [])
    .filter(({ provider }) => !provider || isDefaultProvider(nameInUrn(providerUrn(provider) ?? "")));
  const elsewhere = ownConsoles({ resources }).filter(({ console }) => console !== digestIn(settings));
  const urn = steps.find(({ urn }) => urn.includes("::pulumi:pulumi:Stack::"))?.urn;
  if (elsewhere.length === 0 || urn === undefined || digestIn(settings) === undefined) return [];
  const text = `the settings lead to ${placeText(settings)}, which is not the console of ${countOf(elsewhere.length, "object")} of this stack`;
  const named = {
    urn,
    name: configNamespace,
    kind: settingsKind,
    title: "settings",
    called: configNamespace,
  };
  return [changeFor({ ...named, act: "update" }, [text], [])];
}

function digestIn(settings: ProviderSettings): string | undefined {
  try {
    return consoleDigest({ apiKey: "none", ...settings });
  } catch {
    return undefined;
  }
}

function changeFor(
  named: Pick<Change, "urn" | "name" | "kind" | "title" | "called" | "act">,
  reasons: readonly string[],
  values: readonly ArgumentChange[],
): Change {
  return {
    ...named,
    ...{ outcome: { what: "changes" }, inConsole: "not known", risk: "high", environments: null },
    headline: reasons.join("; "),
    statements: reasons.map((text) => ({ about: "value" as const, text })),
    facts: reasons.map((text) => ({ about: "address" as const, level: "high" as const, text })),
    ...{ tables: [], values, dependents: [], notices: [] },
  };
}

function settingsOf({ urn }: Step, inputs: JsonObject | undefined): Settings | undefined {
  const [, , type = ""] = urn.split("::");
  if (inputs === undefined || explicitReader(type, nameInUrn(urn), inputs) === undefined) return undefined;
  const all = membersOf(
    Object.keys(settingNames),
    (name) => inputs[type === nativeProviderType ? name : `${configNamespace}:${name}`],
  );
  return kept(all, (_, value) => value !== undefined);
}

function newText(settings: Settings): string {
  if (isEmbedded(settings)) return "new provider of the embedded console";
  const key = settings.apiKey === undefined ? "the key of the environment" : "a key of its own";
  return `new provider at ${placeText(settings)}, with ${key}`;
}

function changedTexts(before: Settings, after: Settings, values: readonly ArgumentChange[]): string[] {
  const [from, to] = [placeText(before), placeText(after)];
  const others = values.flatMap(({ argument }) =>
    argument === "baseUrl" || argument === "profile" ? [] : [argument],
  );
  const moved = from === to ? [] : [`its address changes: ${from} → ${to}`];
  if (others.length > 0) return [...moved, `its settings change: ${listText(others)}`];
  return moved.length > 0 ? moved : ["it changes in nothing that the preview shows: its key may be another"];
}

function isEmbedded({ profile }: Settings): boolean {
  return profile === "embedded";
}

/** Console of the resources of a provider, without what an address may hold beside the place. */
function placeText(settings: Settings): string {
  if (isEmbedded(settings)) return "the embedded console";
  const { profile, baseUrl } = settings;
  if ([profile, baseUrl].some((one) => holdsUnknown(one))) return "an address that the update alone knows";
  if ([profile, baseUrl].some((one) => isHidden(one) || isObject(one))) return "a secret address";
  const [named, url] = [profile, baseUrl].map((one) => (typeof one === "string" ? one : undefined));
  const address = consoleAddress({ profile: named, baseUrl: url });
  if (address === undefined) return "the address of the environment";
  if (!URL.canParse(address)) return "an address that cannot be read";
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}

function changedSettings(before: Settings, after: Settings): ArgumentChange[] {
  const names = Object.keys(settingNames).filter((name) => before[name] !== after[name]);
  return names.map((name) => ({
    argument: name,
    ...{ before: shownText(name, before[name]), after: shownText(name, after[name]) },
  }));
}

function shownText(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const setting = settingNames[name as keyof typeof settingNames];
  const isSecret = "isSecret" in setting || isHidden(value) || isObject(value);
  if (isSecret) return hiddenValue;
  if (name === "baseUrl") return placeText({ baseUrl: value });
  return holdsUnknown(value) ? "known in the update" : String(value);
}
