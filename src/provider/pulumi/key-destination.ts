import { consoleAddress } from "../client/settings";
import { allowedHosts, allowedHostsVariable, forbiddenHostText } from "../texts/allowed-hosts";

/** Settings that lead a key somewhere. */
export interface KeyAndAddress {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** A key, its address, and who has named them. */
export interface KeyDestination {
  /** As they hold in this run. */
  readonly settings: KeyAndAddress;
  /** Values of the environment alone. */
  readonly environment: KeyAndAddress;
  /** True for an explicit provider of a program. */
  readonly isExplicit: boolean;
  /** The parts of it that the stack's configuration has too: see {@link sharedWithStack}. */
  readonly fromStack?: string | undefined;
  /** The value of the variable that names the only hosts. */
  readonly onlyHosts: string | undefined;
}

/**
 * Why a key may not go where the settings lead; undefined where it may. A key and its address belong together: a key of the
 * environment or of the stack's configuration goes to an address that one of the two names, and a provider of a program that names
 * another one brings its own. The hosts of the variable may have any key; where it is set, others have none.
 * @public Loaded when needed.
 */
export function keyProblem({
  settings,
  environment,
  isExplicit,
  fromStack = "",
  onlyHosts,
}: KeyDestination): string | undefined {
  const address = consoleAddress(settings);
  // The embedded console is this process; and what else is wrong with an address or a key, others report.
  if (settings.profile === "embedded" || address === undefined || !URL.canParse(address)) return undefined;
  const allowed = allowedHosts(onlyHosts);
  if (allowed !== undefined)
    return allowed.problem ?? (allowed.allows(address) ? undefined : forbiddenHostText(address));
  if (!isExplicit || settings.apiKey === undefined) return undefined;
  const shared = fromStack.split(",");
  const isOfEnvironment = isSameKey(settings.apiKey, environment.apiKey);
  if (!isOfEnvironment && !shared.includes("key")) return undefined;
  if (sameAddress(address, consoleAddress(environment)) || shared.includes("address")) return undefined;
  const { origin, host } = new URL(address);
  const whose = isOfEnvironment ? "the environment" : "the stack's configuration";
  return (
    `An explicit provider of the program names the address ${origin}, which neither the environment nor the stack names, ` +
    `and its key is that of ${whose}: the key was not sent. Give the provider a key of its own (apiKey), or name ${host} in ${allowedHostsVariable}, beside every other host that gets a key.`
  );
}

/**
 * Parts that an explicit provider shares with the stack's configuration, which its process does not see: `address`, `key`, or both with a
 * comma; undefined where it brings its own key.
 * @public Loaded when needed.
 */
export function sharedWithStack(
  own: KeyAndAddress,
  stack: KeyAndAddress,
  environment: KeyAndAddress,
): string | undefined {
  const ownKey = own.apiKey || undefined;
  const hasKeyOfStack = isSameKey(ownKey, stack.apiKey);
  if (ownKey !== undefined && !isSameKey(ownKey, environment.apiKey) && !hasKeyOfStack) return undefined;
  const [profile, baseUrl] = [own.profile ?? environment.profile, own.baseUrl ?? environment.baseUrl];
  const isOfStack = sameAddress(consoleAddress({ profile, baseUrl }), consoleAddress(stack));
  const shared = [...(isOfStack ? ["address"] : []), ...(hasKeyOfStack ? ["key"] : [])];
  return shared.length === 0 ? undefined : shared.join(",");
}

/** A program may pass on a key without the line break at its end. */
function isSameKey(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.trim() === other?.trim();
}

function sameAddress(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || !URL.canParse(one) || !URL.canParse(other)) return false;
  return new URL(one).href === new URL(other).href;
}
