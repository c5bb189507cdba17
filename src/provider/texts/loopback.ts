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
