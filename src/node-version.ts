const { name, engines } = require("../package.json") as {
  readonly name: string;
  readonly engines: { readonly node: string };
};

/** Why this package cannot run on a Node of that version, such as `20.20.2`; undefined where it can. */
export function nodeProblem(version: string): string | undefined {
  const oldest = engines.node.replace(">=", "");
  const [needsMajor = 0, needsMinor = 0] = oldest.split(".").map(Number);
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  if (major > needsMajor || (major === needsMajor && minor >= needsMinor)) return undefined;
  return `${name} needs Node ${oldest} or newer; this is ${version}. Install a newer Node, or put one first on PATH.`;
}
