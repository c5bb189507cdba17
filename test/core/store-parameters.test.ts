import { describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { fromWire, toWire, wirePath } from "../../src/provider/schema/wire-names";
import { problemsOf } from "./subjects";

const fixed = { name: "p", refType: "static", paramType: "number", value: 1 };
const byGate = {
  ...{ name: "p", refType: "gate", paramType: "string" },
  ...{ gateName: "g", passValue: "a", failValue: "" },
};
const problemsWith = (...parameters: JsonObject[]) =>
  problemsOf("paramStore", { name: "store", displayName: "Store", description: "", parameters });

describe("a parameter of a param store", () => {
  const { value: _, ...nothing } = fixed;

  test.each<[what: string, parameter: JsonObject, ...problems: string[]]>([
    ["a fixed value", fixed],
    ["a value by gate", byGate],
    ["a null inside a value", { ...fixed, paramType: "object", value: { a: null } }],
    ["a value of another type", { ...fixed, value: "1" }, "value: found string, but paramType is number"],
    [
      "both values of a gate wrong",
      { ...byGate, passValue: 1, failValue: [] },
      ...[
        "passValue: found number, but paramType is string",
        "failValue: found array, but paramType is string",
      ],
    ],
    ["no value", nothing, 'value: missing; refType "static" needs it'],
    [
      "a member of another source",
      { ...fixed, gateName: "g" },
      'gateName: refType "static" has none: leave it out; it takes value',
    ],
    ["a value that is not known yet", { ...fixed, value: UNKNOWN }],
    ["a source that is not known yet", { ...fixed, refType: UNKNOWN }],
    ["a type that is not known yet", { ...fixed, paramType: UNKNOWN }],
    [
      "the API's name",
      { ...fixed, ref_type: "static" },
      'ref_type: unknown argument; did you mean "refType"?',
    ],
  ])("with %s", (_what, parameter, ...problems) => {
    expect(problemsWith(parameter)).toEqual(problems.map((problem) => `parameters[0].${problem}`));
  });

  test("has a name of its own", () => {
    expect(problemsWith(fixed, byGate)).toEqual([
      'parameters[1].name: "p" is the name of parameters[0] too; parameter names are unique',
    ]);
  });

  test("has the API's names on the wire, and values stay as they are", () => {
    const value = { gateName: "kept", ref_type: "kept" };
    const parameter = { ...byGate, paramType: "object", passValue: value, failValue: {} };
    const wire = toWire(catalog.paramStore, { parameters: [parameter] });
    expect(wire).toEqual({
      parameters: [
        {
          name: "p",
          ref_type: "gate",
          param_type: "object",
          gate_name: "g",
          pass_value: value,
          fail_value: {},
        },
      ],
    });
    expect(fromWire(catalog.paramStore, wire)).toEqual({ parameters: [parameter] });
    expect(wirePath(catalog.paramStore, ["parameters", 0, "passValue"])).toEqual([
      "parameters",
      "0",
      "pass_value",
    ]);
  });
});
