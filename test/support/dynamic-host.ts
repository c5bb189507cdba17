import { credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Backend, PartialState } from "./driver";
import { type HostOptions, startHostProcess } from "./host-process";
import { type Bag, fromStruct, toStruct } from "./wire-json";

const CALL_LIMIT_MS = 60_000;

/** How the engine sends a value that is not known yet. */
export const UNKNOWN_VALUE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A call that the provider answered with an error. */
export class ProviderCallError extends Error {
  /** The number of the gRPC status. */
  readonly code: number;
  /** Set when the object exists in spite of the error. */
  readonly partial: PartialState | undefined;
  /** The call. */
  readonly method: string;

  constructor(method: string, error: ServiceError) {
    super(`${method}: ${error.details}`);
    this.method = method;
    this.name = "ProviderCallError";
    this.code = error.code;
    this.partial = partialState(error.metadata);
  }
}

/** How to start a host. */
export interface DynamicHostOptions extends HostOptions {
  /** How long a call may take; a minute when left out. */
  callLimitMs?: number;
}

/** Pulumi's dynamic-provider host, driven like the engine drives it. An error answer rejects with ProviderCallError. */
export interface DynamicHost extends Backend {
  /** Hands over the stack's configuration, with keys such as `feature-console:profile`. */
  configure(config: Bag): Promise<void>;
  /** What the host has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Ends the host; safe to call twice. */
  stop(): Promise<void>;
}

/** Starts a host in a project's folder. The caller stops it. */
export async function startDynamicHost(options: DynamicHostOptions): Promise<DynamicHost> {
  const host = await startHostProcess(options);
  const client = new ResourceProviderClient(`127.0.0.1:${host.port}`, credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
  });
  const limitMs = options.callLimitMs ?? CALL_LIMIT_MS;
  return {
    ...changes(client, limitMs),
    ...readings(client, limitMs),
    stdout: host.stdout,
    stderr: host.stderr,
    async stop() {
      client.close();
      await host.stop();
    },
  };
}

type Changes = Pick<DynamicHost, "create" | "update" | "delete">;
type Readings = Pick<DynamicHost, "configure" | "check" | "diff" | "read">;

function changes(client: ResourceProviderClient, limitMs: number): Changes {
  return {
    async create(properties) {
      const request = new proto.CreateRequest().setProperties(toStruct(properties));
      const answer = await call<proto.CreateResponse>("create", limitMs, (...rest) =>
        client.create(request, ...rest),
      );
      return { id: answer.getId(), properties: fromStruct(answer.getProperties()) };
    },
    async update(id, olds, news) {
      const request = new proto.UpdateRequest().setId(id).setOlds(toStruct(olds)).setNews(toStruct(news));
      const answer = await call<proto.UpdateResponse>("update", limitMs, (...rest) =>
        client.update(request, ...rest),
      );
      return { properties: fromStruct(answer.getProperties()) };
    },
    async delete(id, properties) {
      const request = new proto.DeleteRequest().setId(id).setProperties(toStruct(properties));
      await call("delete", limitMs, (...rest) => client.delete(request, ...rest));
    },
  };
}

function readings(client: ResourceProviderClient, limitMs: number): Readings {
  return {
    async configure(config) {
      const request = new proto.ConfigureRequest().setArgs(toStruct(config)).setAcceptsecrets(true);
      await call("configure", limitMs, (...rest) => client.configure(request, ...rest));
    },
    async check(olds, news) {
      const request = new proto.CheckRequest().setOlds(toStruct(olds)).setNews(toStruct(news));
      const answer = await call<proto.CheckResponse>("check", limitMs, (...rest) =>
        client.check(request, ...rest),
      );
      const failures = answer.getFailuresList().map((failure) => failure.toObject());
      return { inputs: fromStruct(answer.getInputs()), failures };
    },
    async diff(id, olds, news) {
      const request = new proto.DiffRequest().setId(id).setOlds(toStruct(olds)).setNews(toStruct(news));
      const answer = await call<proto.DiffResponse>("diff", limitMs, (...rest) =>
        client.diff(request, ...rest),
      );
      const names = ["unknown", "none", "some"] as const;
      return {
        changes: names[answer.getChanges()] ?? "unknown",
        replaces: answer.getReplacesList(),
        deleteBeforeReplace: answer.getDeletebeforereplace(),
      };
    },
    async read(id, properties, inputs) {
      const request = new proto.ReadRequest().setId(id);
      if (properties) request.setProperties(toStruct(properties));
      if (inputs) request.setInputs(toStruct(inputs));
      const answer = await call<proto.ReadResponse>("read", limitMs, (...rest) =>
        client.read(request, ...rest),
      );
      const found = { id: answer.getId(), properties: fromStruct(answer.getProperties()) };
      return answer.hasInputs() ? { ...found, inputs: fromStruct(answer.getInputs()) } : found;
    },
  };
}

type Callback<Answer> = (error: ServiceError | null, answer: Answer) => void;
type Send<Answer> = (
  metadata: Metadata,
  options: { deadline: number },
  callback: Callback<Answer>,
) => unknown;

function call<Answer>(method: string, limitMs: number, send: Send<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    send(new Metadata(), { deadline: Date.now() + limitMs }, (error, answer) => {
      if (error) reject(new ProviderCallError(method, error));
      else resolve(answer);
    });
  });
}

/** Pulumi packs what exists in spite of an error into the details of the gRPC status. */
function partialState(metadata: Metadata | undefined): PartialState | undefined {
  const [packed] = metadata?.get("grpc-status-details-bin") ?? [];
  if (packed === undefined || typeof packed === "string") return undefined;
  const [detail] = Status.deserializeBinary(new Uint8Array(packed)).getDetailsList();
  if (detail === undefined) return undefined;
  const failed = proto.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
  return {
    id: failed.getId(),
    properties: fromStruct(failed.getProperties()),
    reasons: failed.getReasonsList(),
  };
}
