import { promises as dns } from "node:dns";
import { connect, isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import { pathPrefix } from "../../provider/client/profile";
import { httpTransport, NoAnswer, proxyVariable, type WireAnswer } from "../../provider/client/transport";
import { messageOf } from "../../provider/schema/errors";
import { objectFrom } from "../../provider/schema/json";
import { type Finding, failed, within } from "./check";

/** Each of the steps may take this long, milliseconds. */
const stepMs = 3000;

/** End of a first contact: an answer to a request without a key, or the step that failed. */
export type Contact = { readonly answer: WireAnswer } | { readonly finding: Finding };

const addressAdvice = "check the address: feature-console:baseUrl or FEATURE_CONSOLE_BASE_URL";

/** Goes to a console step by step, so that it can be told which one fails: name, connection, TLS, HTTP. */
export async function contact(baseUrl: string): Promise<Contact> {
  const { hostname, port, protocol } = new URL(baseUrl);
  // An IPv6 address stands in brackets in an address.
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isTls = protocol === "https:";
  const at = { host, port: Number(port) || (isTls ? 443 : 80) };
  const place = `${host}:${at.port}`;
  const named = isIP(host) === 0 ? { ...at, servername: host } : at;
  const steps: [what: string, step: () => Promise<unknown>, advice: string][] = [
    [`DNS does not know ${host}`, () => dns.lookup(host), addressAdvice],
    [
      `${place} takes no connection`,
      () => opened(() => connect(at), "connect"),
      `${addressAdvice}; is a firewall, a VPN or a proxy between?`,
    ],
    [
      `${place} has no TLS that is trusted`,
      () => opened(() => connectTls(named), "secureConnect"),
      "where it is your own, name the CA that signed it: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem",
    ],
  ];
  // Behind a proxy, this machine reaches no console by itself.
  if (proxyVariable(baseUrl) !== undefined) return firstAnswer(baseUrl, place);
  for (const [what, step, advice] of isTls ? steps : steps.slice(0, -1)) {
    try {
      await within(stepMs, step(), refuse);
    } catch (error) {
      const { code } = error as { readonly code?: string };
      return { finding: failed(`${what} (${code ?? messageOf(error)})`, advice) };
    }
  }
  return firstAnswer(baseUrl, place);
}

async function firstAnswer(baseUrl: string, place: string): Promise<Contact> {
  const signal = AbortSignal.timeout(stepMs);
  const url = `${baseUrl}${pathPrefix}/project`;
  try {
    const answer = await httpTransport(1).send({ method: "GET", url, headers: {}, signal });
    // Every answer of the API is an object with a message or data.
    const body = objectFrom(answer.text) ?? {};
    if ("message" in body || "data" in body) return { answer };
    const what = `${place} answers ${answer.status}, but not as the API of a console does`;
    return { finding: failed(what, `${addressAdvice}: it must be that of the API`) };
  } catch (error) {
    const advice = (error instanceof NoAnswer ? error.advice : undefined) ?? addressAdvice;
    return { finding: failed(`${place} does not answer HTTP (${messageOf(error)})`, advice) };
  }
}

function opened(open: () => ReturnType<typeof connect>, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = open();
    const end = (done: () => void) => {
      socket.destroy();
      done();
    };
    socket.setTimeout(stepMs, () => end(() => reject(new Error(`no answer within ${stepMs / 1000} s`))));
    socket.once(event, () => end(resolve));
    socket.once("error", (error) => end(() => reject(error)));
  });
}

function refuse(text: string): never {
  throw new Error(text);
}
