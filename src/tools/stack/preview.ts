import { isObject, type JsonObject, kept, objectFrom, objectsIn, textsIn } from "../../provider/schema/json";

/** A resource as `pulumi stack export` and the steps of a preview show it. */
export interface ExportedResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
  readonly provider?: string;
  readonly external?: boolean;
  readonly delete?: boolean;
  readonly sourcePosition?: string;
  readonly ignoreChanges?: readonly string[];
  readonly retainOnDelete?: boolean;
  /** URN of a resource with which it goes. */
  readonly deletedWith?: string;
  readonly propertyDependencies?: Readonly<Record<string, readonly string[] | null>>;
}

/** The step of a preview for one resource. */
export interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState?: ExportedResource | undefined;
  readonly newState?: ExportedResource | undefined;
  /** Of a replacement: whether the new object is made before the old one goes. Undefined where the preview does not show it. */
  readonly createsFirst?: boolean | undefined;
  /** URN of the resource with which Pulumi forgets this one, and asks no provider (`deletedWith`). */
  readonly forgottenWith?: string;
  /** Paths at which Pulumi sees a change. */
  readonly changedPaths: readonly string[];
  /** Properties that differ, where Pulumi shows no paths. */
  readonly changedNames?: readonly string[];
}

/** The steps of a preview. */
export interface Preview {
  readonly steps: readonly Step[];
}

/** True for a path, as Pulumi writes it, that is another one or leads further into it. */
export function isWithin(path: string, outer: string): boolean {
  return path === outer || (path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length)));
}

/** A line of the CLI or of a provider in a preview. */
export interface Diagnostic {
  readonly severity: string;
  readonly message: string;
}

/** A preview, whichever of the two forms the CLI printed. */
export interface PreviewResult extends Preview {
  readonly diagnostics: readonly Diagnostic[];
  /** Number of resources by operation. */
  readonly summary: Readonly<Record<string, number>>;
  /** The stack's configuration, with secrets hidden. */
  readonly config?: Readonly<Record<string, string>>;
  /** It failed: then its steps are not all that would change. */
  readonly failed: boolean;
}

/**
 * Reads the output of `pulumi preview --json`: one object, or with `PULUMI_ENABLE_STREAMING_JSON_PREVIEW` one event a line. Skips
 * lines before it. @throws Error with advice, for a text that is neither.
 */
export function readPreview(text: string): PreviewResult {
  const start = text.search(/^\{/m);
  const json = start < 0 ? "" : text.slice(start);
  const whole = objectFrom(json);
  if (whole !== undefined && isDigest(whole)) return ofDigest(whole);
  const lines = json.trimEnd().split("\n").map(objectFrom);
  const events = lines.filter((line) => typeof line?.sequence === "number") as JsonObject[];
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
    return "the preview is empty: the preview failed, and its own message gives the reason. Without one, run `pulumi preview --json | npx feature-console report`, or name a file";
  if (text.trim() === "{}")
    return "the preview failed before it read the program: its own message gives the reason";
  if (isUnreadable)
    return "the preview is cut off, or more than a preview is in it: run `pulumi preview --json` again";
  return "this is no preview: what `pulumi preview --json` prints is needed (without `--diff`)";
}

/** Any other JSON would read as a preview that changes nothing. */
function isDigest(value: JsonObject): boolean {
  return Array.isArray(value.steps) || Array.isArray(value.diagnostics) || isObject(value.changeSummary);
}

function ofDigest({ steps, diagnostics, changeSummary, config }: JsonObject): PreviewResult {
  const all = objectsIn(steps).map(({ oldState, newState, ...step }) =>
    stepOf({ ...step, old: oldState, new: newState }),
  );
  const summary = numbersIn(changeSummary);
  const said = diagnosticsOf(objectsIn(diagnostics));
  const counts = Object.values(summary);
  // The stack itself is one of them.
  const registers = all.length > 1 || counts.reduce((sum, count) => sum + count, 0) > 1;
  // A program that failed before its first resource left only lines on its standard error; one that succeeds may write some too.
  const isSilent = !registers && said.some(({ severity }) => severity === fromStderr);
  const failed = said.some(isError) || all.length + counts.length === 0 || isSilent;
  return {
    ...{ steps: onlyLogical(all), diagnostics: withReason(said, failed), summary, failed },
    ...configIn(config),
  };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

/** Severity of a line that a program or a plugin wrote to its standard error. */
const fromStderr = "info#err";

/** The lines of a preview. Of one that failed at least one is an error: where Pulumi calls none so, what the program wrote. */
function withReason(said: readonly Diagnostic[], failed: boolean): readonly Diagnostic[] {
  if (!failed || said.some(isError)) return said;
  const written = said.filter(({ severity }) => severity === fromStderr).map(({ message }) => message);
  const message = written.join(" ") || "Pulumi printed no reason here: its own message gives it";
  return [...said, { severity: "error", message }];
}

function configIn(config: unknown): Pick<PreviewResult, "config"> {
  return isObject(config) ? { config: config as Record<string, string> } : {};
}

function ofEvents(events: readonly JsonObject[]): PreviewResult {
  const inside = (name: string) => events.flatMap(({ [name]: event }) => (isObject(event) ? [event] : []));
  const summary = inside("summaryEvent").at(-1);
  const said = diagnosticsOf([
    ...inside("diagnosticEvent"),
    ...inside("policyEvent").map(({ enforcementLevel, policyName, message }) => ({
      severity: enforcementLevel === "mandatory" ? "error" : "warning",
      message: `${policyName}: ${message}`,
    })),
  ]);
  // Older versions name no result. A program may go on after an error that it prints itself.
  const { result = said.some(isError) ? "failed" : "succeeded" } = summary ?? { result: "cut off" };
  const failed = result !== "succeeded";
  return {
    steps: onlyLogical(
      inside("resourcePreEvent").flatMap(({ metadata }) => (isObject(metadata) ? [stepOf(metadata)] : [])),
    ),
    diagnostics: withReason(said, failed),
    ...{ summary: numbersIn(summary?.resourceChanges), failed },
    ...configIn(inside("preludeEvent")[0]?.config),
  };
}

function stepOf({ op, urn, old, new: now, detailedDiff, diffReasons }: JsonObject): Step {
  return {
    op: String(op),
    urn: String(urn),
    oldState: isObject(old) ? (old as unknown as ExportedResource) : undefined,
    newState: isObject(now) ? (now as unknown as ExportedResource) : undefined,
    changedPaths: isObject(detailedDiff) ? Object.keys(detailedDiff) : [],
    changedNames: textsIn(diffReasons),
  };
}

/** The halves of a replacement, in the order in which they come. */
const halves: ReadonlySet<string> = new Set(["create-replacement", "delete-replaced"]);

/** One step for each resource: a replacement comes as two halves, with a step of the whole or without. */
function onlyLogical(all: readonly Step[]): Step[] {
  const steps = withForgotten(all);
  const replaced = new Set(steps.flatMap(({ op, urn }) => (op === "replace" ? [urn] : [])));
  return steps.flatMap((step): Step[] => {
    const { op, urn } = step;
    if (op === "delete-replaced" || (op === "create-replacement" && replaced.has(urn))) return [];
    if (op !== "create-replacement" && op !== "replace") return [step];
    const parts = steps.filter((one) => one.urn === urn && halves.has(one.op));
    const oldState = step.oldState ?? parts.find((one) => one.op === "delete-replaced")?.oldState;
    const [first] = parts;
    return [{ ...step, op: "replace", oldState, createsFirst: first && first.op === "create-replacement" }];
  });
}

/** Pulumi leaves the object of a resource alone that goes together with the one that its `deletedWith` names. */
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

/** Marks of the CLI for colours, and those of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys begins with one.
const colours = /<\{%[^%]*%\}>|\u001b\[[0-9;]*m/g;

/** The place of a plugin is a matter of the machine that made the preview. */
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
      // The CLI begins most messages with their severity.
      .replace(/^(?:info|warning|error): /, ""),
  };
}

function numbersIn(value: unknown): Record<string, number> {
  return kept(isObject(value) ? value : {}, (_, one) => typeof one === "number") as Record<string, number>;
}
