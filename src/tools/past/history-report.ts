import { changeText } from "../../provider/schema/audit";
import { countOf } from "../../provider/texts/count-text";
import { jsonText, visible } from "../../provider/texts/issue-text";
import { objectOf } from "../drift/report";
import type { History, PastVersion } from "./history";
import type { NamedResource } from "./named-resource";

/** The life of an object for people, newest first. */
export function historyText(resource: NamedResource, { versions, unknown, exists }: History): string {
  const kept = versions.filter(({ version }) => version !== undefined).length;
  const head = `${objectOf(resource)} · ${exists ? countOf(kept, "version") : "does not exist"}`;
  const parts = [visible(head), ...versions.map(versionText), ...unknown.map(visible)];
  return `${parts.join("\n\n")}\n`;
}

function versionText({ version, change, changes }: PastVersion): string {
  const title = version === undefined ? "audit log" : `version ${version}`;
  return [`${title} · ${changeText(change)}`, ...changes.map((one) => `  ${one}`)].map(visible).join("\n");
}

/** The life of an object for programs. */
export function historyJson(
  { definition: { kind }, id, name }: NamedResource,
  { versions, unknown, exists }: History,
): string {
  const shown = versions.map(({ version, change: { at, by }, changes }) => ({
    ...{ version, at: at === undefined ? undefined : new Date(at).toISOString(), by, changes },
  }));
  return jsonText({ format: 1, kind, id, name, exists, versions: shown, unknown });
}
