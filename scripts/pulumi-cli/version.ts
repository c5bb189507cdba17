/** Major, minor and patch number. */
export type Version = readonly [number, number, number];

/** The first version number in a text such as `v3.259.0` or `go version go1.26 linux/amd64`. */
export function parseVersion(text: string): Version | undefined {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/** Whether a version is the wanted one or a later one. */
export function isAtLeast(version: Version, wanted: Version): boolean {
  for (const [position, number] of wanted.entries()) {
    const own = version[position] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}
