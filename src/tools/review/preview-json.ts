import { isObject, type JsonObject, objectsIn } from "../../provider/schema/json";
import type { ExportedResource } from "../stack/stack";

/** A resource on one side of a step. */
export interface StepResource extends ExportedResource {
  readonly retainOnDelete?: boolean;
  /** URN of a resource with which it goes. */
  readonly deletedWith?: string;
  readonly propertyDependencies?: Readonly<Record<string, readonly string[] | null>>;
}

/** What a preview would do with one resource. */
export interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: StepResource;
  readonly newState?: StepResource;
  /** Of a replacement: whether the new object is made before the old one goes. Undefined where the preview does not show it. */
  readonly createsFirst?: boolean;
  /** URN of the resource with which Pulumi forgets this one, and asks no provider (`deletedWith`). */
  readonly forgottenWith?: string;
  /** Paths at which Pulumi sees a change. */
  readonly changedPaths: readonly string[];
}

/** What the CLI or a provider said in a preview. */
export interface Diagnostic {
  readonly severity: string;
  readonly message: string;
}

/** A preview, whichever of the two forms the CLI printed. */
export interface PreviewResult {
  readonly steps: readonly Step[];
  readonly diagnostics: readonly Diagnostic[];
  /** How many resources it would do what with, by operation. */
  readonly summary: Readonly<Record<string, number>>;
  /** The stack's configuration, with secrets hidden. */
  readonly config?: Readonly<Record<string, string>>;
}

/**
 * Reads what `pulumi preview --json` printed: one object, or with `PULUMI_ENABLE_STREAMING_JSON_PREVIEW` one event a line.
 * What stands before it is passed over. @throws Error that says what to do, for a text that is neither.
 */
export function readPreview(text: string): PreviewResult {
  const start = text.search(/^\{/m);
  const json = start < 0 ? "" : text.slice(start);
  const whole = parsed(json);
  if (isObject(whole) && isDigest(whole)) return ofDigest(whole);
  const lines = json.trimEnd().split("\n").map(parsed);
  const events = lines.filter((line): line is JsonObject => isObject(line) && isEvent(line));
  // Half of a preview would read as one that changes less.
  if (events.length > 0 && lines.at(-1) !== undefined) return ofEvents(events);
  throw new Error(problemOf(text, whole === undefined && start >= 0));
}

/** True where a preview leaves out what stays as it is. */
export function hidesSame({ steps, summary }: PreviewResult): boolean {
  return (summary.same ?? 0) > 1 && !steps.some(({ op, urn }) => op === "same" && !urn.includes("::pulumi:"));
}

function problemOf(text: string, isUnreadable: boolean): string {
  if (text.trim() === "")
    return "nothing came in: run `pulumi preview --json | feature-console report`, or name a file that holds a preview. If you did, the preview printed nothing: its own message gives the reason";
  if (isUnreadable)
    return "the preview is cut off, or more than a preview is in it: run `pulumi preview --json` again";
  return "this is no preview: what `pulumi preview --json` prints is needed (without `--diff`)";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Any other JSON would read as a preview that changes nothing. */
function isDigest(value: JsonObject): boolean {
  return Array.isArray(value.steps) || Array.isArray(value.diagnostics) || isObject(value.changeSummary);
}

function isEvent(value: JsonObject): boolean {
  return typeof value.sequence === "number";
}

function ofDigest({ steps, diagnostics, changeSummary, config }: JsonObject): PreviewResult {
  return {
    steps: onlyLogical(
      objectsIn(steps).map(({ op, urn, oldState, newState, detailedDiff }) =>
        stepOf({ op, urn, old: oldState, new: newState, detailedDiff }),
      ),
    ),
    diagnostics: diagnosticsOf(objectsIn(diagnostics)),
    summary: numbersIn(changeSummary),
    ...configIn(config),
  };
}

function configIn(config: unknown): Pick<PreviewResult, "config"> {
  return isObject(config) ? { config: config as Record<string, string> } : {};
}

function ofEvents(events: readonly JsonObject[]): PreviewResult {
  const inside = (name: string) => events.flatMap(({ [name]: event }) => (isObject(event) ? [event] : []));
  return {
    steps: onlyLogical(
      inside("resourcePreEvent").flatMap(({ metadata }) => (isObject(metadata) ? [stepOf(metadata)] : [])),
    ),
    diagnostics: diagnosticsOf(inside("diagnosticEvent")),
    summary: numbersIn(inside("summaryEvent").at(-1)?.resourceChanges),
    ...configIn(inside("preludeEvent")[0]?.config),
  };
}

function stepOf({ op, urn, old, new: now, detailedDiff }: JsonObject): Step {
  return {
    op: String(op),
    urn: String(urn),
    ...(isObject(old) ? { oldState: old as unknown as StepResource } : {}),
    ...(isObject(now) ? { newState: now as unknown as StepResource } : {}),
    changedPaths: isObject(detailedDiff) ? Object.keys(detailedDiff) : [],
  };
}

/** A replacement is one step here: its halves go where the step of the whole is there. */
function onlyLogical(all: readonly Step[]): Step[] {
  const steps = withForgotten(all);
  const first = createsFirst(steps);
  const replaced = new Set(steps.flatMap(({ op, urn }) => (op === "replace" ? [urn] : [])));
  const deleted = new Map(steps.flatMap((step) => (step.op === "delete-replaced" ? [[step.urn, step]] : [])));
  return steps.flatMap((step) => {
    if (step.op === "delete-replaced" || (step.op === "create-replacement" && replaced.has(step.urn)))
      return [];
    if (step.op !== "create-replacement" && step.op !== "replace") return [step];
    const old = step.oldState ?? deleted.get(step.urn)?.oldState;
    const isFirst = first.get(step.urn);
    return [
      {
        ...{ ...step, op: "replace" },
        ...(old === undefined ? {} : { oldState: old }),
        ...(isFirst === undefined ? {} : { createsFirst: isFirst }),
      },
    ];
  });
}

/** Where a resource goes whose `deletedWith` names one that goes too, Pulumi leaves its object alone. */
function withForgotten(steps: readonly Step[]): Step[] {
  const gone = new Set(
    steps.flatMap(({ op, urn }) => (op === "delete" || op === "delete-replaced" ? [urn] : [])),
  );
  return steps.map((step) => {
    const { deletedWith } = step.oldState ?? {};
    return step.op === "delete" && deletedWith !== undefined && gone.has(deletedWith)
      ? { ...step, forgottenWith: deletedWith }
      : step;
  });
}

/** Of replaced resources, whether the half that creates stands before the one that deletes. */
function createsFirst(steps: readonly Step[]): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const { op, urn } of steps)
    if ((op === "create-replacement" || op === "delete-replaced") && !found.has(urn))
      found.set(urn, op === "create-replacement");
  return found;
}

/** Marks of the CLI for colours, and those of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys begins with one.
const colours = /<\{%[^%]*%\}>|\u001b\[[0-9;]*m/g;

/** Where the CLI found a plugin is a matter of the machine that made the preview. */
const ofTheMachine = /^using pulumi-(?:language|resource)-\S+ from \$PATH at /;

function diagnosticsOf(said: readonly JsonObject[]): Diagnostic[] {
  return said.map(diagnosticOf).filter(({ message }) => !ofTheMachine.test(message));
}

function diagnosticOf({ severity, message }: JsonObject): Diagnostic {
  return {
    severity: String(severity),
    message: String(message ?? "")
      .replace(colours, "")
      .trim()
      // The CLI begins most messages with it.
      .replace(new RegExp(`^${severity === "warning" ? "warning" : "error"}: `), ""),
  };
}

function numbersIn(value: unknown): Record<string, number> {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}
