import { brokenOff } from "../../src/emulator/http/delivery";
import type { Transport } from "../../src/provider/client/transport";
import { ProviderProcess } from "../../src/provider/pulumi/process";
import type { verify } from "../../src/tools/verify/verify";
import { hurriedClock } from "../support/in-process";
import { allOf } from "../support/raw-client";
import type { Answering } from "../support/relay";

export const key = ["console", "test"].join("-");

/** Of the consoles and the runs of these tests: a run keeps to the write limits, and no wait takes time. */
export const clock = hurriedClock();

/** What a run asks a console of this process with, or one at an address. */
export function portsFor(console: string | Transport, apiKey: string = key): Parameters<typeof verify>[1] {
  const isRemote = typeof console === "string";
  const environment = {
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: isRemote ? console : "https://console.test",
    FEATURE_CONSOLE_API_KEY: apiKey,
  };
  const process = new ProviderProcess({
    environment: () => environment,
    folder: "",
    report: () => undefined,
    ...(isRemote ? {} : { transport: tellingTheTime(console) }),
    ...clock,
  });
  return {
    context: process.context(),
    run: "test",
    report: () => undefined,
    progress: { listed: () => undefined, detailed: () => undefined },
    confirm: () => Promise.resolve(true),
    signal: new AbortController().signal,
  };
}

export async function namesIn(console: Transport, path: string): Promise<unknown[]> {
  const route = { method: "GET", path, answer: "items", doc: "" } as never;
  const found = await allOf(portsFor(console).context.client.items(route, {}));
  return found.map(({ name, id }) => name ?? id);
}

/** As an HTTP server does with each answer. */
function tellingTheTime(console: Transport): Transport {
  return {
    async send(request) {
      const { headers, ...answer } = await console.send(request);
      return { ...answer, headers: { date: new Date(clock.now()).toUTCString(), ...headers } };
    },
  };
}

export function answeringOtherwise(console: Transport, answering: Answering): Transport {
  return {
    async send({ method, url, headers, body = "", signal }) {
      const { origin, pathname, search } = new URL(url);
      const request = { method, path: pathname, query: search.slice(1), headers: { ...headers }, body };
      const reply = await answering(request, async (one) => {
        const { status, headers, text } = await console.send({
          method: one.method as typeof method,
          url: `${origin}${one.path}${one.query === "" ? "" : `?${one.query}`}`,
          headers: one.headers as Record<string, string>,
          ...(one.body === "" ? {} : { body: one.body }),
          ...(signal === undefined ? {} : { signal }),
        });
        return { status, headers, text };
      });
      if (reply === undefined) throw brokenOff();
      return { ...reply, headers: { ...reply.headers } };
    },
  };
}
