const { availableParallelism } = require("node:os");

/** @type {import("jest").Config} */
module.exports = {
  rootDir: __dirname,
  roots: ["<rootDir>/test", "<rootDir>/policy/test"],
  testMatch: ["**/*.test.ts"],
  testEnvironment: "<rootDir>/test/support/test-environment.cjs",
  // Jest would make an object for each module that a test loads; tests import from @jest/globals.
  injectGlobals: false,
  // What the provider tells its user is checked by tests, and would hide what the tests tell.
  silent: true,
  // Many tests wait for a process of their own, or a timer: one worker more than processors keeps all of them busy.
  maxWorkers: availableParallelism() + 1,
  // For a test that hangs: on a busy machine Jest's own five seconds end some that only wait for their turn.
  testTimeout: 60_000,
  testSequencer: "<rootDir>/test/support/slowest-first.cjs",
  setupFilesAfterEnv: ["<rootDir>/test/support/record-requests.ts"],
  moduleNameMapper: {
    "^pulumi-feature-console/facts$": "<rootDir>/src/tools/facts/index.ts",
    "^(@npmcli/arborist|normalize-package-data|@opentelemetry/api|\\./automation)$|/typescript-shim$|/locales/index\\.cjs$":
      "<rootDir>/test/support/unused-module.cjs",
  },
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "commonjs" } },
    ],
  },
  coverageProvider: "v8",
  collectCoverageFrom: ["src/**/*.ts", "!src/generated/**"],
};
