/** The variable that names the only hosts to which a key goes, whatever a program, a stack or the environment sets. */
export const allowedHostsVariable = "FEATURE_CONSOLE_ALLOWED_HOSTS";

/** The hosts that the variable names. */
export interface AllowedHosts {
  /** True where a key may go to this address. */
  readonly allows: (address: string) => boolean;
  /** Why the variable cannot be read. Then it allows nothing. */
  readonly problem?: string;
}

/** The hosts of a value of the variable; undefined where nothing sets it. */
export function allowedHosts(value: string | undefined): AllowedHosts | undefined {
  if (value === undefined) return undefined;
  const entries = value.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]));
  const [wrong] = entries.filter((entry) => hostOf(entry) === undefined);
  if (wrong !== undefined)
    return nowhere(
      `${allowedHostsVariable} holds ${JSON.stringify(wrong)}, which is no host. Name whole hosts, such as console.example.com or console.example.com:8443, with commas between them.`,
    );
  // A pipeline whose variable is gone must not send its key everywhere.
  if (entries.length === 0)
    return nowhere(
      `${allowedHostsVariable} is set and names no host. Name hosts with commas between them, or unset it.`,
    );
  const hosts = entries.flatMap((entry) => hostOf(entry) ?? []);
  return {
    allows(address) {
      if (!URL.canParse(address)) return false;
      const url = new URL(address);
      return hosts.some(
        ({ hostname, port }) => hostname === url.hostname && (port === undefined || port === portOf(url)),
      );
    },
  };
}

/** Message about an address to which no key may go. */
export function forbiddenHostText(address: string): string {
  const { host, origin } = new URL(address);
  return (
    `The console's address is ${origin}, and ${allowedHostsVariable} does not name that host: the key was not sent. ` +
    `Correct the address, or add ${host} to ${allowedHostsVariable}.`
  );
}

function nowhere(problem: string): AllowedHosts {
  return { allows: () => false, problem };
}

/** A host, with a port or for any. No patterns: one that fits more than was meant lets the key go there. */
function hostOf(entry: string): { readonly hostname: string; readonly port?: number } | undefined {
  const [, name, port] = /^(\[[\da-f:.]+\]|[^\s:/\\@?#%*[\]]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  if (name === undefined || !URL.canParse(`http://${name}`)) return undefined;
  const { hostname } = new URL(`http://${name}`);
  return { hostname, ...(port === undefined ? {} : { port: Number(port) }) };
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

const byte = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";

const loopbackNames = new RegExp(`^(localhost|127(\\.${byte}){3}|\\[::1\\]|::1)$`, "i");

/**
 * True for a host name that leads to this machine by itself: `localhost`, 127.0.0.0/8 and `[::1]`. Names below `localhost` are none: many
 * systems look them up in DNS.
 */
export function isLoopback(hostname: string): boolean {
  return loopbackNames.test(hostname);
}

/** The environment variable that lets a key cross a network unencrypted: `true`. */
export const insecureHttpVariable = "FEATURE_CONSOLE_ALLOW_INSECURE_HTTP";

/** True where what is sent to an address can be read on the way there. */
export function isInsecure({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && !isLoopback(hostname);
}

/** Message about a provider that no class of this package has made. `whose`: what has it. */
export function foreignProviderText(whose: string): string {
  return (
    `${whose} has a provider that this package did not make, and a key must not go wherever that one leads: nothing was sent. ` +
    "Make the provider with the class Provider of pulumi-feature-console."
  );
}
