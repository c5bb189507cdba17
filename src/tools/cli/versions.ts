import { readFileSync } from "node:fs";
import path from "node:path";

/** Version of this package, and the range of versions of Pulumi's SDK that it works with. */
export function versions(): { own: string; sdk: string } {
  const file = path.join(__dirname, "..", "..", "..", "package.json");
  const { version, peerDependencies } = JSON.parse(readFileSync(file, "utf8")) as {
    version: string;
    peerDependencies: Record<string, string>;
  };
  return { own: version, sdk: peerDependencies["@pulumi/pulumi"] ?? "*" };
}
