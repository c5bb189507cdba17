import fc from "fast-check";
import { type JsonObject, parseSound } from "../../src/provider/schema/json";

const label = fc.stringMatching(/^[a-z]{3,8}$/);
const texts = fc.array(label, { maxLength: 3 });
/** A value that a program can say: JSON has no -0, and what has a member `__proto__` is refused before it is sent. */
export const programValue = fc.jsonValue().map((value): unknown => parseSound(JSON.stringify(value)));
const percentage = fc.integer({ min: 0, max: 10_000 }).map((step) => step / 100);

/** A value in each of the forms that mean the same: itself, as text, alone in an array. */
const forms = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof(
    values,
    values.map(String),
    values.map((one) => [one]),
  );

/** A condition of a type. `operators` and `values`: what it may have. */
const of = (type: string, operators: readonly string[], values: fc.Arbitrary<unknown>, more = {}) =>
  fc.record({
    type: fc.constant(type),
    operator: fc.constantFrom(...operators),
    targetValue: values,
    ...more,
  });
const plain = (type: string, ...values: fc.Arbitrary<unknown>[]) =>
  fc.record({ type: fc.constant(type), targetValue: fc.oneof(...values) });

const condition: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom<JsonObject>(
    { type: "public" },
    { type: "public", targetValue: [], operator: null, field: "" },
  ),
  of("email", ["any", "none", "str_contains_any"], fc.oneof(texts, label)),
  of("custom_field", ["gt", "lte"], forms(fc.integer()), { field: label }),
  of("custom_field", ["any"], fc.oneof(texts, fc.array(fc.integer())), { field: label }),
  of("app_version", ["version_gt"], forms(fc.constant("1.2"))),
  plain("environment_tier", texts, label),
  plain("javascript", label, texts, fc.integer()),
  plain("passes_gate", forms(label)),
);

const named = <T extends { name: string }>(one: fc.Arbitrary<T>, maxLength: number) =>
  fc.uniqueArray(one, { selector: ({ name }) => name, maxLength });

/** Rules of a gate that check takes. */
export const gateRules = named(
  fc.record(
    {
      name: label,
      passPercentage: percentage,
      conditions: fc.array(condition, { maxLength: 3 }),
      environments: fc.option(texts),
    },
    { requiredKeys: ["name", "passPercentage", "conditions"] },
  ),
  4,
);

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

/** A JSON value with members. */
const values = fc.dictionary(label, programValue);

/** Rules of a dynamic config that check takes. */
export const configRules = named(
  fc.record({ name: label, conditions: fc.array(condition, { maxLength: 2 }), returnValue: values }),
  3,
);

/** Arguments of a dynamic config that check takes. */
export const configArgs = fc.record(
  {
    key: label,
    defaultValue: values,
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
    parameters: named(fc.record({ name: label, type: fc.constant("object"), defaultValue: values }), 4),
  },
  { requiredKeys: ["idType"] },
) as fc.Arbitrary<JsonObject>;
