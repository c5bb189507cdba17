import { catalog } from "../../../provider/definitions/index";
import { defineBehaviour } from "../../console/default-operations";
import { startFirstRelease, startRelease } from "../../console/releases";
import { checkedInHour } from "../../console/rules/checks";
import { refuseValuesAgainstSchema } from "../../console/rules/config-values";
import { settledRules } from "../../console/rules/rules";
import { archive, flagReads } from "../../console/rules/states";

/** Behaviour of dynamic configs. */
export const dynamicConfig = defineBehaviour({
  definition: catalog.dynamicConfig,
  states: { on: "Enabled", off: "Disabled", archived: "Archived" },
  ...flagReads,
  operations: { archive: archive(["gate", "dynamicConfig", "segment"]) },
  settle(change) {
    const item = { ...change.after, rules: settledRules(change) };
    refuseValuesAgainstSchema(item);
    return item;
  },
  follows: checkedInHour,
  onCreate: startFirstRelease,
  onChange: startRelease,
});
