/**
 * Loaded first by every Node.js process that the Pulumi CLI of a test starts: they cost most of the time of all tests.
 *
 * Pulumi's SDK loads much that these processes never use: TypeScript's compiler, npm's resolver, its automation API, tracing. Here the
 * first use of something loads it. Beside what Node.js compiled, its cache (NODE_COMPILE_CACHE) keeps here which file each module of this
 * checkout's packages means by a name, and programs as swc compiled them.
 *
 * A program whose types Pulumi is not to check (`noCheck`, see program-types.ts; or PULUMI_NODEJS_TRANSPILE_ONLY) is compiled by swc,
 * to what TypeScript would make of it. Examples, and projects that a tool of this package makes, are compiled as users have it.
 */
const { createHash } = require("node:crypto");
const { readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const v8 = require("node:v8");

// Without it OpenTelemetry is not loaded: nobody looks at the traces that the CLI asks for.
delete process.env.TRACEPARENT;

const load = Module._load;
const late = /^@npmcli\/arborist$|^normalize-package-data$|\/typescript-shim$/;
/** Loaded late too, and passed on by name: modules that were compiled from TypeScript. */
const lateWithNames = /^\.\/automation$|\/locales\/index\.cjs$/;
const askedBy = /node_modules[\\/](@pulumi[\\/]pulumi|zod)[\\/]/;

Module._load = function (request, parent, ...place) {
  const real = () => load.call(this, request, parent, ...place);
  if (late.test(request)) return loadedLate(real, undefined);
  if (!askedBy.test(parent?.filename ?? "")) return real();
  if (lateWithNames.test(request)) return loadedLate(real, true);
  if (request === "./tracing") return withoutTracing;
  if (request === "@opentelemetry/api") return withoutTelemetry;
  if (request === "source-map-support/register")
    return load.call(this, "source-map-support", parent).install({ retrieveSourceMap });
  return request.endsWith("/v8Hooks") ? v8Hooks : real();
};

function loadedLate(real, isModule) {
  return new Proxy(() => {}, {
    get: (_, name) => (name === "__esModule" ? isModule : real()[name]),
    apply: (_, self, args) => real().apply(self, args),
    construct: (_, args) => new (real())(...args),
  });
}

const span = { addEvent() {}, setAttribute() {}, end() {} };
const withoutTracing = { __esModule: true, start() {}, stop() {}, newSpan: () => span };
const withoutTelemetry = { propagation: { inject() {} }, context: { active() {} } };

/** Each resource takes a stack trace, and nobody asks for its lines in the sources of packages. */
function retrieveSourceMap(file) {
  const nothing = { version: 3, sources: [], names: [], mappings: "" };
  return /[\\/]node_modules[\\/]|^node:/.test(file) ? { url: file, map: nothing } : null;
}

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

const { NODE_COMPILE_CACHE: cache } = process.env;
if (cache !== undefined) rememberFiles();

/** Reads and keeps the file that a request of a module in `node_modules` of this checkout leads to. */
function rememberFiles() {
  const modules = path.join(__dirname, "..", "..", "node_modules");
  const inModules = (file) => file?.startsWith(modules + path.sep);
  const entry = (process.argv[1] ?? "").split(path.sep).slice(-2).join("-");
  const { mtimeMs } = statSync(path.join(modules, ".package-lock.json"), { throwIfNoEntry: false }) ?? {};
  const kept = path.join(cache, `files-of-${entry}-${mtimeMs}.json`);
  const known = JSON.parse(textOf(kept) ?? "{}");
  const resolve = Module._resolveFilename;
  let isNew = false;
  Module._resolveFilename = function (request, parent, ...place) {
    const real = () => resolve.call(this, request, parent, ...place);
    if (!inModules(parent?.filename) || place[1] !== undefined) return real();
    known[parent.path] ??= {};
    const ofFolder = known[parent.path];
    if (ofFolder[request] !== undefined) return ofFolder[request];
    const file = real();
    if (!inModules(file)) return file;
    isNew = true;
    ofFolder[request] = file;
    return file;
  };
  process.on("exit", () => isNew && keep(kept, JSON.stringify(known)));
  // Pulumi ends its hosts by a signal; Node.js keeps what it compiled when a process ends by itself.
  if (/^(dynamic-provider|run-policy-pack)-/.test(entry))
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit());
}

const { PULUMI_NODEJS_TYPESCRIPT: asked, PULUMI_NODEJS_TRANSPILE_ONLY: quickly } = process.env;
if (asked === "true" && (quickly === "true" || skipsTypes(process.cwd()))) {
  delete process.env.PULUMI_NODEJS_TYPESCRIPT;
  const compiled = new Map();
  Module._extensions[".ts"] = (module, file) => {
    const code = compiledText(path.basename(file), readFileSync(file, "utf8"));
    compiled.set(file, code);
    // State keeps where a resource stands in the program.
    const ofPulumi = Module.createRequire(require.resolve("@pulumi/pulumi"));
    ofPulumi("source-map-support").install({
      retrieveFile: (one) => compiled.get(one) ?? null,
    });
    module._compile(code, file);
  };
}

/** The source map names the file without its folder, so that the same program in another one is compiled already. */
function compiledText(filename, text) {
  const digest = createHash("sha256").update(`${filename}\0${text}`).digest("hex");
  const kept = cache && path.join(cache, `program-${digest}.js`);
  const known = kept && textOf(kept);
  if (known) return known;
  const { code } = require("@swc/core").transformSync(text, {
    filename,
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
    module: { type: "commonjs" },
    ...{ sourceMaps: "inline", swcrc: false, configFile: false },
  });
  if (kept) keep(kept, code);
  return code;
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Writes a file that other processes may read and write at the same time. What cannot be kept is found again. */
function keep(file, text) {
  try {
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  } catch {}
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
