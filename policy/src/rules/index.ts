import type { Rule } from "../rule";
import { deadRule } from "./dead-rule";
import { expired } from "./expired";
import { expiryTag } from "./expiry-tag";
import { freeze } from "./freeze";
import { naming } from "./naming";
import { owner } from "./owner";
import { percentageJump } from "./percentage-jump";
import { secretInConfig } from "./secret-in-config";
import { stillInUse } from "./still-in-use";
import { suddenLaunch } from "./sudden-launch";
import { unreachableRule } from "./unreachable-rule";
import { writeKey } from "./write-key";

/** The only list of rules, in the order in which they are documented. */
export const rules: readonly Rule[] = [
  percentageJump,
  suddenLaunch,
  freeze,
  stillInUse,
  owner,
  expiryTag,
  expired,
  naming,
  unreachableRule,
  deadRule,
  secretInConfig,
  writeKey,
];
