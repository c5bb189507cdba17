/** @type {import("jest").Config} */
module.exports = {
  rootDir: __dirname,
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  testEnvironment: "node",
  setupFilesAfterEnv: ["<rootDir>/test/support/record-requests.ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "commonjs" } },
    ],
  },
  coverageProvider: "v8",
  collectCoverageFrom: ["src/**/*.ts", "!src/generated/**"],
};
