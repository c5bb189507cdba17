import { catalog } from "../../catalog/index";
import { checkedInHour, forgetChecks } from "../checks";
import { refuseMisfits } from "../config-values";
import { defineBehaviour } from "../default-operations";
import { startFirstRelease, startRelease } from "../releases";
import { rulesOf, takeRules } from "../rules";
import { archive, archiveMembers } from "../states";

/** How the console treats dynamic configs. */
export const dynamicConfig = defineBehaviour({
  definition: catalog.dynamicConfig,
  states: { on: "Enabled", off: "Disabled", archived: "Archived" },
  onRequest: { includeArchiveMetadata: archiveMembers },
  operations: { archive: archive(["gate", "dynamicConfig", "segment"]) },
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
  follows: checkedInHour(catalog.dynamicConfig.name),
  onRemove: forgetChecks(catalog.dynamicConfig.name),
  onCreate: startFirstRelease("dynamicConfigID"),
  onChange: startRelease("dynamicConfigID"),
});
