/** What a run of the CLI printed. */
export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
  /** Why the CLI was stopped before its end. */
  problem?: string;
}

/** One resource's step in a preview. */
export interface PreviewStep {
  op: string;
  urn: string;
  diffReasons?: string[];
  replaceReasons?: string[];
  detailedDiff?: Record<string, { kind: string; inputDiff: boolean }> | null;
  oldState?: Record<string, unknown>;
  newState?: Record<string, unknown>;
}

/** What the engine reported, without the `error: ` or `warning: ` that the CLI puts before some. */
export interface Messages {
  /** The messages of severity `error`. */
  errors: string[];
  /** The messages of severity `warning` and `info#err`. */
  warnings: string[];
}

/** What a preview foretells. `steps` and `changeSummary` are empty when the CLI printed no plan. */
export interface PreviewResult extends CliResult, Messages {
  steps: PreviewStep[];
  /** Resources by operation, such as `{ create: 2, same: 1 }`. */
  changeSummary: Record<string, number>;
}

/** A message for people. */
export interface Diagnostic {
  severity: string;
  message: string;
  urn?: string;
}

/** One event of the engine: exactly one property besides the sequence is set. */
export type EngineEvent = Record<string, unknown> & {
  diagnosticEvent?: Diagnostic;
  summaryEvent?: { resourceChanges?: Record<string, number> };
};

/** What an update, a refresh or a destroy did. */
export interface UpdateResult extends CliResult, Messages {
  events: EngineEvent[];
  /** Resources by operation, such as `{ create: 2 }`; empty when the engine did not come to its end. */
  changeSummary: Record<string, number>;
}

/** Reads the JSON of `pulumi preview --json`. */
export function parsePreview(result: CliResult): PreviewResult {
  type Plan = { steps?: PreviewStep[]; changeSummary?: Record<string, number>; diagnostics?: Diagnostic[] };
  const plan = result.stdout.trimStart().startsWith("{") ? (JSON.parse(result.stdout) as Plan) : {};
  return {
    ...result,
    steps: plan.steps ?? [],
    changeSummary: plan.changeSummary ?? {},
    ...messages(plan.diagnostics ?? []),
  };
}

/** Reads the stream of events that `pulumi up --json` and its like print, one a line. */
export function parseUpdate(result: CliResult): UpdateResult {
  const lines = result.stdout.split("\n").filter((line) => line.startsWith("{"));
  const events = lines.map((line) => JSON.parse(line) as EngineEvent);
  const summary = events.findLast(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent;
  return {
    ...result,
    events,
    changeSummary: summary?.resourceChanges ?? {},
    ...messages(events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? [])),
  };
}

function messages(diagnostics: readonly Diagnostic[]): Messages {
  const having = (...severities: string[]) =>
    diagnostics
      .filter(({ severity }) => severities.includes(severity))
      .map(({ message }) => message.replace(/^(error|warning): /, ""));
  return { errors: having("error"), warnings: having("warning", "info#err") };
}
