import type { Ingress } from "../http/ingress";
import type { ClientEndpoints } from "../sdk/client-endpoints";
import { isSdkPath } from "../sdk/endpoints";

/** The same ingress, which answers clients too: pages of this machine may read the answers. Planned faults meet only their events. */
export function withClients(ingress: Ingress, endpoints: ClientEndpoints): Ingress {
  return {
    ...ingress,
    async receive(request) {
      const { method, target, headers } = request;
      const crossOrigin = crossOriginHeaders(headers.origin);
      const isPreflight = method === "OPTIONS" && !target.startsWith("/console/");
      if (isPreflight && crossOrigin !== undefined)
        return { status: 204, headers: { ...crossOrigin, ...preflightHeaders(headers) }, text: "" };
      const own = await endpoints(request);
      const reply = own ?? (await ingress.receive(request));
      if (reply === undefined || (own === undefined && !isSdkPath(target))) return reply;
      return { ...reply, headers: { ...reply.headers, ...crossOrigin } };
    },
  };
}

/** Pages that are served elsewhere do not come so far: `withoutForeignPages` refuses them. */
function crossOriginHeaders(origin: string | undefined): Record<string, string> | undefined {
  return origin === undefined ? undefined : { "access-control-allow-origin": origin, vary: "origin" };
}

const preflightHeaders = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> => ({
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": headers["access-control-request-headers"] ?? "",
});
