import type { EmbeddedConsole } from "../../emulator";
import type { RouteClient } from "../client/client";
import { systemClock } from "../client/limits/limiter";
import type { ClientSettings } from "../client/settings";
import type { Transport } from "../client/transport";
import { DeclaredDemands } from "../decisions/declared-demands";
import { DeclaredNames } from "../decisions/declared-names";
import type { ShareClaim } from "../decisions/declared-shares";
import { stackMark, stackOfMark } from "../decisions/stack-mark";
import {
  type CreateJournal,
  type EngineContext,
  nameOf,
  Ownership,
  type StateObject,
  withSecretPaths,
} from "../engine";
import { IdSources } from "../id-lists/sources";
import { auditOf } from "../schema/audit";
import type { ResourceDefinition } from "../schema/define";
import { type Category, ConsoleError, isConsoleError, messageOf } from "../schema/errors";
import { stackMember } from "../schema/internal";
import { type JsonObject, stableText } from "../schema/json";
import type { RunAnswers } from "../schema/observations";
import { visibleLines } from "../texts/issue-text";
import { permissionsOf } from "./permissions";
import { NamedObjects } from "./previews/named-objects";
import { NewObjects } from "./previews/new-objects";
import { keyUntriedText } from "./previews/preview-notice";
import {
  type ConfigReader,
  collectSettings,
  configNamespace,
  type Environment,
  isExplicit,
  type ProviderSettings,
  settingNames,
  switchNames,
} from "./provider-settings";
import { Absences } from "./runs/absences";
import { backendDigest } from "./runs/backend";
import { changeLink } from "./runs/change-link";
import { type PulumiCommand, pulumiCommand } from "./runs/cli";
import { consoleDigest, defaultEmbeddedPath, embeddedFileIn } from "./runs/console-digest";
import { ConsoleGuard, type KnownConsole } from "./runs/console-guard";
import { exportedObjects, objectsBeside, type StoredObject } from "./runs/exported-state";
import { fileJournal, lostJournalText, noJournal } from "./runs/journal";
import { type Observed, observedLine, readObserved } from "./runs/observed";
import { Outage } from "./runs/outage";
import { RunProgress } from "./runs/progress";
import { journalOfProject } from "./runs/project-journal";
import { Run } from "./runs/run";
import { settingProblems, unverifiedTlsText } from "./setting-problems";

/** What a process works with; what is left out is that of the process that this code runs in. */
export interface ProcessPorts {
  readonly environment: () => Environment;
  /** Folder of the Pulumi project; undefined: nothing is kept on disk. */
  readonly folder: string | undefined;
  /** Tells the user something in one line. `about`: what a read has found is true in every run; the rest may be of a preview. */
  readonly report: (line: string, about?: "found") => void;
  /** What sends requests to the console, instead of HTTP. */
  readonly transport?: Transport;
  /** The objects that the state of this run has; left out: the CLI tells. */
  readonly storedObjects?: () => Promise<readonly StoredObject[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** At least 0, less than 1. */
  readonly random: () => number;
}

/** What the CLI may take to export a state, milliseconds. */
const exportTimeoutMs = 60_000;

/** Failures of the question for the project that need not meet another request. */
const passingFailures: ReadonlySet<Category> = new Set([
  "unavailable",
  "unexpected-answer",
  "throttled",
  "refused",
]);

interface Resolved {
  readonly settings: ProviderSettings;
  /** The same for equal settings. */
  readonly key: string;
  /** Digest of the console's address. */
  readonly console: string;
}

/**
 * All that one provider process remembers. Pulumi starts a process for each operation and each explicit provider, and calls
 * the providers of all kinds in it: connections, limits, and what is learnt between calls are shared.
 */
export class ProviderProcess {
  readonly run = new Run();
  readonly ids = new IdSources();
  readonly progress = new RunProgress();
  readonly names = new DeclaredNames();
  readonly demands = new DeclaredDemands();
  /** What the program asks for of shares that several objects have in common. */
  readonly shares: ShareClaim[] = [];
  readonly newObjects = new NewObjects((line) => this.reportOnce(line));
  readonly namedObjects = new NamedObjects(this);
  readonly ports: ProcessPorts;
  /** Project and stack; undefined until a program has told. */
  stack: string | undefined;
  /** True in a preview, false in an update; undefined until a program has told. */
  isPreview: boolean | undefined;
  /** Digest of the URN of the explicit provider that this process serves; undefined for the stack's own settings. */
  explicit: string | undefined;
  /** Reads the consoles that the state names, where no program tells them. */
  learnConsoles: (() => Promise<readonly KnownConsole[]>) | undefined;
  readonly #guards = new Map<string, ConsoleGuard>();
  readonly #reported = new Set<string>();
  readonly #contexts = new Map<string, EngineContext>();
  readonly #ownerships = new Map<string, Ownership>();
  readonly #outages = new Map<string, Outage>();
  readonly #absences = new Map<string, Absences>();
  readonly #exports = new Map<string, ReturnType<typeof exportedObjects>>();
  readonly #embedded = new Map<string, { readonly file: string; readonly console: EmbeddedConsole }>();
  readonly #resolved = new WeakMap<ConfigReader, Resolved>();
  #config: ConfigReader = () => undefined;
  #backend: { readonly digest: string | undefined } | undefined;
  #problems: readonly string[] | undefined;
  readonly #observed = new Map<string, Observed>();

  constructor(ports: Partial<ProcessPorts> = {}) {
    this.ports = {
      environment: () => process.env,
      folder: "",
      report: (line) => console.info(visibleLines(line)),
      now: systemClock.now,
      sleep: systemClock.sleep,
      random: Math.random,
      ...ports,
    };
  }

  /** Pulumi's host calls a provider before this has returned, and swallows a failure: it does this only, and at once. */
  configure(config: ConfigReader): void {
    this.#config = config;
    this.#problems = undefined;
  }

  /** True for settings that no provider of this package has brought: those of the stack, or of another class. */
  hasUnmarkedSettings(): boolean {
    // A console in this process is sent no key.
    if (this.ports.transport !== undefined || isExplicit(this.#config)) return false;
    return Object.keys(settingNames).some((name) => this.#config(`${configNamespace}:${name}`) !== undefined);
  }

  /** Reports a line once in a run, without secrets: those of `resource`, the one that it is about; left out, those of any. */
  reportOnce(text: string, resource?: unknown): void {
    const line = this.run.withoutSecrets(text, resource);
    if (this.#isFresh(line)) this.ports.report(line);
  }

  /** The same of what a refresh has found. */
  reportFound(text: string): void {
    const line = this.run.withoutSecrets(text);
    if (this.#isFresh(line)) this.ports.report(line, "found");
  }

  #isFresh(line: string): boolean {
    if (this.#reported.has(line)) return false;
    this.#reported.add(line);
    return true;
  }

  /**
   * Said after each step of a preview: at the last one that the program has told of, the looks for new objects are over, and
   * the user hears where nothing has tried the key. @throws ConsoleError "settings" where they found another project.
   */
  async endOfProgram(): Promise<void> {
    const { progress } = this;
    const isUncounted = progress.isUncounted();
    if (progress.isComplete() || isUncounted) await this.newObjects.settle(isUncounted);
    // Without a context nothing has asked the console.
    const other = this.#contexts.size === 0 ? undefined : await this.otherConsole({ asks: false });
    if (other !== undefined) throw new ConsoleError(other, { category: "settings" });
    if (progress.endsWithWrites()) await this.namedObjects.settle();
    if (progress.endsWithWrites() && this.#keyIsUntried()) this.reportOnce(keyUntriedText);
  }

  #keyIsUntried(): boolean {
    const { settings, key } = this.#resolve(this.#config);
    return settings.profile !== "embedded" && (this.#contexts.get(key)?.client.requests() ?? 0) === 0;
  }

  /** What is wrong with the settings. `wrong`: names of the stack's configuration that are no settings, or stand there in the clear. */
  settingProblems(wrong: readonly string[]): readonly string[] {
    this.#problems ??= this.#findProblems(wrong);
    return this.#problems;
  }

  #findProblems(wrong: readonly string[]): readonly string[] {
    const problems = settingProblems(this.#config, wrong, this.ports.environment());
    if (problems.length > 0) return problems;
    try {
      const { settings } = this.#resolve(this.#config);
      const unverified = unverifiedTlsText(settings.profile, this.ports.environment());
      if (unverified !== undefined) this.reportOnce(unverified);
      const observed = this.#observedBy(this.#resolve(this.#config));
      if (observed !== undefined && this.isPreview === true) this.reportOnce(observedLine(observed));
      return [];
    } catch (error) {
      return [messageOf(error)];
    }
  }

  /** What the console has answered to `verify` that counts in a run. @throws ConsoleError "settings". */
  answers(): RunAnswers {
    return this.#observedBy(this.#resolve(this.#config))?.answers ?? {};
  }

  #observedBy({ settings, console, key }: Resolved): Observed | undefined {
    const { observations } = settings;
    if (observations === undefined) return undefined;
    const known = this.#observed.get(key) ?? readObserved(observations, this.ports.folder, console);
    this.#observed.set(key, known);
    return known;
  }

  /** Digest of the backend that keeps the state of this run; undefined where nothing names it. */
  backend(): string | undefined {
    const { environment, folder } = this.ports;
    this.#backend ??= { digest: backendDigest({ environment: environment(), folder }) };
    return this.#backend.digest;
  }

  /** True where state has the object for the resource, which the CLI tells. */
  async #isStored(resource: string, object: string, id: string): Promise<boolean> {
    const isThere = (await this.#storedObject(resource, id)) !== undefined;
    if (isThere) this.run.resource(resource).inState = object;
    return isThere;
  }

  /** The state of an object, as a diff of this run received it; else as the CLI exports it. */
  async #storedState(resource: string, id: string): Promise<JsonObject | undefined> {
    const { compared } = this.run.resource(resource);
    if (compared?.id === id) return compared.state;
    return (await this.#storedObject(resource, id))?.outputs;
  }

  /** The engine does not pass the state of an object that it was told to replace. */
  async #storedObject(resource: string, id: string): Promise<StoredObject | undefined> {
    const { storedAs, isElsewhere } = this.run.resource(resource);
    // State has the one of another console.
    const place = isElsewhere === true ? undefined : storedAs;
    if (place === undefined) return undefined;
    const stored = await this.exportedObjects(place.stack);
    return stored.find((one) => one.id === id && place.urns.includes(one.urn));
  }

  /** The state of the stack as the CLI exports it, once in a run; empty where it does not. `stack`: as the CLI takes its name. */
  async exportedObjects(stack: string): Promise<readonly StoredObject[]> {
    return (await this.exportedStack(stack)) ?? [];
  }

  /** The same; undefined where the CLI does not export it. `stack`: left out, the one that is selected. */
  async exportedStack(stack?: string): Promise<readonly StoredObject[] | undefined> {
    const pulumi = this.#pulumi();
    return pulumi === undefined ? [] : this.#exportOf(pulumi, stack);
  }

  /** The CLI in the folder of the project; undefined where there is none. */
  #pulumi(): PulumiCommand | undefined {
    const { environment, folder } = this.ports;
    if (folder === undefined) return undefined;
    const options = { folder: folder || ".", environment: environment(), missing: "no pulumi on the PATH" };
    return pulumiCommand({ ...options, timeoutMs: exportTimeoutMs });
  }

  /** The mark of this run's stack; undefined until a program has told. */
  mark(): string | undefined {
    return this.stack === undefined ? undefined : stackMark({ name: this.stack, backend: this.backend() });
  }

  /** Digest of the console's address. @throws ConsoleError "settings". */
  console(config: ConfigReader = this.#config): string {
    return this.#resolve(config).console;
  }

  /** Notes which consoles the state names for the resources of these settings, before the first request. @throws ConsoleError "settings". */
  knowConsoles(consoles: readonly KnownConsole[], config: ConfigReader = this.#config): void {
    this.#guard(this.#resolve(config)).know(consoles);
  }

  /** The same, of all: a program's own process may have run another stack before. @throws ConsoleError "settings". */
  knowOnlyConsoles(consoles: readonly KnownConsole[], config: ConfigReader): void {
    this.#guard(this.#resolve(config)).knowOnly(consoles);
  }

  /**
   * Why these settings may not be used: what the state has is in another console. `asks`: also for the project of the key.
   * @throws ConsoleError where the console cannot be asked.
   */
  async otherConsole(
    { asks }: { readonly asks: boolean },
    config: ConfigReader = this.#config,
  ): Promise<string | undefined> {
    const guard = this.#guard(this.#resolve(config));
    const client = asks ? this.context(config).client : this.#contexts.get(this.#resolve(config).key)?.client;
    return client === undefined ? guard.addressProblem() : guard.problem(client, asks);
  }

  /** The project of the key, asked for once; undefined where the console does not tell it. @throws ConsoleError where it cannot be reached. */
  async project(): Promise<string | undefined> {
    try {
      return await this.context().client.project();
    } catch (error) {
      // This failure need not meet a write too: the next write or refresh learns the project.
      if (isConsoleError(error) && passingFailures.has(error.category)) return undefined;
      throw error;
    }
  }

  #guard({ key, console }: Resolved): ConsoleGuard {
    const known = this.#guards.get(key);
    if (known !== undefined) return known;
    const letsGo = () => permissionsOf(this.ports.environment()).leaveInOtherConsole;
    const learn = async () => (await this.learnConsoles?.()) ?? [];
    const guard = new ConsoleGuard({ console, letsGo, learn });
    this.#guards.set(key, guard);
    return guard;
  }

  /** Who holds what in the console of these settings. @throws ConsoleError "settings". */
  ownership(config: ConfigReader = this.#config): Ownership {
    return this.#ownershipBy(this.#resolve(config).key);
  }

  /** What is known of the console of these settings being out of reach. @throws ConsoleError "settings". */
  outage(config: ConfigReader = this.#config): Outage {
    const { key } = this.#resolve(config);
    const known = this.#outages.get(key) ?? new Outage(this.ports.sleep);
    this.#outages.set(key, known);
    return known;
  }

  /** What refreshes have missed in the console of these settings. @throws ConsoleError "settings". */
  absences(config: ConfigReader = this.#config): Absences {
    const { key } = this.#resolve(config);
    const known =
      this.#absences.get(key) ??
      new Absences({
        context: () => this.context(config),
        stored: (object) => this.#storedBeside(object),
        underWay: () => this.outage(config).underWay,
        goOn: `If they are gone for good, type ${switchNames.acceptGone}=1 before the same command, for one run.`,
      });
    this.#absences.set(key, known);
    return known;
  }

  /** What state has beside an object: as whoever runs this process knows, else as the CLI exports it. */
  async #storedBeside(object: StateObject): Promise<readonly StateObject[] | undefined> {
    const { storedObjects } = this.ports;
    const pulumi = this.#pulumi();
    const exports = storedObjects ? [storedObjects] : pulumi ? this.#exportsBy(pulumi, object) : [];
    for (const exported of exports) {
      const beside = objectsBeside((await exported()) ?? [], object);
      if (beside !== undefined) return beside;
    }
    return undefined;
  }

  /** No program tells a refresh which stack it is: the mark in state does, and else it is the one that is selected. */
  #exportsBy(pulumi: PulumiCommand, { outputs }: StateObject) {
    const mark = this.mark() ?? outputs[stackMember];
    const name = typeof mark === "string" ? stackOfMark(mark).name.split("/").at(-1) : undefined;
    const stacks = name === undefined ? [undefined] : [name, undefined];
    return stacks.map((stack) => () => this.#exportOf(pulumi, stack));
  }

  #exportOf(pulumi: PulumiCommand, stack: string | undefined): ReturnType<typeof exportedObjects> {
    const known = this.#exports.get(stack ?? "") ?? exportedObjects(pulumi, stack);
    this.#exports.set(stack ?? "", known);
    return known;
  }

  /** The engine's context for a configuration. Built at the first call that needs it. @throws ConsoleError "settings". */
  context(config: ConfigReader = this.#config): EngineContext {
    const resolved = this.#resolve(config);
    const { key, console } = resolved;
    const known = this.#contexts.get(key);
    if (known !== undefined) return known;
    const { report, now, sleep, environment } = this.ports;
    const secretIds = new Map<string, string>();
    const client = withSecretPaths(this.#guard(resolved).guarded(this.#client(resolved)), secretIds);
    const context: EngineContext = {
      client,
      report,
      ownership: this.#ownershipBy(key),
      journal: this.#journal(console, client),
      protectsEdits: resolved.settings.protectConcurrentEdits === true,
      overwritesEdits: resolved.settings.overwriteConsoleEdits === true,
      reviews: this.#reviews(resolved.settings),
      answers: this.#observedBy(resolved)?.answers ?? {},
      isSecret: (resource, name) => this.run.resource(resource).secretNames?.has(name) === true,
      console,
      stack: () => this.mark(),
      backend: () => this.backend(),
      isInState: (resource, object) => {
        const { inState, isElsewhere } = this.run.resource(resource);
        return inState === object && isElsewhere !== true;
      },
      isStored: (resource, object, id) => this.#isStored(resource, object, id),
      storedState: (resource, id) => this.#storedState(resource, id),
      resourceNames: (resource) => this.run.resource(resource).names,
      permissions: permissionsOf(environment()),
      secretIds,
      idsOf: this.ids.idsOf,
      sleep,
      now,
    };
    this.#contexts.set(key, context);
    return context;
  }

  /** Treatment of reviews by the settings of the stack. */
  reviews(): NonNullable<EngineContext["reviews"]> {
    return this.#reviews(this.#resolve(this.#config).settings);
  }

  #reviews({ reviews, reviewMessage }: ProviderSettings): NonNullable<EngineContext["reviews"]> {
    const message = reviewMessage ?? changeLink(this.ports.environment());
    return {
      ...(reviews === undefined ? {} : { mode: reviews }),
      ...(message === undefined ? {} : { message }),
    };
  }

  /**
   * Refuses to take an object for deleted that the file of an embedded console has never held: it lost its objects, or is another one.
   * @throws ConsoleError "settings".
   */
  requireFileOf(definition: ResourceDefinition, id: string, state: JsonObject): void {
    const embedded = this.#embedded.get(this.#resolve(this.#config).key);
    if (embedded === undefined || embedded.console.canHaveHeld(auditOf(definition, state).created)) return;
    throw new ConsoleError(
      `${nameOf(definition, id)} is in the state of this stack, and the file of the embedded console, ${embedded.file}, was made without it: nothing was taken for deleted. ` +
        'Put the lost file back (with its -wal and -shm files), or run "pulumi destroy" and "pulumi up" with FEATURE_CONSOLE_MOVE=1 to make every object anew.',
      { category: "settings" },
    );
  }

  #client({ settings, key }: Resolved): RouteClient {
    const { report, now, sleep } = this.ports;
    // A preview that reads nothing sends no request: it need not load what speaks HTTP.
    const { createRouteClient } = require("../client/client") as typeof import("../client/client");
    const client: RouteClient = createRouteClient(settings as ClientSettings, {
      ...this.#transportOf(settings, key),
      report,
      writesLeft: () => this.progress.writesLeft(client.sentWrites()),
      clock: { now, sleep },
    });
    return client;
  }

  /** The create journal, where this process keeps anything on disk. */
  #journal(console: string, client: RouteClient): CreateJournal {
    const { folder: home, now } = this.ports;
    if (home === undefined) return noJournal;
    const file = fileJournal(console, {
      ...{ home, now, stack: () => this.mark() },
      onLost: (why) => this.reportOnce(lostJournalText(why)),
    });
    const project = { known: client.project.known, ask: () => client.project() };
    return journalOfProject(file, project);
  }

  #ownershipBy(key: string): Ownership {
    const known = this.#ownerships.get(key) ?? new Ownership();
    this.#ownerships.set(key, known);
    return known;
  }

  /** A process is configured once, and asks for its settings a thousand times. */
  #resolve(config: ConfigReader): Resolved {
    const known = this.#resolved.get(config);
    if (known !== undefined) return known;
    const settings = collectSettings(config, this.ports.environment());
    const found = { settings, key: stableText(settings), console: consoleDigest(settings) };
    this.#resolved.set(config, found);
    return found;
  }

  /** The embedded console runs inside this process. */
  #transportOf({ profile, embeddedPath }: ProviderSettings, key: string): { readonly transport?: Transport } {
    if (this.ports.transport !== undefined) return { transport: this.ports.transport };
    if (profile !== "embedded") return {};
    const { openEmbedded } = require("../../emulator") as typeof import("../../emulator");
    const file = embeddedPath ?? defaultEmbeddedPath;
    try {
      const console = openEmbedded(embeddedFileIn(this.ports.folder ?? "", file));
      this.#embedded.set(key, { file, console });
      return { transport: console.transport };
    } catch (error) {
      throw new ConsoleError(
        `feature-console:embeddedPath: the embedded console cannot keep its data in ${JSON.stringify(file)} (${messageOf(error)}). ` +
          "Give the path of a file that can be written, or that does not exist yet.",
        { category: "settings" },
        { cause: error },
      );
    }
  }
}

/** The process that this code runs in, which Pulumi's host started, or a program. */
export const thisProcess = new ProviderProcess();
