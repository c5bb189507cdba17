import { systemClock } from "../client/limits/limiter";
import { DeclaredDemands } from "../decisions/declared-demands";
import { DeclaredNames } from "../decisions/declared-names";
import { DeclaredParameters } from "../decisions/declared-parameters";
import type { ShareClaim } from "../decisions/declared-shares";
import type { EngineContext } from "../engine";
import type { DeclaredObject } from "../engine/subject";
import { IdSources } from "../id-lists/sources";
import type { ResourceDefinition } from "../schema/define";
import { messageOf, unusableSettings } from "../schema/errors";
import { type JsonObject, stableText } from "../schema/json";
import { keptIn } from "../schema/memoized";
import type { RunAnswers } from "../schema/observations";
import { sentence, visibleLines } from "../texts/issue-text";
import { NewObjects } from "./previews/looks";
import { NamedObjects } from "./previews/named-objects";
import {
  type ConfigReader,
  collectSettings,
  configNamespace,
  isExplicit,
  settingNames,
  switchNames,
} from "./provider-settings";
import type { KnownConsole } from "./runs/console-guard";
import { observedLine } from "./runs/observed";
import { OwnStack } from "./runs/own-stack";
import { Run, RunProgress } from "./runs/run";
import { type ProcessPorts, Session } from "./runs/session";
import { keyAdvice, settingProblems, storedProblem, unverifiedTlsText } from "./setting-problems";

export type { ProcessPorts };

/** Nothing of an empty preview, nor of one that compares with state alone, shows whether the console takes the key. */
export const keyUntriedText =
  'API key not verified: this preview made no requests. "npx feature-console doctor --for up" verifies it.';

/**
 * The memory of one provider process. Pulumi starts a process for each operation and each explicit provider, and calls
 * the providers of all kinds in it: connections, limits, and findings between calls are shared.
 */
export class ProviderProcess {
  readonly ports: ProcessPorts;
  readonly run = new Run();
  readonly ids = new IdSources();
  readonly progress = new RunProgress();
  readonly names = new DeclaredNames();
  readonly demands = new DeclaredDemands();
  readonly parameters = new DeclaredParameters();
  /** Claims of the program to shares that several objects have in common. */
  readonly shares: ShareClaim[] = [];
  /** Objects of the program, as `layer "shop"`, by kind and name of their resources: `Layer shop`. */
  readonly labels = new Map<string, string>();
  readonly newObjects = new NewObjects((line) => this.reportOnce(line));
  readonly namedObjects = new NamedObjects(this);
  readonly stack: OwnStack;
  /** True in a preview, false in an update; undefined until a program has told. */
  isPreview: boolean | undefined;
  /** The program has asked the console itself, with the key of these settings. */
  hasProgramAsked = false;
  /** Digest of the URN of the explicit provider that this process serves; undefined for the stack's own settings. */
  explicit: string | undefined;
  /** Reads the consoles that the state names, where no program tells them. */
  learnConsoles: () => Promise<readonly KnownConsole[]> = () => Promise.resolve([]);
  readonly #reported = new Set<string>();
  /** By the text of their settings. */
  readonly #sessions = new Map<string, Session>();
  readonly #sessionOf = new WeakMap<ConfigReader, Session>();
  #config: ConfigReader = () => undefined;
  /** State has the settings, as the last update left them, unless a program runs. */
  #isOfState = false;
  #problems: readonly string[] | undefined;
  #isAtNames = false;

  /** `ports`: those that are left out are those of the process that this code runs in. */
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
    this.stack = new OwnStack(this.ports, this.run);
  }

  /** Pulumi's host calls a provider before this has returned, and swallows a failure: it does this only, and at once. */
  configure(config: ConfigReader, isOfState = isExplicit(config)): void {
    this.#config = config;
    this.#isOfState = isOfState;
    this.#problems = undefined;
  }

  /** The work with the console of a configuration; left out, that of this process. @throws ConsoleError "settings". */
  session(config: ConfigReader = this.#config): Session {
    // A process is configured once, and asks for its settings a thousand times.
    const found = this.#sessionOf.get(config);
    if (found !== undefined) return found;
    const settings = collectSettings(config, this.ports.environment());
    const key = stableText(settings);
    const isStored = () => this.#isOfState && !this.progress.hasProgram();
    const problem = isStored() ? storedProblem(settings) : undefined;
    if (problem !== undefined) throw unusableSettings(problem);
    const advice = () => keyAdvice(config, this.ports.environment(), isStored());
    const session = keptIn(this.#sessions, key, () => new Session(settings, this, advice));
    this.#sessionOf.set(config, session);
    return session;
  }

  /** The engine's context for a configuration. @throws ConsoleError "settings". */
  context(config?: ConfigReader): EngineContext {
    return this.session(config).context;
  }

  /** A resource of the program, or of a state, as the engine takes it. @throws ConsoleError "settings". */
  declared(definition: ResourceDefinition, program: JsonObject): DeclaredObject {
    return { context: this.context(), definition, program };
  }

  /** Answers of the console to `verify` that count in a run. @throws ConsoleError "settings". */
  answers(): RunAnswers {
    return this.session().observed?.answers ?? {};
  }

  /** True for settings that no provider of this package has brought: those of the stack, or of another class. */
  hasUnmarkedSettings(): boolean {
    // A console in this process is sent no key.
    if (this.ports.transport !== undefined || isExplicit(this.#config)) return false;
    return Object.keys(settingNames).some((name) => this.#config(`${configNamespace}:${name}`) !== undefined);
  }

  /** True in a preview by which a command learns what the program sets: what an update refuses is no failure there. */
  get readsProgram(): boolean {
    return this.isPreview === true && this.ports.environment()[switchNames.readProgram] === "1";
  }

  /** Reports a line once in a run, without secrets: those of `resource`, the one that it is about; left out, those of any. */
  reportOnce(text: string, resource?: unknown, about?: "found"): void {
    const line = this.run.withoutSecrets(text, resource);
    if (this.#reported.has(line)) return;
    this.#reported.add(line);
    this.ports.report(line, about);
  }

  /** The same of a finding of a refresh. */
  reportFound(text: string): void {
    this.reportOnce(text, undefined, "found");
  }

  /**
   * Comes after each step of a preview: at the last one that the program has told of, the looks for new objects are over, and
   * the user hears where nothing has tried the key. @throws ConsoleError "settings" where they found another project.
   */
  async endOfProgram(): Promise<void> {
    const { progress } = this;
    for (const line of this.parameters.overruledDefaults()) this.reportOnce(sentence(line));
    const isUncounted = progress.isUncounted();
    if (progress.isComplete() || isUncounted) await this.newObjects.settle(isUncounted);
    const session = this.session();
    // Without a context nothing has asked the console.
    const other = session.requests === undefined ? undefined : await session.otherConsole({ asks: false });
    if (other !== undefined) throw unusableSettings(other);
    if (!progress.endsWithWrites()) return;
    await this.namedObjects.settle();
    const hasAsked = this.hasProgramAsked || (session.requests ?? 0) > 0;
    if (!hasAsked && session.settings.profile !== "embedded") this.reportOnce(keyUntriedText);
  }

  /**
   * Comes with each planned write of a program that does not tell its end. The first whose names may be wrong waits for it, and reports those
   * that are. `lull`: waits until the program seems to have declared everything.
   */
  async reportNames(lull: () => Promise<void>): Promise<void> {
    if (this.#isAtNames || !this.progress.isUncounted()) return;
    this.#isAtNames = true;
    try {
      while (await this.namedObjects.hasDoubts()) {
        await lull();
        this.reportDeclared();
        await this.namedObjects.settle();
      }
    } finally {
      this.#isAtNames = false;
    }
  }

  /** Reports the names that the whole program has probably misspelt. */
  reportDeclared(): void {
    for (const line of [...this.names.warnings(), ...this.parameters.warnings()])
      this.reportOnce(sentence(line));
  }

  /** Problems of the settings. `wrong`: names in the stack's configuration of no setting, or with a value in the clear. */
  settingProblems(wrong: readonly string[]): readonly string[] {
    this.#problems ??= this.#findProblems(wrong);
    return this.#problems;
  }

  #findProblems(wrong: readonly string[]): readonly string[] {
    const environment = this.ports.environment();
    const problems = settingProblems(this.#config, wrong, environment);
    if (problems.length > 0) return problems;
    try {
      const { settings, observed } = this.session();
      const unverified = unverifiedTlsText(settings.profile, environment);
      if (unverified !== undefined) this.reportOnce(unverified);
      if (observed !== undefined && this.isPreview === true) this.reportOnce(observedLine(observed));
      return [];
    } catch (error) {
      return [messageOf(error)];
    }
  }
}

/** A process over a console in memory. Whatever is set where it runs, it asks nobody else and writes nothing. */
export function processInMemory(transport: NonNullable<ProcessPorts["transport"]>): ProviderProcess {
  const ports = { environment: () => ({}), folder: undefined, report: () => {} };
  const process = new ProviderProcess({ ...ports, transport });
  process.configure((key) => (key === `${configNamespace}:profile` ? "embedded" : undefined));
  return process;
}

/** The process that this code runs in, which Pulumi's host started, or a program. */
export const thisProcess = new ProviderProcess();

/** A kind of object, and the process of a run. */
export interface KindInProcess {
  readonly definition: ResourceDefinition;
  readonly process: ProviderProcess;
}
