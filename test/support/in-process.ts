import "../../src/embedded-console";
import type { Clock } from "../../src/provider/client/limits/limiter";
import { ProviderProcess } from "../../src/provider/pulumi/process";
import type { Provider } from "../../src/provider/pulumi/provider";
import type { ProcessPorts } from "../../src/provider/pulumi/runs/session";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Backend } from "./driver";
import { carried } from "./wire-json";

/** A key that is plainly none. */
export const testKey: string = ["console", "test"].join("-");

/** The configuration of a stack that uses a console of no write limits. */
export function configFor({ url }: { readonly url: string }, apiKey: unknown = testKey): JsonObject {
  return {
    "feature-console:profile": "custom",
    "feature-console:baseUrl": url,
    "feature-console:apiKey": apiKey,
    "feature-console:writesPer10s": "100000",
    "feature-console:writesPer15min": "100000",
  };
}

/** A process of the provider in this one: a run, which remembers nothing of others. Its environment is empty. */
export function startProcess(config: JsonObject, ports: Partial<ProcessPorts> = {}): ProviderProcess {
  const { environment = (): NodeJS.ProcessEnv => ({}), folder } = ports;
  // Without a PATH there is no CLI: to look for one in each run takes longer than all that the run asks.
  const hasCli = folder === undefined || environment().PATH !== undefined;
  const process = new ProviderProcess({
    ...{ report: () => undefined, environment },
    ...(hasCli ? {} : { exportStack: () => Promise.resolve(undefined) }),
    ...ports,
  });
  process.configure((name) => config[name] as string | undefined);
  return process;
}

/** A provider of this process, given and giving what Pulumi's host and wire would let through. */
export function inProcess(provider: Provider): Backend {
  return {
    async check(olds, news) {
      const { inputs, failures = [] } = await provider.check(carried(olds), carried(news));
      return { inputs: carried({ ...inputs, ...textOf(news) }), failures };
    },
    async diff(id, olds, news) {
      const answer = await provider.diff(id, carried(olds), carried(news));
      const { changes, replaces = [], deleteBeforeReplace = false } = answer;
      const told = changes === undefined ? "unknown" : changes ? "some" : "none";
      return { changes: told, replaces, deleteBeforeReplace };
    },
    async create(inputs) {
      const { id, outs } = await provider.create(carried(inputs));
      return { id, properties: carried({ ...outs, ...textOf(inputs) }) };
    },
    async update(id, olds, news) {
      const { outs } = await provider.update(id, carried(olds), carried(news));
      return { properties: carried({ ...outs, ...textOf(news) }) };
    },
    async read(id, properties, said = {}) {
      const from = properties ?? said;
      const { id: found = "", props, inputs } = await provider.read(id, carried(from));
      const answer = { id: found, properties: carried({ ...props, ...textOf(from) }) };
      return inputs === undefined ? answer : { ...answer, inputs: carried({ ...inputs, ...textOf(from) }) };
    },
    delete: (id, properties) => provider.delete(id, carried(properties)),
  };
}

/** The text by which the host finds a provider: the host adds it to what the provider answers. */
function textOf({ __provider }: JsonObject): JsonObject {
  return __provider === undefined ? {} : { __provider };
}

/** The machine's clock, but for sleeps: they are over at once, and it is as late as it would be. */
export function hurriedClock(): Clock {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  return {
    now,
    async sleep(ms) {
      const until = now() + ms;
      await new Promise(setImmediate);
      ahead = Math.max(ahead, until - Date.now());
    },
  };
}
