import type { WireReply } from "./delivery";
import type { Ingress } from "./ingress";
import type { ClientEndpoints } from "./sdk/client-endpoints";
import { isSdkPath } from "./sdk/endpoints";

/** The same ingress, which answers clients too: pages of this machine may read what they are told. */
export function withClients(ingress: Ingress, endpoints: ClientEndpoints): Ingress {
  return {
    ...ingress,
    async receive(request) {
      const leave = leaveFor(request.headers.origin);
      const { method, target, headers } = request;
      if (method === "OPTIONS" && leave !== undefined && !target.startsWith("/console/"))
        return { status: 204, headers: { ...leave, ...asked(headers) }, text: "" };
      const own = await endpoints(request);
      const reply = own ?? (await ingress.receive(request));
      const isForClients = own !== undefined || isSdkPath(target);
      return reply === undefined || !isForClients ? reply : withHeaders(reply, leave);
    },
  };
}

const withHeaders = (reply: WireReply, more: WireReply["headers"] = {}): WireReply => ({
  ...reply,
  headers: { ...reply.headers, ...more },
});

const thisMachine = ["localhost", "127.0.0.1", "[::1]"];

/** A page that is served elsewhere has no business here: it would read flags that are not live. */
function leaveFor(origin: string | undefined): Record<string, string> | undefined {
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  if (!thisMachine.includes(new URL(origin).hostname)) return undefined;
  return { "access-control-allow-origin": origin, vary: "origin" };
}

const asked = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> => ({
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": headers["access-control-request-headers"] ?? "",
});
