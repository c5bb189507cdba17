/**
 * Loaded first by every Node.js process that the Pulumi CLI of a test starts: they cost most of the time of all tests.
 *
 * Pulumi's SDK loads TypeScript's compiler and npm's resolver in each of them, which takes half of their time, and uses them only to
 * write functions into state. Here they are loaded when something of them is used.
 *
 * A program whose types Pulumi is not to check (`noCheck`, see program-types.ts; or PULUMI_NODEJS_TRANSPILE_ONLY) is compiled by swc,
 * to what TypeScript would make of it. Examples, and projects that a tool of this package makes, are compiled as users have it.
 */
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

// Without it OpenTelemetry is not loaded: nobody looks at the traces that the CLI asks for.
delete process.env.TRACEPARENT;

const heavy = /^@npmcli\/arborist$|\/typescript-shim$/;
const load = Module._load;

Module._load = function (request, ...place) {
  if (!heavy.test(request)) return load.call(this, request, ...place);
  const real = () => load.call(this, request, ...place);
  return new Proxy(class {}, {
    get: (_, name) => (name === "__esModule" ? undefined : real()[name]),
    construct: (_, args) => new (real())(...args),
  });
};

const { PULUMI_NODEJS_TYPESCRIPT: asked, PULUMI_NODEJS_TRANSPILE_ONLY: quickly } = process.env;
if (asked === "true" && (quickly === "true" || skipsTypes(process.cwd()))) {
  delete process.env.PULUMI_NODEJS_TYPESCRIPT;
  const compiled = new Map();
  Module._extensions[".ts"] = (module, file) => {
    const { transformSync } = require("@swc/core");
    const { code } = transformSync(readFileSync(file, "utf8"), {
      filename: file,
      jsc: { parser: { syntax: "typescript" }, target: "es2022" },
      module: { type: "commonjs" },
      ...{ sourceMaps: "inline", swcrc: false, configFile: false },
    });
    compiled.set(file, code);
    // State keeps where a resource stands in the program.
    const ofPulumi = Module.createRequire(require.resolve("@pulumi/pulumi"));
    ofPulumi("source-map-support").install({ retrieveFile: (one) => compiled.get(one) ?? null });
    module._compile(code, file);
  };
}

function skipsTypes(folder) {
  try {
    return (
      JSON.parse(readFileSync(path.join(folder, "tsconfig.json"), "utf8")).compilerOptions.noCheck === true
    );
  } catch {
    return false;
  }
}
