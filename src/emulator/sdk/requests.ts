import { type JsonObject, objectFrom } from "../../provider/schema/json";
import type { ConsoleRequest } from "../console/console";

/** The path of a target, without its query. */
export const pathOf = (target: string): string => target.split("?", 1)[0] ?? "";

/** The query of a request. */
export const queryOf = ({ target }: ConsoleRequest): URLSearchParams =>
  new URLSearchParams(target.split("?")[1] ?? "");

/** The key that came with a request: client SDKs write it into the query, where a browser asks nobody for leave. */
export const keyOf = (request: ConsoleRequest): string | undefined =>
  request.headers["statsig-api-key"] ?? queryOf(request).get("k") ?? undefined;

/** The object that an SDK sends; empty for what is none. */
export const readSdkBody = (request: ConsoleRequest): JsonObject => objectFrom(plainText(request)) ?? {};

/**
 * In a browser client SDKs turn their text around behind base64: one says so in the query (`@statsig/js-client` 3.33.5), one in a
 * header (`statsig-js` 5.1.0).
 */
function plainText(request: ConsoleRequest): string {
  const { body = "", headers } = request;
  if (queryOf(request).get("se") !== "1" && headers["statsig-encoded"] !== "1") return body;
  return Buffer.from([...body].reverse().join(""), "base64").toString("latin1");
}
