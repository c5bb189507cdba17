import { catalog } from "../../catalog/index";
import type { Behaviour } from "../behaviour";
import { refuseMisfits } from "../config-values";
import { startFirstRelease, startRelease } from "../releases";
import { deleteRule, getRule, listRules, patchRule } from "../rule-operations";
import { rulesOf, takeRules } from "../rules";
import { archive, archiveMembers, disable, enable, unarchive } from "../states";
import { commitReview, create, get, list, patch, remove, replace, versions } from "../verbs";

/** How the console treats dynamic configs. */
export const dynamicConfig: Behaviour = {
  definition: catalog.dynamicConfig,
  texts: { missing: "Dynamic config not found.", taken: "Name is already in use" },
  states: { on: "Enabled", off: "Disabled", archived: "Archived" },
  onRequest: { includeArchiveMetadata: archiveMembers },
  operations: {
    ...{ list: list(), create, get, replace, patch, commitReview, delete: remove },
    ...{ enable, disable, archive: archive(["gate", "dynamicConfig", "segment"]), unarchive },
    ...{ listRules: listRules("items"), getRule, patchRule, deleteRule },
    listVersions: versions,
  },
  settle({ before, sent, after, ports }) {
    const rules =
      sent.rules === undefined ? rulesOf(after) : takeRules(rulesOf(before), rulesOf(after), ports);
    const item = { ...after, rules };
    refuseMisfits(item);
    return item;
  },
  // A nightly job calls temporary configs stale.
  ownValues: { type: ["STALE", "TEMPLATE"] },
  shows: ({ switches }, item) =>
    item.isTemplate === true && switches.templateTypes === "template" ? { ...item, type: "TEMPLATE" } : item,
  onCreate: startFirstRelease("dynamicConfigID"),
  onChange: startRelease("dynamicConfigID"),
};
