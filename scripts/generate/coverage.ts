import published from "../../spec/published-operations.json";
import { table } from "./markdown";
import { type Inventory, operationModels } from "./operations";

/** One public description of the API. */
interface Description {
  readonly title: string;
  /** When it was read. */
  readonly date: string;
  /** `GET /gates`. */
  readonly operations: readonly string[];
}

/** The operations of the API. */
export interface PublishedOperations {
  readonly descriptions: readonly Description[];
  /** Known by name alone. */
  readonly undescribed: readonly string[];
  /** Operation -> why nothing here carries it out. */
  readonly uncovered: Readonly<Record<string, string>>;
}

/** How much of the API this package has. */
export interface Coverage {
  readonly covered: number;
  readonly all: number;
  readonly descriptions: readonly (Omit<Description, "operations"> & {
    readonly covered: number;
    readonly all: number;
  })[];
  readonly undescribed: readonly string[];
  readonly uncovered: readonly (readonly [request: string, why: string])[];
}

/**
 * Compares the operations of the API with those of the definitions: a resource, an action, a lookup or a client method covers one.
 * @throws Error that names operations that are neither covered nor excused, those that are both, and those that no one published.
 */
export function coverageOf(
  inventory: Inventory,
  { descriptions, undescribed, uncovered }: PublishedOperations = published,
): Coverage {
  const operations = descriptions.flatMap((one) => one.operations);
  const ours = new Set(operationModels(inventory).map(({ request }) => nameless(request)));
  const known = new Set(operations.map(nameless));
  const isCovered = (request: string): boolean => ours.has(nameless(request));
  const excuses = Object.entries(uncovered);
  const findings = [
    ...operations
      .filter((request) => !isCovered(request) && uncovered[request] === undefined)
      .map((request) => `${request}: nothing covers it, and no reason says why`),
    ...excuses
      .filter(([request]) => isCovered(request))
      .map(([request]) => `${request}: excused, and covered`),
    ...excuses
      .filter(([request]) => !operations.includes(request))
      .map(([request]) => `${request}: excused, and not published`),
    ...[...ours].filter((request) => !known.has(request)).map((request) => `${request}: not published`),
  ];
  if (findings.length > 0)
    throw new Error(`spec/published-operations.json and the definitions differ:\n${findings.join("\n")}`);
  const counted = (requests: readonly string[]) => ({
    covered: requests.filter(isCovered).length,
    all: requests.length,
  });
  return {
    ...counted(operations),
    descriptions: descriptions.map(({ title, date, operations: own }) => ({ title, date, ...counted(own) })),
    undescribed,
    uncovered: excuses,
  };
}

/** What parameters of a path are called differs, and means nothing. */
function nameless(request: string): string {
  return request.replace(/\{\w+\}/g, "{}");
}

/** The lines of `spec/operations.md` that tell it. */
export function coverageText({ covered, all, descriptions, undescribed, uncovered }: Coverage): string[] {
  return [
    "## How many of all",
    "",
    `A resource, an action, a lookup or a client method covers ${covered} of the ${all} operations that these descriptions`,
    "of the API have; `npm run generate` fails where one of them is neither covered nor excused with a reason.",
    "",
    table(
      ["Description", "Read", "Covered"],
      descriptions.map((one) => [one.title, one.date, `${one.covered} of ${one.all}`]),
    ),
    `Known by name alone: ${undescribed.join(", ")}. A third party's description of March 2026 counts 269 operations.`,
    "",
    ...(uncovered.length === 0
      ? []
      : [
          table(
            ["Not covered", "Why"],
            uncovered.map(([request, why]) => [`\`${request}\``, why]),
          ),
        ]),
  ];
}
