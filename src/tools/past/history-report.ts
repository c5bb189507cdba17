import { changeText } from "../../provider/schema/audit";
import { countOf } from "../../provider/texts/count-text";
import type { Report } from "../render/report";
import { objectOf } from "../stack/resources";
import type { History, NamedResource } from "./history";

/** The life of an object, newest first. */
export function historyReport(resource: NamedResource, { versions, unknown, exists }: History): Report {
  const { definition, id, name } = resource;
  const kept = versions.filter(({ version }) => version !== undefined).length;
  const shown = versions.map(({ version, change: { at, by }, changes }) => ({
    ...{ version, at: at === undefined ? undefined : new Date(at).toISOString(), by, changes },
  }));
  return {
    title: `${objectOf(resource)} · ${exists ? countOf(kept, "version") : "does not exist"}`,
    parts: [
      ...versions.map(({ version, change, changes }) => ({
        title: `${version === undefined ? "audit log" : `version ${version}`} · ${changeText(change)}`,
        parts: changes,
      })),
      ...unknown,
    ],
    json: { format: 1, kind: definition.kind, id, name, exists, versions: shown, unknown },
  };
}
