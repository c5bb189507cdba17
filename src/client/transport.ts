import type { Method } from "../core/verbs";

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

/** No answer came. `refused`: it is certain that the request never left. */
export class NoAnswer extends Error {
  readonly refused: boolean;

  constructor(message: string, refused: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = "NoAnswer";
    this.refused = refused;
  }
}

/** Codes of failures that happen before a request is sent. Source: Node's and undici's error codes. */
const beforeSending = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"],
  ...["UND_ERR_CONNECT_TIMEOUT", "ERR_INVALID_URL", "UND_ERR_INVALID_ARG"],
]);

/** Sends over HTTP with kept-alive connections. */
export function httpTransport(connections: number): Transport {
  // Loaded here: a console in this process is asked without it, and loading it takes a tenth of a second.
  const { Agent, request } = require("undici") as typeof import("undici");
  const dispatcher = new Agent({ connections, keepAliveTimeout: 10_000, headersTimeout: 0, bodyTimeout: 0 });
  return {
    async send({ method, url, headers, body, signal }) {
      try {
        const answer = await request(url, {
          method,
          headers,
          dispatcher,
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
        });
        return {
          status: answer.statusCode,
          headers: flatten(answer.headers),
          text: await answer.body.text(),
        };
      } catch (error) {
        throw noAnswer(error);
      }
    },
  };
}

function noAnswer(error: unknown): NoAnswer {
  const { code, name } = error as { code?: string; name?: string };
  const what =
    name === "TimeoutError"
      ? "no answer in time"
      : (code ?? (error instanceof Error ? error.message : String(error)));
  return new NoAnswer(what, code !== undefined && beforeSending.has(code), { cause: error });
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), String(value)]],
    ),
  );
}
