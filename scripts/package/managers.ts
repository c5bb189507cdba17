/** A package manager, and how the start of the README goes with it. */
export interface PackageManager {
  readonly name: string;
  /** The npm package that has its command. */
  readonly from: string;
  /** What is typed in an empty folder before it adds packages. */
  readonly before: readonly string[];
  /** The command that adds packages. */
  readonly add: string;
}

/** Yarn takes a folder for a project only with this, and pnpm makes one that names a program which is not there. */
const manifestLine = "echo {} > package.json";

/** Every package manager that `npm run prove -- managers` plays the start with. */
export const packageManagers: readonly PackageManager[] = [
  { name: "npm", from: "npm", before: [], add: "npm install" },
  {
    ...{ name: "pnpm", from: "pnpm", before: [manifestLine] },
    // Without a word about the script of this package of Pulumi's SDK, pnpm ends as if it had failed.
    add: "pnpm add --allow-build=protobufjs",
  },
  {
    ...{ name: "Yarn", from: "@yarnpkg/cli-dist" },
    before: [manifestLine, "yarn config set nodeLinker node-modules"],
    add: "yarn add",
  },
  { name: "Yarn 1", from: "yarn@1", before: [manifestLine], add: "yarn add" },
  { name: "Bun", from: "bun", before: [manifestLine], add: "bun add" },
];

/** What is typed in place of the README's `npm install`. */
export function startLines({ before, add }: PackageManager, tarball: string): string[] {
  return [...before, `${add} ${tarball} @pulumi/pulumi typescript@6`];
}
