import { catalog } from "../../../provider/definitions/index";
import { defineBehaviour } from "../../console/default-operations";
import { startFirstRelease, startRelease } from "../../console/releases";
import { checkedInHour } from "../../console/rules/checks";
import { refuseMisfits } from "../../console/rules/config-values";
import { rulesOf, takeRules } from "../../console/rules/rules";
import { archive, archiveMembers } from "../../console/rules/states";

/** Behaviour of dynamic configs. */
export const dynamicConfig = defineBehaviour({
  definition: catalog.dynamicConfig,
  states: { on: "Enabled", off: "Disabled", archived: "Archived" },
  onRequest: { includeArchiveMetadata: archiveMembers },
  operations: { archive: archive(["gate", "dynamicConfig", "segment"]) },
  settle(change) {
    const { before, sent, after } = change;
    const rules =
      sent.rules === undefined ? rulesOf(after) : takeRules(rulesOf(before), rulesOf(after), change);
    const item = { ...after, rules };
    refuseMisfits(item);
    return item;
  },
  // A nightly job calls temporary configs stale.
  ownValues: { type: ["STALE", "TEMPLATE"] },
  shows: ({ switches }, item) =>
    item.isTemplate === true && switches.templateTypes === "template" ? { ...item, type: "TEMPLATE" } : item,
  follows: checkedInHour(catalog.dynamicConfig.name),
  onCreate: startFirstRelease("dynamicConfigID"),
  onChange: startRelease("dynamicConfigID"),
});
