import {
  type handleUnaryCall,
  Metadata,
  type ServiceError,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type EngineContext, lookUpItem, lookUpList, lookups } from "../engine";
import type { Environment } from "../pulumi/provider-settings";
import { nativePrefix } from "../pulumi/stored-names";
import { toPulumi } from "../pulumi/wire";
import { invalidArgument, messageOf } from "../schema/errors";
import type { JsonObject } from "../schema/json";
import type { Path } from "../schema/path";
import { packed, unpacked } from "../values/hidden-state";
import type { Difference } from "./detailed-diff";
import { secretMembers } from "./kind-values";
import type { Plugin } from "./plugin";
import { presentSettings, problemsOf, readerOf, secretSettings } from "./settings";
import { received, sent, topNames } from "./values";

/** Answers a call, or fails with an error that the engine prints. */
type Handler<Request, Response> = (request: Request) => Response | Promise<Response>;

/** Surroundings of the service beside the plugin. */
export interface ServicePorts {
  readonly version: string;
  readonly environment: () => Environment;
  /** The package schema, JSON. */
  readonly schema: () => string;
  /** Resolves when the engine has every line of the log. */
  readonly logged: () => Promise<void>;
}

/** The calls of Pulumi's engine in its protocol (`proto/pulumi/provider.proto` of pulumi/pulumi): each becomes one of the plugin's. */
export function serviceOf(
  plugin: Plugin,
  { version, environment, schema, logged }: ServicePorts,
): UntypedServiceImplementation {
  const answering =
    <Request, Response>(handler: Handler<Request, Response>): handleUnaryCall<Request, Response> =>
    async (call, callback) => {
      try {
        const answer = await plugin.calls.during(() => handler(call.request));
        await logged();
        callback(null, answer);
      } catch (error) {
        callback(failureOf(error));
      }
    };
  return {
    handshake: answering(() => new proto.ProviderHandshakeResponse().setAcceptSecrets(true)),
    getPluginInfo: answering(() => new PluginInfo().setVersion(version)),
    getSchema: answering(() => new proto.GetSchemaResponse().setSchema(schema())),
    checkConfig: answering((request: proto.CheckRequest) => {
      const { values, secrets } = received(request.getNews());
      const problems = problemsOf({ values, providerName: request.getName() }, environment());
      return new proto.CheckResponse()
        .setInputs(sent(values, new Set([...topNames(secrets), ...secretSettings])))
        .setFailuresList(problems.map((reason) => new proto.CheckFailure().setReason(reason)));
    }),
    // Another console is an update of the provider: each object is then refused, or made anew, by its own difference.
    diffConfig: answering(() => new proto.DiffResponse()),
    configure: answering((request: proto.ConfigureRequest) => {
      const { values } = received(request.getArgs());
      const given = { values, providerName: request.getName() ?? "default" };
      plugin.configure(readerOf(presentSettings(given, environment()), environment()), request.getUrn());
      return new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
    check: answering((request: proto.CheckRequest) => check(plugin, request)),
    diff: answering((request: proto.DiffRequest) => diff(plugin, request)),
    create: answering((request: proto.CreateRequest) => create(plugin, request)),
    read: answering((request: proto.ReadRequest) => read(plugin, request)),
    update: answering((request: proto.UpdateRequest) => update(plugin, request)),
    delete: answering(async (request: proto.DeleteRequest) => {
      await plugin.delete(request.getUrn(), request.getId(), stateIn(request.getProperties()));
      return new Empty();
    }),
    invoke: answering(async (request: proto.InvokeRequest) => {
      const { values } = received(request.getArgs());
      const found = await invoke(request.getTok(), values, () => plugin.context());
      return new proto.InvokeResponse().setReturn(sent(found, new Set()));
    }),
    cancel: answering(() => new Empty()),
  };
}

async function check(plugin: Plugin, request: proto.CheckRequest): Promise<proto.CheckResponse> {
  const news = received(request.getNews());
  const olds = received(request.getOlds()).values;
  // Engines from 3.274 on send outputs of a new resource too, and these are empty; older ones send none of any.
  const outputs = request.getOldOutputs()?.getFieldsMap().getLength() ?? 0;
  const isStored = Object.keys(olds).length > 0 || outputs > 0;
  const urn = request.getUrn();
  const { inputs, failures } = await plugin.check(urn, olds, news, isStored);
  return new proto.CheckResponse()
    .setInputs(sent(inputs, secretMembers(plugin.definition(urn), topNames(news.secrets))))
    .setFailuresList(
      failures.map(({ property, reason }) =>
        new proto.CheckFailure().setProperty(property).setReason(reason),
      ),
    );
}

async function diff(plugin: Plugin, request: proto.DiffRequest): Promise<proto.DiffResponse> {
  const inputs = received(request.getOldInputs()).values;
  const news = received(request.getNews()).values;
  const last = { inputs, state: stateIn(request.getOlds()), ignored: request.getIgnorechangesList() };
  const planned = await plugin.diff(request.getUrn(), request.getId(), last, news);
  const { DiffChanges } = proto.DiffResponse;
  const response = new proto.DiffResponse().setHasdetaileddiff(true);
  if (planned === undefined) return response.setChanges(DiffChanges.DIFF_NONE);
  for (const one of planned.differences) response.getDetaileddiffMap().set(one.path, propertyDiff(one));
  const replaces = [...new Set(planned.replaces)];
  return response
    .setChanges(DiffChanges.DIFF_SOME)
    .setReplacesList(replaces)
    .setDeletebeforereplace(planned.deletesFirst);
}

function propertyDiff({ kind, replaces, ofInputs }: Difference): proto.PropertyDiff {
  const { Kind } = proto.PropertyDiff;
  const kinds = {
    add: replaces ? Kind.ADD_REPLACE : Kind.ADD,
    delete: replaces ? Kind.DELETE_REPLACE : Kind.DELETE,
    update: replaces ? Kind.UPDATE_REPLACE : Kind.UPDATE,
  } as const;
  return new proto.PropertyDiff().setKind(kinds[kind]).setInputdiff(ofInputs);
}

async function create(plugin: Plugin, request: proto.CreateRequest): Promise<proto.CreateResponse> {
  const urn = request.getUrn();
  const { values, secrets } = received(request.getProperties());
  const packing = packingOf(plugin, urn, secrets);
  const { id = "", state } = await keepingState(packing, () =>
    request.getPreview() ? plugin.previewCreate(urn, values) : plugin.create(urn, values),
  );
  return new proto.CreateResponse().setId(id).setProperties(packing(state));
}

async function update(plugin: Plugin, request: proto.UpdateRequest): Promise<proto.UpdateResponse> {
  const urn = request.getUrn();
  const olds = stateIn(request.getOlds());
  const { values, secrets } = received(request.getNews());
  const packing = packingOf(plugin, urn, secrets);
  const state = await keepingState(packing, () =>
    request.getPreview()
      ? plugin.previewUpdate(urn, olds, values)
      : plugin.update(urn, request.getId(), olds, values),
  );
  return new proto.UpdateResponse().setProperties(packing(state));
}

async function read(plugin: Plugin, request: proto.ReadRequest): Promise<proto.ReadResponse> {
  const [urn, id] = [request.getUrn(), request.getId()];
  const state = received(request.getProperties());
  const inputs = received(request.getInputs());
  const isStored = Object.keys(state.values).length > 0;
  const found = isStored ? await plugin.refresh(urn, id, unpacked(state.values)) : await plugin.find(urn, id);
  if (found === undefined) return new proto.ReadResponse();
  const packing = packingOf(plugin, urn, [...state.secrets, ...inputs.secrets]);
  const secrets = secretMembers(plugin.definition(urn), topNames(inputs.secrets));
  return new proto.ReadResponse()
    .setId(found.id)
    .setProperties(packing(found.state))
    .setInputs(sent(found.inputs ?? inputs.values, secrets));
}

/** A state of Pulumi's wire, as the provider knows it. */
function stateIn(struct: Struct | undefined): JsonObject {
  return unpacked(received(struct).values);
}

/** Packs the states of a resource for the wire. `given`: what the program gives as secrets. */
function packingOf(plugin: Plugin, urn: string, given: readonly Path[]): (state: JsonObject) => Struct {
  return (state) => sent(packed(state), secretMembers(plugin.definition(urn), topNames(given)));
}

/** Runs a write. A failure that leaves an object behind keeps its state, which is packed as any other. */
async function keepingState<T>(packing: (state: JsonObject) => Struct, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { properties } = error as { properties?: JsonObject };
    if (properties !== undefined) Object.assign(error as object, { struct: packing(properties) });
    throw error;
  }
}

/** An error as gRPC carries it; with the object that exists in spite of it, where there is one. */
function failureOf(error: unknown): Partial<ServiceError> {
  const message = messageOf(error);
  const { id, struct, reasons = [] } = error as { id?: string; struct?: Struct; reasons?: string[] };
  if (id === undefined || struct === undefined) return { code: status.UNKNOWN, details: message };
  const failed = new proto.ErrorResourceInitFailed().setId(id).setProperties(struct).setReasonsList(reasons);
  const detail = new Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const whole = new Status().setCode(status.UNKNOWN).setMessage(message);
  whole.addDetails(detail);
  const metadata = new Metadata();
  // By this name gRPC carries a status with details.
  metadata.set("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return { code: status.UNKNOWN, details: message, metadata };
}

/**
 * Calls a function of the schema. A list is the member `items` of what it returns, and an answer of which no member is known is
 * `value`: a function of Pulumi returns an object with the members of its schema. @throws ConsoleError
 */
async function invoke(token: string, args: JsonObject, context: () => EngineContext): Promise<JsonObject> {
  const lookup = lookups.find(({ name }) => `${nativePrefix}${name}` === token);
  if (lookup === undefined)
    throw invalidArgument(`${token} is no function of this plugin. Install the version that has it.`);
  if (lookup.returnsList) return { items: (await lookUpList(lookup, args, context)).map(toPulumi) };
  const found = toPulumi(await lookUpItem(lookup, args, context));
  return lookup.isUntyped ? { value: found } : found;
}
