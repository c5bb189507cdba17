import type { ServerUnaryCall, ServiceError, sendUnaryData } from "@grpc/grpc-js";
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
import { byMessages, ProviderCallError, type Send } from "./dynamic-host";
import { type Bag, revealed, secret } from "./wire-json";

/** In the bags of the driver, the URN that the engine would name with each call. */
const urnMember = "__urn";

/** A plugin of this process, by the messages of its protocol, in the words of the driver: `kind` -> who answers for it. */
export function nativeBackends(
  processOf: (report: (line: string) => void) => ProviderProcess,
  report: (line: string) => void,
): (definition: ResourceDefinition) => Backend {
  const wire = callsOf(new Plugin(processOf, report));
  const send: Send = (method, request) =>
    wire<never>(method, request).catch((error: unknown) => {
      throw failureOf(method, error as ServiceError);
    });
  return (definition) => backendOf(send, definition);
}

/** Calls of a plugin in the messages of its protocol. What fails rejects with the error of the service. */
export function callsOf(plugin: Plugin, environment: () => Environment = () => ({})): Send {
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

/** The driver's members stay beside those of the wire; states have one hidden member more there. */
function backendOf(send: Send, { kind }: ResourceDefinition): Backend {
  const beside = ({ __provider, [urnMember]: urn }: Bag): Bag => ({
    ...(__provider === undefined ? {} : { __provider }),
    ...(urn === undefined ? {} : { [urnMember]: urn }),
  });
  const state = (bag: Bag) => packed(withoutOwn(bag));
  const stateIn = (bag: Bag, from: Bag): Bag => ({ ...clear(unpacked(bag)), ...beside(from) });
  const named = `urn:pulumi:dev::test::${nativePrefix}${kind}::`;
  const by = (bag: Bag = {}) => byMessages(send, String(bag[urnMember] ?? `${named}resource`));
  return {
    async check(olds, { __program: note, ...news }) {
      const { urn: given, name, secrets = [] } = isObject(note) ? note : {};
      const stored = "pulumi-nodejs:dynamic/feature-console:";
      const urn = String(given ?? `${named}${String(name)}`).replace(stored, nativePrefix);
      const own = { ...news, [urnMember]: urn };
      const args = withSecrets(withoutOwn(news), secrets as Path[]);
      const { inputs, failures } = await by(own).check(withoutOwn(olds), args);
      return { inputs: { ...clear(inputs), ...beside(own) }, failures };
    },
    diff: (id, olds, news) => by(news).diff(id, state(olds), withoutOwn(news)),
    async create(bag) {
      const { id, properties } = await partly(by(bag).create(withoutOwn(bag)), bag);
      return { id, properties: stateIn(properties, bag) };
    },
    async update(id, olds, news) {
      const { properties } = await partly(by(news).update(id, state(olds), withoutOwn(news)), news);
      return { properties: stateIn(properties, news) };
    },
    async read(id, properties, inputs = {}) {
      const from = properties ?? inputs;
      const found = await by(from).read(id, properties && state(properties), withoutOwn(inputs));
      if (found.id === "") return { id: "", properties: {} };
      const taken = { ...clear(found.inputs ?? {}), ...beside(from) };
      return { id: found.id, properties: stateIn(found.properties, from), inputs: taken };
    },
    delete: (id, properties) => by(properties).delete(id, state(properties)),
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
