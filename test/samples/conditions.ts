import type { ConditionArgs } from "../../src/index";

/** A condition of each type of which a form is known. */
export const conditions = [
  { type: "app_version", operator: "version_gte", targetValue: "2.4.0" },
  { type: "browser_name", operator: "any", targetValue: ["Chrome", "Safari"] },
  { type: "browser_version", operator: "version_lt", targetValue: "110" },
  { type: "country", operator: "any", targetValue: ["NL", "BE"] },
  { type: "custom_field", field: "plan", operator: "any", targetValue: ["pro", "team"] },
  { type: "device_model", operator: "any", targetValue: ["iPhone15,2"] },
  { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] },
  { type: "environment_tier", operator: "any", targetValue: ["staging"] },
  { type: "fails_gate", targetValue: "new_checkout" },
  { type: "fails_segment", targetValue: "guests" },
  { type: "ip_address", operator: "any", targetValue: ["192.0.2.1"] },
  { type: "locale", operator: "any", targetValue: ["nl-NL"] },
  { type: "os_name", operator: "any", targetValue: ["iOS", "Android"] },
  { type: "os_version", operator: "version_gte", targetValue: "17.0" },
  { type: "passes_gate", targetValue: "new_checkout" },
  { type: "passes_segment", targetValue: "staff" },
  { type: "public" },
  { type: "target_app", operator: "any", targetValue: ["web"] },
  { type: "time", operator: "after", targetValue: 1_767_225_600_000 },
  { type: "unit_id", customID: "companyID", operator: "any", targetValue: ["c-42"] },
  { type: "url", operator: "str_contains_any", targetValue: ["/checkout"] },
  { type: "user_agent", operator: "str_contains_none", targetValue: ["bot"] },
  { type: "user_id", operator: "any", targetValue: ["u-1", "u-2"] },
] satisfies ConditionArgs[];
