import type { ServerUnaryCall, ServiceError, sendUnaryData } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Plugin } from "../../src/provider/native/plugin";
import { serviceOf } from "../../src/provider/native/service";
import type { ProviderProcess } from "../../src/provider/pulumi/process";
import type { Environment } from "../../src/provider/pulumi/provider-settings";
import { nativePrefix } from "../../src/provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { isObject } from "../../src/provider/schema/json";
import type { Path } from "../../src/provider/schema/path";
import { packed, unpacked } from "../../src/provider/values/hidden-state";
import type { Backend } from "./driver";
import { ProviderCallError } from "./dynamic-host";
import { type Bag, fromStruct, revealed, secret, toStruct } from "./wire-json";

/** In the bags of the driver, the URN that the engine would name with each call. */
const urnMember = "__urn";

/** A plugin of this process, by the messages of its protocol, in the words of the driver: `kind` -> who answers for it. */
export function nativeBackends(
  processOf: (report: (line: string) => void) => ProviderProcess,
  report: (line: string) => void,
): (definition: ResourceDefinition) => Backend {
  const wire = callsOf(new Plugin(processOf, report));
  const call: Call = (method, request) =>
    wire<never>(method, request).catch((error: unknown) => {
      throw failureOf(method, error as ServiceError);
    });
  return (definition) => backendOf(call, definition);
}

/** Calls of a plugin in the messages of its protocol. What fails rejects with the error of the service. */
export function callsOf(plugin: Plugin, environment: () => Environment = () => ({})): Call {
  const service = serviceOf(plugin, {
    ...{ version: "0.0.0", environment, schema: () => "{}", logged: () => Promise.resolve() },
  });
  return (method, request) =>
    new Promise((resolve, reject) => {
      const handler = service[method] as (call: unknown, callback: sendUnaryData<unknown>) => void;
      handler({ request } as ServerUnaryCall<unknown, unknown>, (error, answer) => {
        if (error) reject(error);
        else resolve(answer as never);
      });
    });
}

/** As a provider of this process fails: with the text that the engine prints, and what exists in spite of it. */
function failureOf(method: string, error: ServiceError): Error {
  const failure = new ProviderCallError(method, error);
  return Object.assign(failure, failure.partial, { message: error.details });
}

type Call = <Answer>(method: string, request: object) => Promise<Answer>;

function backendOf(call: Call, definition: ResourceDefinition): Backend {
  const urnIn = (bag: Bag = {}) =>
    String(bag[urnMember] ?? `urn:pulumi:dev::test::${nativePrefix}${definition.kind}::resource`);
  /** The members that only the driver has stay beside those of the wire. */
  const beside = ({ __provider, [urnMember]: urn }: Bag): Bag => ({
    ...(__provider === undefined ? {} : { __provider }),
    ...(urn === undefined ? {} : { [urnMember]: urn }),
  });
  const state = (bag: Bag) => toStruct(packed(withoutOwn(bag)));
  const stateIn = (bag: Bag, from: Bag): Bag => ({ ...clear(unpacked(bag)), ...beside(from) });
  return {
    async check(olds, { __program: note, ...news }) {
      const { urn: given, name, secrets = [] } = isObject(note) ? note : {};
      const urn = String(given ?? urnIn().replace(/resource$/, String(name))).replace(
        "pulumi-nodejs:dynamic/feature-console:",
        nativePrefix,
      );
      const request = new proto.CheckRequest()
        .setUrn(urn)
        .setNews(toStruct(withSecrets(withoutOwn(news), secrets as Path[])));
      request.setOlds(toStruct(withoutOwn(olds)));
      // As the engine does: those of a new resource are empty.
      request.setOldOutputs(toStruct(Object.keys(olds).length > 0 ? { key: "stored" } : {}));
      const answer = await call<proto.CheckResponse>("check", request);
      const failures = answer.getFailuresList().map((failure) => failure.toObject());
      const inputs = clear(fromStruct(answer.getInputs()));
      return { inputs: { ...inputs, ...beside({ ...news, [urnMember]: urn }) }, failures };
    },
    async diff(id, olds, news) {
      const request = new proto.DiffRequest().setId(id).setUrn(urnIn(news)).setOlds(state(olds));
      request.setNews(toStruct(withoutOwn(news)));
      const answer = await call<proto.DiffResponse>("diff", request);
      const names = ["unknown", "none", "some"] as const;
      const changes = names[answer.getChanges()] ?? "unknown";
      return {
        // The differences are listed: the engine has nothing to compare by itself.
        changes: changes === "some" && answer.getDetaileddiffMap().getLength() > 0 ? "unknown" : changes,
        replaces: answer.getReplacesList(),
        deleteBeforeReplace: answer.getDeletebeforereplace(),
      };
    },
    async create(properties) {
      const request = new proto.CreateRequest()
        .setUrn(urnIn(properties))
        .setProperties(toStruct(withoutOwn(properties)));
      const answer = await partly(call<proto.CreateResponse>("create", request), properties);
      return { id: answer.getId(), properties: stateIn(fromStruct(answer.getProperties()), properties) };
    },
    async update(id, olds, news) {
      const request = new proto.UpdateRequest().setId(id).setUrn(urnIn(news)).setOlds(state(olds));
      request.setNews(toStruct(withoutOwn(news)));
      const answer = await partly(call<proto.UpdateResponse>("update", request), news);
      return { properties: stateIn(fromStruct(answer.getProperties()), news) };
    },
    async read(id, properties, inputs = {}) {
      const from = properties ?? inputs;
      const request = new proto.ReadRequest().setId(id).setUrn(urnIn(from));
      if (properties !== undefined) request.setProperties(state(properties));
      request.setInputs(toStruct(withoutOwn(inputs)));
      const answer = await call<proto.ReadResponse>("read", request);
      if (answer.getId() === "") return { id: "", properties: {} };
      return {
        id: answer.getId(),
        properties: stateIn(fromStruct(answer.getProperties()), from),
        inputs: { ...clear(fromStruct(answer.getInputs())), ...beside(from) },
      };
    },
    async delete(id, properties) {
      const request = new proto.DeleteRequest().setId(id).setUrn(urnIn(properties));
      await call("delete", request.setProperties(state(properties)));
    },
  };

  async function partly<Answer>(answer: Promise<Answer>, from: Bag): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      const { properties } = error as { properties?: Bag };
      const { partial } = error as ProviderCallError;
      if (properties !== undefined) {
        Object.assign(error as object, { properties: stateIn(properties, from) });
        Object.assign(partial ?? {}, { properties: stateIn(properties, from) });
      }
      throw error;
    }
  }
}

/** A bag without what only the driver, or the host of dynamic providers, has in it. */
function withoutOwn({ __provider: _, [urnMember]: __, ...bag }: Bag): Bag {
  return bag;
}

/** A bag without what Pulumi puts around secrets. */
function clear(bag: Bag): Bag {
  return Object.fromEntries(Object.entries(bag).map(([name, value]) => [name, revealed(value)]));
}

/** A bag with secrets as the engine sends them. */
function withSecrets(bag: Bag, paths: readonly Path[]): Bag {
  const whole = structuredClone(bag);
  for (const path of paths) {
    const [last = "", ...above] = path.toReversed();
    const holder = above
      .toReversed()
      .reduce<unknown>((value, step) => (value as Bag | undefined)?.[step], whole);
    if (isObject(holder) || Array.isArray(holder)) (holder as Bag)[last] = secret((holder as Bag)[last]);
  }
  return whole;
}
