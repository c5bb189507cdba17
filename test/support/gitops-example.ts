import { exampleContent } from "./examples";

/** The example whose pipelines are run. */
export const gitopsExample = exampleContent("gitops");

/** The first line of its reports, by which a comment of an earlier run is found. */
export const reportMarker = "<!-- feature-console report gitops/prod -->";

const { program } = gitopsExample;

/** Its program with this share of users in the checkout. */
export const withRollout = (percentage: number): string =>
  program.replace("passPercentage: 10,", `passPercentage: ${percentage},`);

/** Its program with the two rules of the checkout in each other's place. */
export const withRulesSwapped = (): string =>
  program.replace(/^( +\{ name: "Staff".*\n)( +\{ name: "Everyone else".*\n)/m, "$2$1");
