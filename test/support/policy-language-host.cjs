// A language host that starts policy packs and nothing else: the one that can be built from Go modules does not.
const { spawn } = require("node:child_process");
const grpc = require("@grpc/grpc-js");
const { LanguageRuntimeService } = require("@pulumi/pulumi/proto/language_grpc_pb");
const { RunPluginResponse } = require("@pulumi/pulumi/proto/language_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");

const [pack] = process.argv.slice(2);

function runPlugin(call) {
  const { request } = call;
  const environment = request.getEnvList().map((entry) => {
    const end = entry.indexOf("=", 1);
    return [entry.slice(0, end), entry.slice(end + 1)];
  });
  const child = spawn(process.execPath, [pack, ...request.getArgsList(), "."], {
    cwd: request.getInfo().getProgramDirectory(),
    // What this host was started with beats what the engine hands on.
    env: { ...Object.fromEntries(environment), ...process.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (text) => call.write(new RunPluginResponse().setStdout(text)));
  child.stderr.on("data", (text) => call.write(new RunPluginResponse().setStderr(text)));
  child.on("close", (code) => {
    call.write(new RunPluginResponse().setExitcode(code ?? 1));
    call.end();
  });
  call.on("cancelled", () => child.kill());
}

const server = new grpc.Server();
server.addService(LanguageRuntimeService, {
  getPluginInfo: (_, done) => done(null, new PluginInfo().setVersion("1.0.0")),
  runPlugin,
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});
