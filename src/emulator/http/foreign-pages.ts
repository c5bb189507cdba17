import { pathPrefix } from "../../provider/client/profile";
import { isLoopback } from "../../provider/texts/allowed-hosts";
import type { ConsoleRequest } from "../console/console";
import { refusal } from "./delivery";
import type { Ingress } from "./ingress";

/**
 * The same ingress, which answers only who asks this machine by its own name, and of the pages in a browser only its own: a page of
 * another site could have its name lead here (DNS rebinding), or send forms and beacons. Pages of this machine reach what SDKs ask,
 * nothing of the Console API.
 */
export function withoutForeignPages(ingress: Ingress, allowHosts: readonly string[]): Ingress {
  const hosts = allowHosts.map((host) => host.toLowerCase());
  const isOwn = (name: string): boolean => isLoopback(name) || hosts.includes(name.toLowerCase());
  return {
    ...ingress,
    receive: async (request) => {
      const message = hostProblem(request, isOwn) ?? originProblem(request, isOwn);
      return message === undefined ? ingress.receive(request) : refusal(403, message);
    },
  };
}

function hostProblem({ headers }: ConsoleRequest, isOwn: (name: string) => boolean): string | undefined {
  const [, name] = /^([\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.exec(headers.host ?? "") ?? [];
  if (name === undefined) return "The request names no host. Ask 127.0.0.1.";
  if (isOwn(name)) return undefined;
  return (
    `The request names the host "${name}", which is not this machine. ` +
    `Ask 127.0.0.1, or start with --allow-host ${name} (allowHosts in code).`
  );
}

/** Browsers name the origin of each request that can write or whose answer a page may read, and no page can change that. */
function originProblem(
  { method, target, headers }: ConsoleRequest,
  isOwn: (name: string) => boolean,
): string | undefined {
  const { host = "", origin, "sec-fetch-site": site = "none", "sec-fetch-mode": mode } = headers;
  if (origin === undefined) {
    const isLink = method === "GET" && mode === "navigate";
    return ["none", "same-origin"].includes(site) || isLink
      ? undefined
      : "The request comes from a page of another site, which this console does not answer.";
  }
  if (origin.toLowerCase() === `http://${host.toLowerCase()}`) return undefined;
  if (!URL.canParse(origin) || !isOwn(new URL(origin).hostname))
    return "The request comes from a page that is not served by this machine, which this console does not answer.";
  if (!target.startsWith(`${pathPrefix.split("/", 2).join("/")}/`)) return undefined;
  return "The request comes from a page that this console does not serve: such pages reach only what SDKs ask.";
}
