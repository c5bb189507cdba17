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

/**
 * The one door to a console. Rejects when no answer came; the error's `refused` is true when it is certain that the
 * request was never sent.
 */
export interface Transport {
  send(request: WireRequest): Promise<WireAnswer>;
}
