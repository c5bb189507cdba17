import { appendFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@jest/globals";
import { observeRequests } from "../../src/emulator/ingress";

/** Set by `npm run operations`: where to note which test made which request. */
const file = process.env.FEATURE_CONSOLE_TEST_RECORD;

if (file !== undefined) {
  observeRequests(({ kind, route, status }) => {
    if (kind === undefined || route === undefined || status < 200 || status >= 300) return;
    const { currentTestName, testPath } = expect.getState();
    const test = `${path.relative(process.cwd(), testPath ?? "")}: ${currentTestName ?? "preparation"}`;
    appendFileSync(file, `${JSON.stringify({ kind, route, test })}\n`);
  });
}
