const loopbackNames = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** Whether a host name leads to this machine by itself, without a lookup: `localhost`, 127.0.0.0/8 and `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return loopbackNames.test(hostname);
}
