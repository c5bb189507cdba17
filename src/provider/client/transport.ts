import { unusableSettings } from "../schema/errors";
import type { Method } from "../schema/verbs";
import { allowedHosts, allowedHostsVariable, forbiddenHostText, isLoopback } from "../texts/allowed-hosts";

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: Method;
  /** Absolute address, query included. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The only way by which requests reach a console. Rejects with a {@link NoAnswer} when no answer came. */
export interface Transport {
  send(request: WireRequest): Promise<WireAnswer>;
}

/** The console that is embedded in this process. */
export interface EmbeddedConsole {
  readonly transport: Transport;
  /** True where an object that was created then, milliseconds since 1970, can have been in its file. */
  canHaveHeld(created: number | undefined): boolean;
}

/** No answer came. `refused`: it is certain that the request never left. `advice`: what to do, where another attempt would not help. */
export class NoAnswer extends Error {
  readonly refused: boolean;
  readonly advice: string | undefined;

  constructor(message: string, refused: boolean, options?: ErrorOptions & { readonly advice?: string }) {
    super(message, options);
    this.name = "NoAnswer";
    this.refused = refused;
    this.advice = options?.advice;
  }
}

/** Codes of failures that happen before a request is sent. Source: Node's and undici's error codes. */
const beforeSending = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"],
  ...["UND_ERR_CONNECT_TIMEOUT", "ERR_INVALID_URL", "UND_ERR_INVALID_ARG", "ERR_SSL_WRONG_VERSION_NUMBER"],
]);

/** Codes of certificates that are not accepted, which is so before anything is sent. Source: Node's X509 verification errors. */
const untrusted =
  /^(CERT_|CRL_|ERR_TLS_CERT|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)_|(DEPTH_ZERO_)?SELF_SIGNED_CERT|INVALID_(CA|PURPOSE)$|HOSTNAME_MISMATCH$|PATH_LENGTH_EXCEEDED$)/;

const certificateAdvice =
  "Its certificate is not trusted here, so nothing was sent: where a CA of your own signed it, export NODE_EXTRA_CA_CERTS=/path/to/ca.pem.";

/** Most bytes of an answer: pages of a hundred objects fit many times. */
const mostBytes = 64 * 1024 * 1024;

type Undici = typeof import("undici");

/** Sends over HTTP with kept-alive connections; to other machines by the proxy of the environment, where there is one. */
export function httpTransport(connections: number): Transport {
  // Loaded here: a console in this process is asked without it, and loading it takes a tenth of a second.
  const undici = require("undici") as Undici;
  const options = { connections, keepAliveTimeout: 10_000, headersTimeout: 0, bodyTimeout: 0 };
  const direct = new undici.Agent(options);
  let proxied: InstanceType<Undici["EnvHttpProxyAgent"]> | undefined;
  const dispatcherFor = (url: string) => {
    if (proxyVariable(url) === undefined) return direct;
    proxied ??= new undici.EnvHttpProxyAgent(options);
    return proxied;
  };
  return {
    async send({ method, url, headers, body, signal }) {
      requireAllowedWay(url);
      try {
        const answer = await undici.request(url, {
          method,
          headers,
          dispatcher: dispatcherFor(url),
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
        });
        return {
          status: answer.statusCode,
          headers: flatten(answer.headers),
          text: await textOf(answer.body),
        };
      } catch (error) {
        throw error instanceof NoAnswer ? error : noAnswer(error, url);
      }
    },
  };
}

/**
 * Whatever led here: where hosts are named, nothing goes to another one. By http: a proxy reads all, and counts as a host.
 * @throws ConsoleError "settings".
 */
function requireAllowedWay(url: string): void {
  const allowed = allowedHosts(process.env[allowedHostsVariable]);
  if (allowed === undefined || !URL.canParse(url)) return;
  const refuse = (text: string) => {
    throw unusableSettings(allowed.problem ?? text);
  };
  if (!allowed.allows(url)) refuse(forbiddenHostText(url));
  const proxy = new URL(url).protocol === "http:" ? proxyVariable(url) : undefined;
  if (proxy !== undefined && !allowed.allows(process.env[proxy] ?? ""))
    refuse(
      `The proxy of ${proxy} would read the key on its way to ${new URL(url).origin}, and ${allowedHostsVariable} does not name the proxy's host: the key was not sent. ` +
        `Use https:, or add that host to ${allowedHostsVariable}.`,
    );
}

/** The variable that names the proxy by which an address is asked; NO_PROXY may still except it. Never for this machine. */
export function proxyVariable(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  if (isLoopback(hostname)) return undefined;
  // As undici looks for them: without one for https: that for http: is taken.
  const names = ["http_proxy", "HTTP_PROXY"];
  if (protocol === "https:") names.unshift("https_proxy", "HTTPS_PROXY");
  return names.find((name) => Boolean(process.env[name]));
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes)
      throw new NoAnswer("its answer is longer than 64 MiB and was not read", false, {
        advice: addressAdvice,
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Advice where something else than the API answers. */
export const addressAdvice =
  "Check that feature-console:baseUrl is the address of the API and not of a web page or proxy.";

function noAnswer(error: unknown, url: string): NoAnswer {
  const { code = "", name, message } = error as { code?: string; name?: string; message?: string };
  const what = name === "TimeoutError" ? "no answer in time" : code || (message ?? String(error));
  if (untrusted.test(code)) return new NoAnswer(what, true, { cause: error, advice: certificateAdvice });
  const proxy = proxyVariable(url);
  // A proxy that refuses is told in a text alone.
  const isRefused = beforeSending.has(code) || /^Proxy response|Invalid URL protocol/.test(message ?? "");
  if (proxy === undefined || !isRefused) return new NoAnswer(what, isRefused, { cause: error });
  const advice = `Nothing was sent: the request goes by the proxy of ${proxy}. Correct that, or name the host in NO_PROXY.`;
  return new NoAnswer(/^Proxy/.test(message ?? "") ? (message as string) : what, true, {
    cause: error,
    advice,
  });
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), String(value)]],
    ),
  );
}
