import { expect, jest, test } from "@jest/globals";
import { consoleMadeBy, typescript, yaml } from "../languages/consoles";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";

jest.setTimeout(FIRST_CLI_TIMEOUT_MS);

// `npm run prove -- languages` does the same with Python, Go, Java and the native plugin from TypeScript.
test("one program in TypeScript and in YAML leaves two consoles equal, object by object", async () => {
  const expected = await consoleMadeBy(typescript("pulumi-feature-console"));
  expect(expected).toMatchObject({ gate: [expect.stringContaining('"passPercentage":12.5')] });
  expect(await consoleMadeBy(yaml)).toEqual(expected);
});
