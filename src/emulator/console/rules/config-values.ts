import type { FieldMessage } from "../../../provider/schema/errors";
import { isObject, type JsonObject, objectsIn } from "../../../provider/schema/json";
import { schemaChecker } from "../../http/json-schema";
import { invalid } from "./outcomes";
import { rulesOf } from "./rules";

/** Refuses a config whose values do not satisfy its schema, whether they were sent or stored. */
export function refuseValuesAgainstSchema(config: JsonObject): void {
  if (typeof config.schema !== "string") return;
  const schema: unknown = JSON.parse(config.schema);
  if (!isObject(schema) && typeof schema !== "boolean")
    throw invalid([{ property: "schema", errorMessage: "Invalid JSON schema" }]);
  const check = schemaChecker(schema);
  const findings = values(config).flatMap(([property, value]): FieldMessage[] =>
    check(value)
      .slice(0, 1)
      .map((finding) => ({ property, errorMessage: `Does not satisfy the schema: ${finding}` })),
  );
  if (findings.length > 0) throw invalid(findings);
}

function values(config: JsonObject): [string, unknown][] {
  const rules = rulesOf(config).flatMap((rule, index): [string, unknown][] => {
    const variants = objectsIn(rule.variants);
    return [
      [`rules.${index}.returnValue`, rule.returnValue],
      ...variants.map((one, place): [string, unknown] => [
        `rules.${index}.variants.${place}.returnValue`,
        one.returnValue,
      ]),
    ];
  });
  const all: [string, unknown][] = [["defaultValue", config.defaultValue], ...rules];
  return all.filter(([, value]) => value !== undefined);
}
