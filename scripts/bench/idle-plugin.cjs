/** A native plugin that does nothing: it returns what it is given, as the floor of a benchmark. A `ShownGate` gets the outputs of a whole gate. */
const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const proto = require("@pulumi/pulumi/proto/provider_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");
const shown = require("./shown-gate.json");

const keyOf = (struct) => struct.getFieldsMap().get("key")?.getStringValue() ?? "";
const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;

const any = { $ref: "pulumi.json#/Any" };
const properties = Object.fromEntries(
  ["key", "description", "isEnabled", "type", "tags", "rules"].map((name) => [name, any]),
);
const schema = {
  name: "idle",
  version: "1.0.0",
  resources: Object.fromEntries(
    ["Gate", "ShownGate"].map((kind) => [`idle:index:${kind}`, { properties, inputProperties: properties }]),
  ),
};

function outputsOf(urn, inputs) {
  if (!urn.includes("idle:index:ShownGate::")) return inputs;
  const values = inputs.toJavaScript();
  const rules = values.rules.map((rule) => ({ ...rule, ...shown.rule }));
  return Struct.fromJavaScript({ ...values, ...shown.gate, rules });
}

const answers = {
  handshake: () => new proto.ProviderHandshakeResponse().setAcceptSecrets(true),
  getPluginInfo: () => new PluginInfo().setVersion("1.0.0"),
  getSchema: () => new proto.GetSchemaResponse().setSchema(JSON.stringify(schema)),
  checkConfig: (request) => new proto.CheckResponse().setInputs(request.getNews()),
  diffConfig: () => new proto.DiffResponse(),
  configure: () => new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true),
  check: (request) => new proto.CheckResponse().setInputs(request.getNews()),
  diff(request) {
    const [olds, news] = [request.getOldInputs(), request.getNews()].map((one) =>
      JSON.stringify(one.toJavaScript()),
    );
    return new proto.DiffResponse().setChanges(olds === news ? DIFF_NONE : DIFF_SOME);
  },
  create(request) {
    const inputs = request.getProperties();
    return new proto.CreateResponse().setId(keyOf(inputs)).setProperties(outputsOf(request.getUrn(), inputs));
  },
  read(request) {
    const [state, inputs] = [request.getProperties(), request.getInputs()];
    return new proto.ReadResponse().setId(request.getId()).setProperties(state).setInputs(inputs);
  },
  update: (request) =>
    new proto.UpdateResponse().setProperties(outputsOf(request.getUrn(), request.getNews())),
  delete: () => new Empty(),
  cancel: () => new Empty(),
};

const server = new Server();
server.addService(
  ResourceProviderService,
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      (call, callback) => callback(null, answer(call.request)),
    ]),
  ),
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_, port) =>
  process.stdout.write(`${port}\n`),
);
process.on("SIGINT", () => server.tryShutdown(() => process.exit(0)));
