import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { stopTree } from "../../scripts/process/stop";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import type { Backend, PartialState } from "./driver";
import { quickStart } from "./pulumi-cli";
import { type Bag, fromStruct, toStruct } from "./wire-json";

const CALL_LIMIT_MS = 60_000;
const START_LIMIT_MS = 30_000;

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

/** Where and how a host runs. */
interface DynamicHostOptions {
  /** The project's folder: the provider text resolves modules from here. */
  cwd: string;
  /** Added to the environment of the test, from which all settings of Pulumi and of the console are taken away. */
  env?: Readonly<Record<string, string>>;
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
  const send: Send = (method, request) => {
    const deadline = Date.now() + (options.callLimitMs ?? CALL_LIMIT_MS);
    return new Promise((resolve, reject) => {
      const call = client[method as keyof Backend].bind(client) as unknown as Call;
      call(request, new Metadata(), { deadline }, (error, answer) => {
        if (error) reject(new ProviderCallError(method, error));
        else resolve(answer as never);
      });
    });
  };
  return {
    ...byMessages(send),
    async configure(config) {
      await send("configure", new proto.ConfigureRequest().setArgs(toStruct(config)).setAcceptsecrets(true));
    },
    stdout: host.stdout,
    stderr: host.stderr,
    async stop() {
      client.close();
      await host.stop();
    },
  };
}

/** Starts Pulumi's own dynamic-provider host as the engine does, and waits until it listens. */
async function startHostProcess({ cwd, env }: DynamicHostOptions) {
  const modules = path.join(repositoryRoot, "node_modules");
  const starter = path.join(modules, "@pulumi", "pulumi", "cmd", "dynamic-provider", "index.js");
  // The argument is the engine's address. Nothing listens there; the host only needs it to log.
  const child = spawn(path.join(modules, ".bin", "node"), [starter, "127.0.0.1:1"], {
    cwd,
    env: { ...cleanEnvironment(), ...quickStart, PULUMI_NODEJS_PROJECT: "packed", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  const output = capture(child);
  const stop = async () => {
    process.off("exit", killAtExit);
    const ended = new Promise((resolve) => child.once("close", resolve));
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await stopTree(child.pid);
    await ended;
  };
  try {
    const port = await announcedPort(child, output);
    return { port, stdout: () => output.stdout, stderr: () => output.stderr, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function capture(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  return output;
}

function announcedPort(child: ChildProcess, output: { stdout: string; stderr: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The dynamic-provider host ${why}.\n${output.stderr}`));
    const limit = setTimeout(() => fail("did not start in time"), START_LIMIT_MS);
    const look = () => {
      const match = /^(\d+)\r?\n/.exec(output.stdout);
      if (match) settle(() => resolve(Number(match[1])));
    };
    const settle = (act: () => void) => {
      clearTimeout(limit);
      child.stdout?.off("data", look);
      act();
    };
    child.stdout?.on("data", look);
    child.once("error", (error) => settle(() => fail(`did not start: ${error.message}`)));
    child.once("exit", (code) => settle(() => fail(`ended with code ${code}`)));
  });
}

type Call = (
  request: object,
  metadata: Metadata,
  options: { deadline: number },
  callback: (error: ServiceError | null, answer: unknown) => void,
) => unknown;

/** Hands a message of Pulumi's protocol to a provider. */
export type Send = <Answer>(method: string, request: object) => Promise<Answer>;

/** The engine's calls as messages of Pulumi's protocol. `urn`: of the resource; dynamic providers are not told it. */
export function byMessages(send: Send, urn = ""): Backend {
  return {
    async check(olds, news) {
      const request = new proto.CheckRequest().setUrn(urn).setOlds(toStruct(olds)).setNews(toStruct(news));
      // As the engine does: those of a new resource are empty.
      request.setOldOutputs(toStruct(Object.keys(olds).length > 0 ? { key: "stored" } : {}));
      const answer = await send<proto.CheckResponse>("check", request);
      const failures = answer.getFailuresList().map((failure) => failure.toObject());
      return { inputs: fromStruct(answer.getInputs()), failures };
    },
    async diff(id, olds, news) {
      const request = new proto.DiffRequest().setId(id).setUrn(urn).setOlds(toStruct(olds));
      const answer = await send<proto.DiffResponse>("diff", request.setNews(toStruct(news)));
      const changes = (["unknown", "none", "some"] as const)[answer.getChanges()] ?? "unknown";
      const areListed = answer.getDetaileddiffMap().getLength() > 0;
      return {
        // Differences that are listed leave the engine nothing to compare by itself.
        changes: changes === "some" && areListed ? "unknown" : changes,
        replaces: answer.getReplacesList(),
        deleteBeforeReplace: answer.getDeletebeforereplace(),
      };
    },
    async create(properties) {
      const request = new proto.CreateRequest().setUrn(urn).setProperties(toStruct(properties));
      const answer = await send<proto.CreateResponse>("create", request);
      return { id: answer.getId(), properties: fromStruct(answer.getProperties()) };
    },
    async update(id, olds, news) {
      const request = new proto.UpdateRequest().setId(id).setUrn(urn).setOlds(toStruct(olds));
      const answer = await send<proto.UpdateResponse>("update", request.setNews(toStruct(news)));
      return { properties: fromStruct(answer.getProperties()) };
    },
    async read(id, properties, inputs) {
      const request = new proto.ReadRequest().setId(id).setUrn(urn);
      if (properties) request.setProperties(toStruct(properties));
      if (inputs) request.setInputs(toStruct(inputs));
      const answer = await send<proto.ReadResponse>("read", request);
      const found = { id: answer.getId(), properties: fromStruct(answer.getProperties()) };
      return answer.hasInputs() ? { ...found, inputs: fromStruct(answer.getInputs()) } : found;
    },
    async delete(id, properties) {
      const request = new proto.DeleteRequest().setId(id).setUrn(urn).setProperties(toStruct(properties));
      await send("delete", request);
    },
  };
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
