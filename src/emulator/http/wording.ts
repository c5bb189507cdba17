import type { z } from "zod";
import type { FieldMessage } from "../../provider/schema/errors";
import { jsonType } from "../../provider/schema/json";

/** The console words its findings as version 3 of zod did (console-api, section 5); ours come from version 4. */
type Issue = z.core.$ZodIssue;

/** Findings in the console's words. `prefix` is the place of the value inside the body. */
export function wordIssues(issues: readonly Issue[], prefix: readonly PropertyKey[]): FieldMessage[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    const branch = issue.code === "invalid_union" ? meantBranch(issue.errors) : undefined;
    if (branch !== undefined) return wordIssues(branch, path);
    return [{ property: path.map(String).join("."), errorMessage: wordIssue(issue) }];
  });
}

/** Of a union, the branch whose outermost type fits; its findings tell more than "Invalid input". */
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const fitting = branches.filter((issues) => issues.every((issue) => issue.path.length > 0));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function wordIssue(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return wordType(issue.expected, issue.input);
    case "invalid_value":
      return wordChoice(issue.values, issue.input);
    case "too_small":
    case "too_big":
      return wordSize(issue);
    case "not_multiple_of":
      return `Number must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return issue.format === "regex" ? "Invalid" : `Invalid ${issue.format}`;
    case "unrecognized_keys":
      return `Unrecognized key(s) in object: ${issue.keys.map((key) => `'${key}'`).join(", ")}`;
    case "custom":
      return issue.message;
    default:
      return "Invalid input";
  }
}

const expectedWords: Readonly<Record<string, string>> = {
  record: "object",
  int: "integer",
  nonoptional: "value",
};

function wordType(expected: string, input: unknown): string {
  if (input === undefined) return "Required";
  const received = expected === "int" && typeof input === "number" ? "float" : typeName(input);
  return `Expected ${expectedWords[expected] ?? expected}, received ${received}`;
}

function wordChoice(values: readonly unknown[], input: unknown): string {
  if (input === undefined) return "Required";
  if (values.length === 1) return `Invalid literal value, expected ${JSON.stringify(values[0])}`;
  const choices = values.map((value) => `'${String(value)}'`).join(" | ");
  if (typeof input !== "string") return `Expected ${choices}, received ${typeName(input)}`;
  return `Invalid enum value. Expected ${choices}, received '${input}'`;
}

type Size = Extract<Issue, { code: "too_small" | "too_big" }>;

function wordSize(issue: Size): string {
  const least = issue.code === "too_small";
  const bound = String(least ? issue.minimum : issue.maximum);
  if (issue.origin === "string")
    return `String must contain at ${least ? "least" : "most"} ${bound} character(s)`;
  if (issue.origin === "array")
    return `Array must contain at ${least ? "least" : "most"} ${bound} element(s)`;
  const relation = `${least ? "greater" : "less"} than${issue.inclusive === false ? "" : " or equal to"}`;
  return `Number must be ${relation} ${bound}`;
}

/** A value's type as the console calls it. */
export function typeName(value: unknown): string {
  return Number.isNaN(value) ? "nan" : jsonType(value);
}
