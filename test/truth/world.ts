import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { managed } from "../../src/provider/definitions";
import { adoptMember } from "../../src/provider/schema/internal";
import type { JsonObject } from "../../src/provider/schema/json";
import type * as Drift from "../../src/tools/drift/drift";
import type * as Explain from "../../src/tools/drift/explain";
import type * as DriftReport from "../../src/tools/drift/report";
import type { Report } from "../../src/tools/render/report";
import type * as ReviewRoom from "../../src/tools/review";
import type { Review } from "../../src/tools/review";
import type { ExportedResource } from "../../src/tools/stack/preview";
import { typeInUrn } from "../../src/tools/stack/stack";
import { allOf, type RawClient, rawClient } from "../support/raw-client";
import { Dice } from "../world/dice";
import type { EngineRun } from "../world/engine";
import { furnish } from "../world/fixtures";
import { type Declared, type Held, nameOf, referencesIn, urnOf } from "../world/programs";
import { codeOf, type ProviderCode } from "../world/provider";
import { type Patch, SourceCopy } from "../world/source-copy";
import { type Act, emptyStack, environment, type Stack, Stage } from "../world/stage";
import type { Run, Step, UpOptions } from "../world/steps";

import { endNotices, type LiveObject, type NoticeCode } from "./end-notices";

/** The provider and its reports, both of one copy of the source. */
export interface Code {
  readonly provider: ProviderCode;
  readonly review: Pick<
    typeof ReviewRoom,
    "askConsole" | "makeReview" | "readPreview" | "subjectsOf" | "notAsked"
  >;
  readonly notices: NoticeCode;
  readonly drift: Pick<typeof Drift, "compareStack"> &
    Pick<typeof Explain, "explainStack" | "explainReport"> &
    Pick<typeof DriftReport, "driftReport">;
}

export function codeWith(patches: readonly Patch[]): Code {
  const copy = new SourceCopy(patches);
  return {
    provider: codeOf(copy),
    review: copy.load("tools/review/index.ts") as unknown as Code["review"],
    notices: {
      ...copy.load("provider/pulumi/previews/preview-notice.ts"),
      ...copy.load("provider/pulumi/previews/gone-resources.ts"),
      ...copy.load("provider/pulumi/previews/removals.ts"),
      ...copy.load("provider/pulumi/runs/kind-of-type.ts"),
    } as unknown as NoticeCode,
    drift: {
      ...copy.load("tools/drift/drift.ts"),
      ...copy.load("tools/drift/explain.ts"),
      ...copy.load("tools/drift/report.ts"),
    } as unknown as Code["drift"],
  };
}

export interface Command extends Act {
  /** What the program said at the end of a preview. */
  readonly warnings: readonly string[];
  /** URN -> argument -> URNs of the resources whose outputs it takes. */
  readonly takes: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;
}

const unforced: UpOptions = { refresh: false, replace: [] };

/** A console in this process, the stacks that use it, and their reports. */
export class World extends Stage {
  readonly raw: RawClient;
  readonly #code: Code;
  readonly #home = mkdtempSync(path.join(tmpdir(), "feature-console-truth-"));
  #folders = 0;

  constructor(code: Code, seed: number) {
    super(code.provider, new Dice(seed));
    this.#code = code;
    furnish(this.console, []);
    const { FEATURE_CONSOLE_API_KEY: apiKey, FEATURE_CONSOLE_BASE_URL: baseUrl } = environment;
    const { transport } = this.#ports("");
    this.raw = rawClient({ profile: "custom", apiKey, baseUrl }, { transport });
  }

  newStack(name: string): Stack {
    return emptyStack(name, this.newFolder());
  }

  /** A fresh checkout of the project: no journal, no notes. */
  newFolder(): string {
    this.#folders += 1;
    return path.join(this.#home, String(this.#folders));
  }

  async preview(stack: Stack, program: readonly Declared[], options: UpOptions = unforced): Promise<Command> {
    const act = await this.act(stack, "preview", {}, (engine) => engine.up(program, options));
    // Of a program without resources no code of the provider runs.
    if (act.run.error !== undefined || program.length === 0)
      return { ...act, warnings: [], takes: new Map() };
    const live: LiveObject[] = [];
    for (const kind of ["gate", "dynamicConfig", "segment", "experiment", "layer"] as const) {
      const listed = await allOf(this.raw[kind].list({}) as AsyncIterable<JsonObject>);
      live.push(...listed.map((values) => ({ kind: managed[kind].kind, id: String(values.id), values })));
    }
    const { state, folder } = stack;
    const now = () => this.console.now();
    const warnings = await endNotices(this.#code.notices, act.run, { state, live, folder, now });
    return { ...act, warnings, takes: takesIn(stack.name, program) };
  }

  up(stack: Stack, program: readonly Declared[], options: UpOptions = unforced): Promise<Act> {
    return this.#update(stack, (engine) => engine.up(program, options));
  }

  refresh(stack: Stack): Promise<Act> {
    return this.#update(stack, (engine) => engine.refresh());
  }

  async #update(stack: Stack, work: (engine: EngineRun) => Promise<Run>): Promise<Act> {
    const act = await this.act(stack, "update", {}, work);
    stack.state = act.run.state;
    return act;
  }

  #ports(folder: string) {
    const { console } = this;
    const transport = console.transport(
      "person",
      () => "pass",
      () => {},
    );
    return { transport, folder, now: console.now, sleep: async (ms: number) => console.wait(ms) };
  }

  async report(stack: Stack, preview: Command, offline: boolean): Promise<Review> {
    const { askConsole, makeReview, notAsked, subjectsOf } = this.#code.review;
    const ports = this.#toolPorts(stack, preview);
    const read = await ports.stack.preview();
    const subjects = subjectsOf(read);
    const console = offline ? notAsked : await askConsole(read, subjects, ports);
    return makeReview(read, subjects, console, this.console.now());
  }

  /** What `explain --format json` prints of a resource, or of a place in it. @throws UsageError */
  async explain(stack: Stack, preview: Command, name: string, place?: string): Promise<JsonObject> {
    const { explainStack, explainReport } = this.#code.drift;
    return jsonOf(explainReport(await explainStack(this.#toolPorts(stack, preview), { name, place })));
  }

  async drift(stack: Stack, preview: Command): Promise<JsonObject> {
    const { compareStack, driftReport } = this.#code.drift;
    return jsonOf(driftReport(await compareStack(this.#toolPorts(stack, preview))));
  }

  #toolPorts(stack: Stack, preview: Command) {
    const read = this.#code.review.readPreview(previewText(stack.state, preview));
    // A tool runs where the preview ran: the backend is part of the name under which journals know the stack.
    const around = { ...environment, PULUMI_BACKEND_URL: stack.backend };
    return {
      stack: {
        ...{ exported: async () => ({ resources: stack.state.map(exported) }), config: async () => ({}) },
        ...{ preview: async () => read, refresh: unused, up: unused },
      },
      console: { ...this.#ports(stack.folder), report: () => {}, environment: () => around },
      progress: () => {},
    };
  }

  close(): Promise<void> {
    return removeTree(this.#home);
  }
}

/** As a pipe gets it: what is undefined is left out. */
function jsonOf({ json }: Report): JsonObject {
  return JSON.parse(JSON.stringify(json)) as JsonObject;
}

function unused(): Promise<never> {
  return Promise.reject(new Error("a report only reads"));
}

/** Which outputs the resources of a program take, as Pulumi shows it. */
function takesIn(stack: string, program: readonly Declared[]): Command["takes"] {
  const urns = new Map(program.map((one) => [nameOf(one), urnOf(stack, one.kind, one.name)]));
  const takenBy = (value: unknown) => referencesIn({ value }).flatMap((name) => urns.get(name) ?? []);
  return new Map(
    program.map(({ kind, name, args, imports }) => {
      const given = { ...args, ...(imports === undefined ? {} : { [adoptMember]: imports }) };
      const taken = Object.entries(given).map(([argument, value]) => [argument, takenBy(value)]);
      return [urnOf(stack, kind, name), Object.fromEntries(taken)];
    }),
  );
}

/** A resource as `pulumi stack export` shows it. */
function exported({ urn, id, inputs, outputs, retainOnDelete }: Held): ExportedResource {
  return { urn, type: typeInUrn(urn), id, inputs, outputs, ...(retainOnDelete ? { retainOnDelete } : {}) };
}

function previewText(state: readonly Held[], { run, lines, warnings, takes }: Command): string {
  const stepOf = ({ urn, op, inputs }: Step): object => {
    const old = state.find((held) => held.urn === urn);
    return {
      ...{ op, urn },
      ...(old === undefined ? {} : { oldState: exported(old) }),
      ...(inputs === undefined
        ? {}
        : { newState: { urn, type: typeInUrn(urn), inputs, propertyDependencies: takes.get(urn) ?? {} } }),
    };
  };
  const changeSummary: Record<string, number> = {};
  for (const { op } of run.steps) changeSummary[op] = (changeSummary[op] ?? 0) + 1;
  const told = [
    ...lines.map((message) => ({ severity: "info", message })),
    ...warnings.map((message) => ({ severity: "warning", message })),
  ];
  // A program that does not run at all leaves lines of Node.js, and no error of its own.
  const severity = run.failed === undefined ? "info#err" : "error";
  const failed = run.error === undefined ? [] : [{ severity, message: run.error, urn: run.failed }];
  return JSON.stringify({ steps: run.steps.map(stepOf), diagnostics: [...told, ...failed], changeSummary });
}
