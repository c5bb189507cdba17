import * as pulumi from "@pulumi/pulumi";
import type { InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { JsonObject } from "../../schema/json";

/** The part of a connection to the engine that is used here. */
interface Monitor {
  invoke(request: object, done: (error: Error | null, answer: InvokeResponse) => void): unknown;
}

/**
 * Calls a function of the engine, as `pulumi.runtime.invoke` does. That one writes the whole answer into the log of the program,
 * which `pulumi up --json` and `--debug` print: with a state, the secrets of every resource.
 */
export async function invokeQuietly(token: string, args: JsonObject): Promise<JsonObject> {
  const { ResourceInvokeRequest } =
    require("@pulumi/pulumi/proto/resource_pb") as typeof import("@pulumi/pulumi/proto/resource_pb");
  const { Struct } =
    require("google-protobuf/google/protobuf/struct_pb") as typeof import("google-protobuf/google/protobuf/struct_pb");
  const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
  const request = new ResourceInvokeRequest()
    .setTok(token)
    .setArgs(Struct.fromJavaScript(args as Parameters<typeof Struct.fromJavaScript>[0]));
  // A program that is done before the answer would be gone.
  const end = pulumi.runtime.rpcKeepAlive();
  try {
    const answer = await new Promise<InvokeResponse>((resolve, reject) =>
      monitor.invoke(request, (error, found) => (error === null ? resolve(found) : reject(error))),
    );
    const values = answer.getReturn();
    if (values === undefined) return {};
    const read = Object.entries(pulumi.runtime.deserializeProperties(values) as JsonObject);
    return Object.fromEntries(read.map(([name, value]) => [name, pulumi.runtime.unwrapRpcSecret(value)]));
  } finally {
    end();
  }
}
