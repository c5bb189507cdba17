import type { RouteClient } from "../../client/client";
import type { ClientSettings } from "../../client/settings";
import type { EmbeddedConsole, Transport } from "../../client/transport";
import { type CreateJournal, type EngineContext, nameOf, Ownership, withSecretPaths } from "../../engine";
import type { IdSources } from "../../id-lists/sources";
import { auditOf } from "../../schema/audit";
import type { ResourceDefinition } from "../../schema/define";
import { type Category, isConsoleError, messageOf, unusableSettings } from "../../schema/errors";
import type { JsonObject } from "../../schema/json";
import {
  type Environment,
  embedded,
  type ProviderSettings,
  permissionsOf,
  switchNames,
} from "../provider-settings";
import { consoleDigest, defaultEmbeddedPath, embeddedFileIn } from "./console-digest";
import { ConsoleGuard, type KnownConsole } from "./console-guard";
import { fileJournal, lostJournalText, noJournal } from "./journal";
import { type Observed, readObserved } from "./observed";
import type { OwnStack, StackPorts } from "./own-stack";
import { RefreshReads } from "./refresh-reads";
import type { Run, RunProgress } from "./run";

/** Access of a process to what is around it. */
export interface ProcessPorts extends StackPorts {
  /** Prints a line for the user. `about`: a finding of a read is true in every run; the rest may be of a preview. */
  readonly report: (line: string, about?: "found") => void;
  /** Sends requests to the console, instead of HTTP. */
  readonly transport?: Transport;
  /** Takes each object that a refresh reads, with the values that state leaves to lookups. */
  readonly noteLive?: (object: string, live: JsonObject) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** At least 0, less than 1. */
  readonly random: () => number;
}

/** The parts of a process that its sessions share. */
export interface SharedParts {
  readonly ports: ProcessPorts;
  readonly run: Run;
  readonly ids: IdSources;
  readonly progress: RunProgress;
  readonly stack: OwnStack;
  /** Reads the consoles that the state names, where no program tells them. */
  readonly learnConsoles: () => Promise<readonly KnownConsole[]>;
  reportOnce(text: string): void;
}

/** Failures of the question for the project that need not meet another request. */
const passingFailures = new Set<Category>(["unavailable", "unexpected-answer", "throttled", "refused"]);

/** The work of a process with one console: the memory of all that has the same settings. */
export class Session {
  readonly settings: ProviderSettings;
  /** Digest of the console's address. */
  readonly console: string;
  readonly ownership = new Ownership();
  readonly guard: ConsoleGuard;
  readonly reads: RefreshReads;
  readonly #process: SharedParts;
  readonly #keyAdvice: () => string;
  #context: EngineContext | undefined;
  #embedded: { readonly file: string; readonly console: EmbeddedConsole } | undefined;
  #observed: Observed | undefined;

  /**
   * `keyAdvice`: advice about the key of the settings, where the console refuses it.
   * @throws ConsoleError "settings" for settings that lead to no console.
   */
  constructor(settings: ProviderSettings, process: SharedParts, keyAdvice: () => string) {
    this.settings = settings;
    this.#keyAdvice = keyAdvice;
    this.console = consoleDigest(settings);
    this.#process = process;
    this.guard = new ConsoleGuard({
      console: this.console,
      letsGo: () => permissionsOf(process.ports.environment()).leaveInOtherConsole,
      learn: () => process.learnConsoles(),
    });
    this.reads = new RefreshReads({
      context: () => this.context,
      stored: (object) => process.stack.beside(object),
      sleep: process.ports.sleep,
      goOn: `If they are gone for good, type ${switchNames.acceptGone}=1 before the same command, for one run.`,
    });
  }

  /** Answers of the console to `verify`; undefined where the settings name no file of them. @throws ConsoleError "settings". */
  get observed(): Observed | undefined {
    const { observations } = this.settings;
    if (observations !== undefined)
      this.#observed ??= readObserved(observations, this.#process.ports.folder, this.console);
    return this.#observed;
  }

  /** Treatment of reviews where a resource sets none. */
  get reviews(): EngineContext["reviews"] {
    const { reviews: mode, reviewMessage } = this.settings;
    const message = reviewMessage ?? changeLink(this.#process.ports.environment());
    return { ...(mode === undefined ? {} : { mode }), ...(message === undefined ? {} : { message }) };
  }

  /** Requests so far; undefined where nothing could have sent one. */
  get requests(): number | undefined {
    return this.#context?.client.requests();
  }

  /** The context of the engine, built at the first call that needs it. @throws ConsoleError "settings". */
  get context(): EngineContext {
    this.#context ??= this.#makeContext();
    return this.#context;
  }

  #makeContext(): EngineContext {
    const { run, stack, ids, ports } = this.#process;
    const { protectConcurrentEdits, overwriteConsoleEdits } = this.settings;
    const secretIds = new Map<string, string>();
    const client = withSecretPaths(this.guard.guarded(this.#client()), secretIds);
    return {
      ...{ client, secretIds, console: this.console, ownership: this.ownership },
      ...{ report: ports.report, sleep: ports.sleep, now: ports.now, idsOf: ids.idsOf },
      journal: this.#journal(client),
      protectsEdits: protectConcurrentEdits === true,
      overwritesEdits: overwriteConsoleEdits === true,
      reviews: this.reviews,
      permissions: permissionsOf(ports.environment()),
      stack: () => stack.mark(),
      backend: () => stack.backend(),
      isSecret: (resource, name) => run.resource(resource).secretNames?.has(name) === true,
      isInState(resource, object) {
        const { inState, isElsewhere } = run.resource(resource);
        return inState === object && isElsewhere !== true;
      },
      isStored: (...object) => stack.isStored(...object),
      storedState: (...object) => stack.storedState(...object),
      resourceNames: (resource) => run.resource(resource).names,
    };
  }

  #client(): RouteClient {
    const { ports, progress } = this.#process;
    // A preview that reads nothing sends no request: it need not load the parts that speak HTTP.
    const { createRouteClient } = require("../../client/client") as typeof import("../../client/client");
    const transport = this.#transport();
    const client: RouteClient = createRouteClient(this.settings as ClientSettings, {
      ...(transport === undefined ? {} : { transport }),
      ...{ report: ports.report, keyAdvice: this.#keyAdvice },
      writesLeft: () => progress.writesLeft(client.sentWrites()),
      clock: { now: ports.now, sleep: ports.sleep },
    });
    return client;
  }

  /** The create journal, where this process keeps anything on disk. */
  #journal(client: RouteClient): CreateJournal {
    const { ports, stack } = this.#process;
    if (ports.folder === undefined) return noJournal;
    return fileJournal(this.console, {
      ...{ home: ports.folder, now: ports.now, stack: () => stack.mark(), project: client.project },
      onLost: (why) => this.#process.reportOnce(lostJournalText(why)),
    });
  }

  /** The embedded console runs inside this process. */
  #transport(): Transport | undefined {
    const { transport, folder = "" } = this.#process.ports;
    const { profile, embeddedPath: file = defaultEmbeddedPath } = this.settings;
    if (transport !== undefined || profile !== "embedded") return transport;
    try {
      const console = embedded.open(embeddedFileIn(folder, file));
      this.#embedded = { file, console };
      return console.transport;
    } catch (error) {
      throw unusableSettings(
        `feature-console:embeddedPath: the embedded console cannot keep its data in ${JSON.stringify(file)} (${messageOf(error)}). ` +
          "Give the path of a file that can be written, or that does not exist yet.",
        { cause: error },
      );
    }
  }

  /**
   * The reason why these settings may not be used: an object of the state is in another console. `asks`: also for the project of the
   * key. @throws ConsoleError where the console cannot be asked.
   */
  async otherConsole({ asks }: { readonly asks: boolean }): Promise<string | undefined> {
    const client = asks ? this.context.client : this.#context?.client;
    return client === undefined ? this.guard.addressProblem() : this.guard.problem(client, asks);
  }

  /** The project of the key, asked for once; undefined where the console does not tell it. @throws ConsoleError where it cannot be reached. */
  async project(): Promise<string | undefined> {
    try {
      return await this.context.client.project();
    } catch (error) {
      // This failure need not meet a write too: the next write or refresh learns the project.
      if (isConsoleError(error) && passingFailures.has(error.category)) return undefined;
      throw error;
    }
  }

  /**
   * Refuses to take an object for deleted that the file of an embedded console has never held: it lost its objects, or is another one.
   * @throws ConsoleError "settings".
   */
  requireFileOf(definition: ResourceDefinition, id: string, state: JsonObject): void {
    const embedded = this.#embedded;
    if (embedded === undefined || embedded.console.canHaveHeld(auditOf(definition, state).created)) return;
    throw unusableSettings(
      `${nameOf(definition, id)} is in the state of this stack, and the file of the embedded console, ${embedded.file}, was made without it: nothing was taken for deleted. ` +
        'Put the lost file back (with its -wal and -shm files), or run "pulumi destroy" and "pulumi up" with FEATURE_CONSOLE_MOVE=1 to make every object anew.',
    );
  }
}

/** Page about the change that a pipeline applies: its pull or merge request, else its commit. */
export function changeLink(environment: Environment): string | undefined {
  const {
    GITHUB_SERVER_URL: host,
    GITHUB_REPOSITORY: repository,
    GITHUB_REF: ref,
    GITHUB_SHA: commit,
  } = environment;
  const { CI_PROJECT_URL: project, CI_MERGE_REQUEST_IID: request, CI_COMMIT_SHA: sha } = environment;
  if (host !== undefined && repository !== undefined) {
    const pull = /^refs\/pull\/(\d+)\//.exec(ref ?? "")?.[1];
    if (pull !== undefined) return `${host}/${repository}/pull/${pull}`;
    if (commit !== undefined) return `${host}/${repository}/commit/${commit}`;
  }
  if (project === undefined) return undefined;
  if (request !== undefined) return `${project}/-/merge_requests/${request}`;
  return sha === undefined ? undefined : `${project}/-/commit/${sha}`;
}
