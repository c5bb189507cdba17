/**
 * Loaded first by every Node.js process that the Pulumi CLI of a test starts: they cost most of the time of all tests.
 *
 * Pulumi's SDK loads much that these processes never use: TypeScript's compiler, npm's resolver, its automation API, tracing. Here the
 * first use of something loads it.
 *
 * A program whose types Pulumi is not to check (`noCheck`, see program-types.ts; or PULUMI_NODEJS_TRANSPILE_ONLY) is compiled by swc,
 * to what TypeScript would make of it. Examples, and projects that a tool of this package makes, are compiled as users have it.
 */
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const v8 = require("node:v8");

// Without it OpenTelemetry is not loaded: nobody looks at the traces that the CLI asks for.
delete process.env.TRACEPARENT;

const load = Module._load;
const late = /^@npmcli\/arborist$|\/typescript-shim$/;
/** Loaded late too, and passed on by name: modules that were compiled from TypeScript. */
const lateWithNames = /^\.\/automation$|\/locales\/index\.cjs$/;
const askedBy = /node_modules[\\/](@pulumi[\\/]pulumi|zod)[\\/]/;

Module._load = function (request, parent, ...place) {
  const real = () => load.call(this, request, parent, ...place);
  if (late.test(request)) return loadedLate(real, undefined);
  if (!askedBy.test(parent?.filename ?? "")) return real();
  if (lateWithNames.test(request)) return loadedLate(real, true);
  if (request === "./tracing") return withoutTracing;
  return request.endsWith("/v8Hooks") ? v8Hooks : real();
};

function loadedLate(real, isModule) {
  return new Proxy(class {}, {
    get: (_, name) => (name === "__esModule" ? isModule : real()[name]),
    construct: (_, args) => new (real())(...args),
  });
}

const span = { addEvent() {}, setAttribute() {}, end() {} };
const withoutTracing = { __esModule: true, start() {}, stop() {}, newSpan: () => span };

/**
 * Pulumi asks the debugger where each function is that it writes into state. It opens the session when a program starts, and Node.js
 * then reports every module. Here the first question opens it.
 */
const scripts = new Map();
let session;
const v8Hooks = {
  __esModule: true,
  async isInitializedAsync() {},
  async getSessionAsync() {
    if (session !== undefined) return session;
    const { Session } = require("node:inspector");
    session = new Session();
    session.connect();
    session.on("Debugger.scriptParsed", ({ params }) => scripts.set(params.scriptId, params.url));
    session.post("Debugger.enable");
    return session;
  },
  getScriptUrl: (id) => scripts.get(id),
};
v8.setFlagsFromString("--allow-natives-syntax");

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
    ofPulumi("source-map-support").install({
      retrieveFile: (one) => compiled.get(one) ?? null,
    });
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
