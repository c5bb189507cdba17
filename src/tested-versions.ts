/** The oldest and the newest version of a program or package that this package was tested with. */
export interface TestedRange {
  readonly oldest: string;
  readonly newest: string;
}

/**
 * Versions with which `npm run prove -- versions` runs the start of the README. `doctor` warns outside of it, `docs/versions.md` shows it, and
 * the tests of this project run with the newest of each, but for Node.js.
 */
export const testedVersions = {
  node: { oldest: "22.19.0", newest: "26.10.0" },
  pulumi: { oldest: "3.217.1", newest: "3.274.1" },
  sdk: { oldest: "3.268.0", newest: "3.276.0" },
  typescript: { oldest: "5.8.2", newest: "6.0.3" },
} as const satisfies Readonly<Record<string, TestedRange>>;
