import { appendFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@jest/globals";

/** Set by `npm test` and `npm run operations`: where to note which law made which request. */
const file = process.env.FEATURE_CONSOLE_TEST_RECORD;
const laws = ["test/laws", "test/engine"];

/** The file of the running test, from the root of the checkout. */
function testFile(): string {
  return path.relative(process.cwd(), expect.getState().testPath ?? "").replaceAll(path.sep, "/");
}

// Every test file loads this one, and few of them need the console for anything else.
if (file !== undefined && laws.includes(path.posix.dirname(testFile()))) {
  const { observeRequests } =
    require("../../src/emulator/http/ingress") as typeof import("../../src/emulator/http/ingress");
  observeRequests(({ kind, route, status }) => {
    if (kind === undefined || route === undefined || status < 200 || status >= 300) return;
    const test = `${testFile()}: ${expect.getState().currentTestName ?? "preparation"}`;
    appendFileSync(file, `${JSON.stringify({ kind, route, test })}\n`);
  });
}
