import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import vm from "node:vm";
import ts from "typescript";
import { parse } from "yaml";
import { removeTree } from "../../scripts/process/atomic-folder";
import { createEmulator, type Emulator } from "../../src/emulator";
import type { Call } from "../../src/emulator/console/behaviour";
import { completeSwitches } from "../../src/emulator/console/rules/switches";
import { behaviours } from "../../src/emulator/kinds/index";
import { save } from "../../src/emulator/store/items";
import { openStore } from "../../src/emulator/store/sqlite-store";
import { profiles } from "../../src/provider/client/profile";
import { managed } from "../../src/provider/definitions";
import { type ProcessPorts, ProviderProcess } from "../../src/provider/pulumi/process";
import { providerOf } from "../../src/provider/pulumi/provider";
import { switchNames } from "../../src/provider/pulumi/provider-settings";
import { writeWholeFile } from "../../src/provider/pulumi/runs/whole-file";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { programMember } from "../../src/provider/schema/internal";
import { equalJson, type JsonObject, objectsIn } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { compareStack, type Findings } from "../../src/tools/drift/drift";
import { driftReport } from "../../src/tools/drift/report";
import { acceptedInto, settle } from "../../src/tools/drift/take-over";
import { rendered } from "../../src/tools/render/report";
import { sourcesIn } from "../../src/tools/rewrite/compiler";
import { patchText } from "../../src/tools/rewrite/into-program";
import type { StackPorts } from "../../src/tools/stack/live";
import type { Diagnostic, ExportedResource, Step } from "../../src/tools/stack/preview";
import type { Stack } from "../../src/tools/stack/stack";
import { type RawClient, rawClient } from "../support/raw-client";
import { mapped } from "../world/programs";

/** A resource that a program has made. */
class Made {
  readonly id: string;
  readonly #urn: string;
  constructor(id: string, urn: string) {
    this.id = id;
    this.#urn = urn;
  }

  /** The id of a group, once the object is there: in the preview of a new one it is not known. */
  groupID(at: number): LaterId {
    return (state) => {
      const { outputs = {} } = state.find(({ urn }) => urn === this.#urn) ?? {};
      return objectsIn(outputs.groups)[at]?.id ?? UNKNOWN;
    };
  }
}

/** An id that only the state tells. */
type LaterId = (state: readonly ExportedResource[]) => unknown;

/** A resource as a program declares it. */
interface Declared {
  readonly urn: string;
  readonly definition: ResourceDefinition;
  readonly name: string;
  readonly args: JsonObject;
  readonly position: string;
}

const definitions = new Map<string, ResourceDefinition>(
  Object.values(managed).map((one) => [one.kind, one as ResourceDefinition]),
);
type Told = Parameters<typeof driftReport>[0];

/** A rule for everyone, or for those whom its conditions name. */
export const rule = (name: string, passPercentage: number, ...conditions: object[]) => ({
  ...{ name, passPercentage, conditions: conditions.length > 0 ? conditions : [{ type: "public" }] },
});

/** The key of a person. */
const ana = ["ana", "key"].join("-");
const processPorts = { environment: () => ({ FEATURE_CONSOLE_PROFILE: "embedded" }), report: () => {} };
export const settingsFile = "Pulumi.test.yaml";
const importLine = 'import * as fc from "pulumi-feature-console";';

/**
 * A project whose program is in `index.ts`, with a stack and a console, all in this process: the engine's part is played in
 * a few lines, by the provider's own check, diff, create, update and read.
 */
export class Desk {
  readonly folder: string = mkdtempSync(path.join(tmpdir(), "feature-console-drift-"));
  readonly emulator: Emulator;
  readonly raw: RawClient;
  now = Date.UTC(2026, 10, 22, 10, 3);
  readonly progress: string[] = [];
  /** What a transform of the stack makes of arguments. */
  transform = (args: JsonObject): JsonObject => args;
  readonly #store: ReturnType<typeof openStore>;
  #state: ExportedResource[] = [];

  constructor() {
    const file = path.join(this.folder, ".feature-console", "console.db");
    const people = { [ana]: "ana@example.com" };
    this.emulator = createEmulator({ profile: "embedded", data: file, clock: () => this.now, people });
    this.#store = openStore(file);
    this.raw = rawClient({ profile: "embedded" }, { transport: this.emulator.transport });
  }

  /** The program: the lines after the import. */
  write(lines: string): void {
    writeFileSync(this.file, `${importLine}\n${lines}`);
  }

  /** The text of the stack's file of settings, whose members the program finds in `config`. */
  get settings(): string {
    const file = path.join(this.folder, settingsFile);
    return existsSync(file) ? readFileSync(file, "utf8") : "config: {}\n";
  }

  writeSettings(text: string): void {
    writeFileSync(path.join(this.folder, settingsFile), text);
  }

  /** Writes a program and applies it. */
  async apply(lines: string): Promise<void> {
    this.write(lines);
    await this.up();
  }

  /** An edit of a gate in the console, by a key that names nobody. */
  async edit(id: string, body: object): Promise<void> {
    await this.raw.gate.patch({ id, body });
  }

  later(): void {
    this.now += 60_000;
  }

  get file(): string {
    return path.join(this.folder, "index.ts");
  }

  get program(): string {
    return readFileSync(this.file, "utf8");
  }

  /** Notes on an object that a person changed it, as the console's own pages do; the API cannot say so. */
  sign(kind: keyof typeof behaviours, id: string, mail: string): void {
    const behaviour = behaviours[kind];
    this.#store.transaction("write", (world) => {
      const item = world.get(behaviour.definition.name, id);
      if (item === undefined || !("lastModifierEmail" in behaviour.definition.fields)) return;
      const signed = { ...item, lastModifierEmail: mail, lastModifierName: mail };
      save({ behaviour, world, switches: completeSwitches({}) } as unknown as Call, id, signed);
    });
  }

  /** Sends a request with the key of ana@example.com. */
  async asAna(method: "PATCH" | "PUT" | "DELETE", place: string, body?: JsonObject): Promise<void> {
    const { status } = await this.emulator.transport.send({
      ...{ method, url: `http://embedded/console/v1${place}` },
      headers: { [profiles.embedded.keyHeader]: ana, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (status >= 300) throw new Error(`${method} ${place}: ${status}`);
  }

  /** `feature-console drift`. */
  compare(stack: Stack = this.stack): Promise<Findings> {
    return compareStack({ ...this.ports, stack });
  }

  /** What `feature-console drift` prints of findings; left out: of those of now. */
  async told(findings?: Told): Promise<string> {
    return rendered(driftReport(findings ?? (await this.compare())), "text");
  }

  toldAsJson(findings: Told) {
    return JSON.parse(rendered(driftReport(findings), "json"));
  }

  /** What `drift` and `explain` work with. */
  get ports(): StackPorts {
    const { transport } = this.emulator;
    return {
      stack: this.stack,
      console: { ...processPorts, transport },
      progress: (line) => this.progress.push(line),
    };
  }

  /** `feature-console drift --accept`. `urns`: of these resources alone. */
  async accept(findings?: Findings, urns?: ReadonlySet<string>) {
    findings ??= await this.compare();
    const acceptance = await this.planned(findings, urns);
    for (const [file, { after }] of acceptance.changes) writeWholeFile(path.join(this.folder, file), after);
    await settle(this.stack, findings, acceptance.outcomes, () => {});
    return acceptance;
  }

  planned(findings: Findings, urns?: ReadonlySet<string>, compiler: typeof ts = ts) {
    return acceptedInto(findings, { ...this.programPorts, compiler }, urns);
  }

  get programPorts() {
    return { compiler: ts, sources: sourcesIn(this.folder) };
  }

  async patch(findings: Findings): Promise<string> {
    return patchText(await this.planned(findings));
  }

  /** What a preview would do, but for what it leaves alone: operation by resource. */
  async changes(): Promise<Record<string, string>> {
    const { steps } = await this.previewWith(this.settings);
    const changing = steps.filter(({ op }) => op !== "same");
    return Object.fromEntries(changing.map(({ urn, op }) => [urn.split("::").at(-1) ?? "", op]));
  }

  readonly stack: Stack = {
    exported: () => Promise.resolve({ resources: this.#state }),
    preview: () => this.previewWith(this.settings, true),
    config: () => Promise.resolve({ "feature-console:profile": "embedded" }),
    refresh: (urns) => this.refresh(urns),
    up: (urns) => this.up(urns),
  };

  /** `pulumi refresh`. `urns`: of these resources alone. */
  async refresh(urns = this.#state.map(({ urn }) => urn) as readonly string[]): Promise<void> {
    const process = this.#process();
    for (const one of this.#state.filter(({ urn }) => urns.includes(urn))) {
      const kind = one.urn.split("::")[2]?.split(":").at(-1) ?? "";
      const provider = providerOf(definitions.get(kind) as ResourceDefinition, process);
      const { props, inputs } = await provider.read(one.id ?? "", { ...one.outputs });
      this.keep({ ...one, outputs: props as JsonObject, inputs: (inputs as JsonObject) ?? one.inputs });
    }
  }

  /** `pulumi up --refresh`. */
  async upWithRefresh(): Promise<void> {
    await this.refresh();
    await this.up();
  }

  /** Applies the program. `urns`: to these resources alone. */
  async up(urns?: readonly string[]): Promise<void> {
    const process = this.#process();
    for (const one of this.#declared()) {
      if (urns?.includes(one.urn) === false) continue;
      const { op, inputs, known, provider } = await this.#plan(process, one, false);
      const kept = { ...this.#shown(one), inputs };
      if (op === "create") {
        const { id, outs } = await provider.create(inputs);
        this.keep({ ...kept, id, outputs: outs as JsonObject });
      } else if (op === "update") {
        const { outs } = await provider.update(known?.id ?? "", known?.outputs ?? {}, inputs);
        this.keep({ ...kept, id: known?.id ?? "", outputs: outs as JsonObject });
      } else if (op === "same") this.keep({ ...known, ...kept });
      else if (op === "replace") throw new Error(`${one.urn} would be replaced`);
    }
  }

  async close(): Promise<void> {
    this.#store.close();
    this.emulator.close();
    await removeTree(this.folder);
  }

  #process(more: Partial<ProcessPorts> = {}): ProviderProcess {
    const { transport } = this.emulator;
    return new ProviderProcess({ ...processPorts, transport, folder: undefined, ...more });
  }

  /** What a preview would do with these settings. `reads`: one by which a command learns the program's values. */
  async previewWith(settings: string, reads = false) {
    const diagnostics: Diagnostic[] = [];
    const { FEATURE_CONSOLE_PROFILE } = processPorts.environment();
    const environment = { FEATURE_CONSOLE_PROFILE, [switchNames.readProgram]: reads ? "1" : "" };
    const process = this.#process({
      environment: () => environment,
      report: (message) => diagnostics.push({ severity: "info", message }),
    });
    const steps: Step[] = [];
    for (const one of this.#declared(settings)) {
      const { op, inputs, known } = await this.#plan(process, one, true);
      const newState = { ...this.#shown(one), inputs };
      const oldState = known === undefined ? {} : { oldState: known };
      steps.push({ op, urn: one.urn, newState, ...oldState, changedPaths: [] });
    }
    return { steps, diagnostics };
  }

  /** What the engine does with a resource: check, diff, and where the diff leaves that open, a comparison of the arguments. */
  async #plan(process: ProviderProcess, { definition, urn, name, args }: Declared, preview: boolean) {
    const provider = providerOf(definition, process);
    const known = this.#state.find((one) => one.urn === urn);
    const news = { ...withLaterIds(args, this.#state), [programMember]: { name, urn, preview } };
    const { inputs: taken, failures = [] } = await provider.check(known?.inputs ?? {}, news);
    if (failures.length > 0) throw new Error(`${urn}: ${failures.map(({ reason }) => reason).join("; ")}`);
    const inputs = taken as JsonObject;
    const done = { inputs, known, provider };
    if (known === undefined) return { ...done, op: "create" };
    const { changes, replaces = [] } = await provider.diff(known.id ?? "", known.outputs ?? {}, inputs);
    if (replaces.length > 0) return { ...done, op: "replace" };
    const isChanged = changes ?? !equalJson(known.inputs, inputs);
    return { ...done, op: isChanged ? "update" : "same" };
  }

  /** Puts a resource into state. */
  keep(resource: ExportedResource): void {
    this.#state = [...this.#state.filter(({ urn }) => urn !== resource.urn), resource];
  }

  #shown({ urn, position }: Declared): ExportedResource {
    return { urn, type: urn.split("::")[2] ?? "", sourcePosition: position };
  }

  /** Runs the program. A resource stands for its id, as with Pulumi. */
  #declared(settings = this.settings): Declared[] {
    const found: Declared[] = [];
    const { transform } = this;
    const classOf = (kind: string) =>
      class extends Made {
        constructor(name: string, args: JsonObject = {}) {
          const urn = `urn:pulumi:test::desk::pulumi-nodejs:dynamic/feature-console:${kind}::${name}`;
          super(String(args.key ?? name), urn);
          const definition = definitions.get(kind) as ResourceDefinition;
          const [, line, column] = /index\.ts:(\d+):(\d+)/.exec(new Error().stack ?? "") ?? [];
          const position = `project:///index.ts#${line},${column}`;
          found.push({ urn, definition, name, args: transform(withIds(args)), position });
        }
      };
    const unusual = (value: unknown) => value;
    const fc = new Proxy({}, { get: (_, kind: string) => (kind === "unusual" ? unusual : classOf(kind)) });
    const text = stripTypeScriptTypes(this.program).replace(importLine, "");
    const config = parse(settings).config as JsonObject;
    vm.runInNewContext(text, { fc, config }, { filename: "index.ts" });
    return found;
  }
}

const withLaterIds = (args: JsonObject, state: readonly ExportedResource[]) =>
  mapped(args, (part) => (typeof part === "function" ? [(part as LaterId)(state)] : undefined)) as JsonObject;

const withIds = (args: JsonObject) =>
  mapped(args, (part) => (part instanceof Made ? [part.id] : undefined)) as JsonObject;
