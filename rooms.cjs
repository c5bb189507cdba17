/**
 * The rooms of `src` on their three floors, and what each may import beside itself: what lies below it, packages, and modules of
 * Node (`node:`: any). `npm run check` judges imports by it. A name of several is explained in `together`.
 */
const rooms = {
  // Ground: what is loaded before all else.
  "node-guard.ts": "node-version.ts",
  "private-folder.ts": "node:",
  "tested-versions.ts": "",

  // Provider.
  "provider/schema": "zod",
  "provider/texts": "provider/schema zod fastest-levenshtein",
  "provider/values": "provider/schema provider/texts zod json5",
  "provider/decisions": "provider/schema provider/texts provider/values zod",
  "provider/id-lists": "provider/schema provider/texts provider/decisions node:crypto",
  "provider/definitions":
    "provider/schema provider/texts provider/values provider/id-lists/value-type.ts zod",
  "provider/client": "provider/schema provider/texts provider/definitions guard",
  "provider/engine": "thinking provider/id-lists provider/client",
  "provider/words": "thinking provider/id-lists/value-type.ts json5",
  "provider/pulumi": "below-pulumi private-folder.ts @pulumi/pulumi node:",
  "provider/native": "below-pulumi provider/pulumi @grpc/grpc-js google-protobuf @pulumi/pulumi node:",
  generated: "provider/pulumi provider/schema provider/definitions embedded-console.ts guard @pulumi/pulumi",
  "embedded-console.ts": "provider/pulumi/provider-settings.ts emulator/index.ts",
  "native.ts": "generated provider/pulumi embedded-console.ts guard",
  "plugin.ts":
    "provider/pulumi provider/texts provider/native embedded-console.ts guard @grpc/grpc-js @pulumi/pulumi node:",
  "index.ts": "generated provider/pulumi provider/client emulator/index.ts embedded-console.ts guard",

  // Emulator: of the provider it knows what a console has, how it is written, and the port by which requests come.
  "emulator/index.ts": "emulating emulator/kinds port guard node:crypto",
  "emulator/console":
    "emulating provider/schema provider/texts provider/values provider/definitions emulator/page port zod json5",
  "emulator/http": "emulating provider/schema provider/texts provider/definitions port ajv zod node:",
  "emulator/store": "emulating provider/schema port private-folder.ts node:",
  "emulator/sdk": "emulating provider/schema provider/definitions node:crypto",
  "emulator/kinds": "emulating provider/schema provider/definitions",
  "emulator/page":
    "provider/schema provider/values provider/definitions provider/words emulator/web-page node:crypto",
  "emulator/web-page": "provider/texts/issue-text.ts node:crypto",
  "emulator/evaluation":
    "provider/schema provider/texts provider/words settings emulator/index.ts emulator/http/limited.ts emulator/sdk/spec csv-parse statsig-node node:",

  // Tools: all but those of unit tests load no SDK of Pulumi, and ask the provider as a run does.
  "tools/stack": "below-pulumi running provider/pulumi/provider.ts provider/pulumi/stored-names.ts node:",
  "tools/render": "provider/schema provider/texts emulator/web-page",
  "tools/rewrite": "below-pulumi provider/pulumi/runs tools/stack tools/render diff typescript yaml node:",
  "tools/drift": "below-pulumi tools/stack tools/render tools/rewrite",
  "tools/import":
    "below-pulumi running provider/pulumi/stored-names.ts provider/pulumi/wire.ts tools/stack tools/render tools/rewrite prettier yaml node:",
  "tools/review":
    "below-pulumi settings provider/pulumi/process.ts provider/pulumi/runs/foreign-code.ts tools/stack tools/render emulator/web-page",
  "tools/users":
    "below-pulumi provider/pulumi/process.ts provider/pulumi/provider.ts tools/review emulator/index.ts emulator/evaluation",
  "tools/past": "below-pulumi tools/stack tools/render tools/rewrite tools/drift tools/review",
  "tools/promote":
    "below-pulumi provider/pulumi/process.ts tools/stack tools/render tools/rewrite tools/review tools/past",
  "tools/doctor":
    "thinking provider/client settings provider/pulumi/setting-problems.ts provider/pulumi/runs tools/stack tools/render tested-versions.ts guard semver yaml node:",
  "tools/verify": "below-pulumi tools/render tools/import emulator/console/rules/switches.ts",
  "tools/yaml": "provider/schema provider/texts provider/pulumi/runs/project-file.ts yaml node:",
  "tools/cli":
    "provider/schema provider/texts provider/pulumi/runs/whole-file.ts provider/pulumi/runs/writable.ts tools/stack tools/render tools/doctor tools/drift tools/import tools/past tools/promote tools/review tools/rewrite tools/users tools/verify tools/yaml emulator embedded-console.ts guard node:",
  "tools/testing":
    "thinking provider/engine provider/pulumi tools/stack/resources.ts tools/yaml generated emulator/index.ts emulator/evaluation index.ts guard @pulumi/pulumi node:path node:url",
  "tools/facts": "thinking provider/words provider/pulumi/stored-names.ts tools/stack guard",
};

/** What goes together under one name. */
const together = {
  guard: "node-guard.ts node-version.ts",
  thinking: "provider/schema provider/texts provider/values provider/decisions provider/definitions",
  "below-pulumi": "thinking provider/id-lists provider/client provider/engine provider/words",
  port: "provider/client/transport.ts provider/client/profile.ts",
  settings: "provider/pulumi/provider-settings.ts provider/pulumi/runs/console-digest.ts",
  running: "settings provider/pulumi/process.ts provider/pulumi/runs",
  emulating: "emulator/console emulator/http emulator/store emulator/sdk",
};

/** Files that may import more than their room, because they alone are to know it. */
const more = {
  "provider/values/places.ts": "deep-diff",
  "provider/texts/secret-texts.ts": "node:crypto",
  "provider/id-lists/(sources|packed|hidden-hashes).ts": "node: @pulumi/pulumi",
  "provider/client/transport.ts": "undici node:",
  "provider/pulumi/runs/stack-state.ts": "google-protobuf",
  "provider/client/project-name.ts": "node:crypto",
  "provider/client/limits/redis.ts": "ioredis",
};

module.exports = { rooms, together, more };
