import fc from "fast-check";
import { type JsonObject, parseSound } from "../../src/provider/schema/json";

const label = fc.stringMatching(/^[a-z]{3,8}$/);
const texts = fc.array(label, { maxLength: 3 });
/** A value that a program can say: JSON has no -0, and what has a member `__proto__` is refused before it is sent. */
export const programValue = fc.jsonValue().map((value): unknown => parseSound(JSON.stringify(value)));
const percentage = fc.integer({ min: 0, max: 10_000 }).map((step) => step / 100);

const condition: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom<JsonObject>(
    { type: "public" },
    { type: "public", targetValue: [], operator: null, field: "" },
  ),
  fc.record({
    type: fc.constant("email"),
    operator: fc.constantFrom("any", "none", "str_contains_any"),
    targetValue: fc.oneof(texts, label),
  }),
  fc.record({
    type: fc.constant("custom_field"),
    field: label,
    operator: fc.constantFrom("gt", "lte"),
    targetValue: fc.oneof(
      fc.integer(),
      fc.integer().map(String),
      fc.integer().map((one) => [one]),
    ),
  }),
  fc.record({
    type: fc.constant("custom_field"),
    field: label,
    operator: fc.constant("any"),
    targetValue: fc.oneof(texts, fc.array(fc.integer())),
  }),
  fc.record({
    type: fc.constant("app_version"),
    operator: fc.constant("version_gt"),
    targetValue: fc.oneof(fc.constant("1.2"), fc.constant(["1.2"])),
  }),
  fc.record({ type: fc.constant("environment_tier"), targetValue: fc.oneof(texts, label) }),
  fc.record({ type: fc.constant("javascript"), targetValue: fc.oneof(label, texts, fc.integer()) }),
  fc.record({
    type: fc.constant("passes_gate"),
    targetValue: fc.oneof(
      label,
      label.map((one) => [one]),
    ),
  }),
);

const plainRule = fc.record(
  {
    name: label,
    passPercentage: percentage,
    conditions: fc.array(condition, { maxLength: 3 }),
    environments: fc.option(texts),
  },
  { requiredKeys: ["name", "passPercentage", "conditions"] },
);

/** Rules of a gate that check takes. */
export const gateRules = fc.uniqueArray(plainRule, { selector: ({ name }) => name, maxLength: 4 });

/** Arguments of a gate that check takes, in every form that it takes. */
export const gateArgs = fc.record(
  {
    key: label,
    name: label,
    description: fc.string({ maxLength: 20 }),
    isEnabled: fc.boolean(),
    rules: gateRules,
    tags: fc.array(fc.oneof(label, fc.constant("★ Core"))),
    targetApps: fc.oneof(texts, label),
    team: fc.option(label),
    monitoringMetrics: fc.array(fc.record({ name: label, type: label }), { maxLength: 3 }),
    onDelete: fc.constantFrom("archive", "delete", "retain"),
    adopt: fc.boolean(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

/** Rules of a dynamic config that check takes. */
export const configRules = fc.uniqueArray(
  fc.record({
    name: label,
    conditions: fc.array(condition, { maxLength: 2 }),
    returnValue: fc.dictionary(label, programValue),
  }),
  { selector: ({ name }) => name, maxLength: 3 },
);

/** Arguments of a dynamic config that check takes. */
export const configArgs = fc.record(
  {
    key: label,
    defaultValue: fc.dictionary(label, programValue),
    schemaJson5: fc.option(fc.constantFrom("{}", "// a comment\n{type: 'object'}")),
    rules: configRules,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

/** Arguments of a layer that check takes. */
export const layerArgs = fc.record(
  {
    name: label,
    idType: label,
    parameters: fc.uniqueArray(
      fc.record({
        name: label,
        type: fc.constant("object"),
        defaultValue: fc.dictionary(label, programValue),
      }),
      { selector: ({ name }) => name, maxLength: 4 },
    ),
  },
  { requiredKeys: ["idType"] },
) as fc.Arbitrary<JsonObject>;
