import path from "node:path";
import { stackMark, stackOfMark } from "../../decisions/stack-mark";
import type { StateObject } from "../../engine";
import type { ResourceDefinition } from "../../schema/define";
import { stackMember } from "../../schema/internal";
import { type JsonObject, objectFrom } from "../../schema/json";
import { keptIn } from "../../schema/memoized";
import type { Environment } from "../provider-settings";
import { pulumiCommand } from "./cli";
import { digestOf } from "./console-digest";
import { exportedObjects, objectsBeside, type StoredObject } from "./exported-state";
import { kindOfType } from "./kind-of-type";
import { contentOf, nearestProject } from "./project-file";
import type { Run } from "./run";

/** Access to the state of a stack. */
export interface StackPorts {
  readonly environment: () => Environment;
  /** Folder of the Pulumi project; undefined: nothing is kept on disk, and no CLI is asked. */
  readonly folder: string | undefined;
  /** Objects of a stack, by the name that the CLI takes, or of the selected one; left out: the CLI exports them. */
  readonly exportStack?: (stack: string | undefined) => Promise<readonly StoredObject[] | undefined>;
}

/** Most time that the CLI may take to export a state, milliseconds. */
const exportTimeoutMs = 60_000;

/** The stack of a run: its name, its backend, and its state, which the CLI exports once in a run. */
export class OwnStack {
  /** Project and stack; undefined until a program has told. */
  name: string | undefined;
  readonly #ports: StackPorts;
  readonly #run: Run;
  readonly #exports = new Map<string | undefined, ReturnType<typeof exportedObjects>>();
  #backend: { readonly digest: string | undefined } | undefined;

  constructor(ports: StackPorts, run: Run) {
    this.#ports = ports;
    this.#run = run;
  }

  /** Digest of the backend that keeps the state; undefined where nothing names it. */
  backend(): string | undefined {
    const { environment, folder } = this.#ports;
    this.#backend ??= { digest: backendDigest({ environment: environment(), folder }) };
    return this.#backend.digest;
  }

  /** The mark of the stack; undefined until a program has told its name. */
  mark(): string | undefined {
    return this.name === undefined ? undefined : stackMark({ name: this.name, backend: this.backend() });
  }

  /** The state of a stack, by the name that the CLI takes, or of the selected one; undefined where it could not be exported. */
  exported(stack?: string): Promise<readonly StoredObject[] | undefined> {
    return keptIn(this.#exports, stack, () => this.#export(stack));
  }

  async #export(stack: string | undefined): Promise<readonly StoredObject[] | undefined> {
    const { environment, folder, exportStack } = this.#ports;
    if (exportStack !== undefined) return exportStack(stack);
    if (folder === undefined) return [];
    const options = { folder: folder || ".", environment: environment(), timeoutMs: exportTimeoutMs };
    return exportedObjects(pulumiCommand({ ...options, missing: "no pulumi on the PATH" }), stack);
  }

  /** True where state has the object for the resource. */
  async isStored(resource: string, object: string, id: string): Promise<boolean> {
    const isThere = (await this.#stored(resource, id)) !== undefined;
    if (isThere) this.#run.resource(resource).inState = object;
    return isThere;
  }

  /** The state of an object, as a diff of this run received it; else as it is exported. */
  async storedState(resource: string, id: string): Promise<JsonObject | undefined> {
    const { compared } = this.#run.resource(resource);
    return compared?.id === id ? compared.state : (await this.#stored(resource, id))?.outputs;
  }

  /**
   * True for an object that Pulumi leaves alone when its resource goes: the program sets retainOnDelete, and did so last time. What a
   * program of another language than TypeScript sets now, it does not note.
   */
  async isRetained(resource: string, id: string): Promise<boolean> {
    const { preview, retained } = this.#run.resource(resource).note ?? {};
    const isSet = preview === undefined || retained === true;
    return isSet && (await this.#stored(resource, id))?.isRetained === true;
  }

  /** True where state has the object for another resource than this one. */
  async isHeldByAnother(resource: unknown, type: ResourceDefinition, id: string): Promise<boolean> {
    const stored = await this.#ofStack(resource);
    return stored.some(
      (one) => one.id === id && one.isHeld && kindOfType(one.type) === type && !this.#isOf(one, resource),
    );
  }

  /** Pulumi does not pass the state of an object that a command replaces. */
  async #stored(resource: string, id: string): Promise<StoredObject | undefined> {
    // State has the one of another console.
    if (this.#run.resource(resource).isElsewhere === true) return undefined;
    const stored = await this.#ofStack(resource);
    return stored.find((one) => one.id === id && this.#isOf(one, resource));
  }

  /** The state of the stack that the program of a resource names. */
  async #ofStack(resource: unknown): Promise<readonly StoredObject[]> {
    const { stack } = this.#run.resource(resource).note ?? {};
    return stack === undefined ? [] : ((await this.exported(stack)) ?? []);
  }

  #isOf({ urn }: StoredObject, resource: unknown): boolean {
    const { urn: own, formerUrns = [] } = this.#run.resource(resource).note ?? {};
    return [own, ...formerUrns].includes(urn);
  }

  /**
   * The objects of the same provider that state has beside an object; undefined where nobody can tell. No program tells a refresh which
   * stack it is: the mark in state does, and else it is the one that is selected.
   */
  async beside(object: StateObject): Promise<readonly StateObject[] | undefined> {
    const mark = this.mark() ?? object.outputs[stackMember];
    const name = typeof mark === "string" ? stackOfMark(mark).name.split("/").at(-1) : undefined;
    for (const stack of new Set([name, undefined])) {
      const beside = objectsBeside((await this.exported(stack)) ?? [], object);
      if (beside !== undefined) return beside;
    }
    return undefined;
  }
}

/** Places that may name the backend of a run. */
export interface BackendPlaces {
  readonly environment: Environment;
  /** The folder that the run works in, which is the Pulumi project's or one below it; undefined: no file is read. */
  readonly folder: string | undefined;
}

/**
 * Digest of the backend that keeps the state of this run; undefined where nothing names it. The CLI tells no provider: this
 * looks where the CLI does, in its order. Source: `GetCurrentCloudURL` of the CLI 3.259.
 */
export function backendDigest({ environment, folder }: BackendPlaces): string | undefined {
  const project = folder === undefined ? undefined : nearestProject(path.resolve(folder));
  const url =
    textOf(environment.PULUMI_BACKEND_URL) ??
    project?.settings["backend.url"] ??
    (folder === undefined ? undefined : loggedInTo(environment));
  const address =
    url === undefined ? undefined : addressOf(url, project?.folder ?? folder ?? "", homeIn(environment));
  return address === undefined ? undefined : digestOf(address);
}

/** Address of `pulumi login`. Of the file, nothing else is kept. */
function loggedInTo(environment: Environment): string | undefined {
  const home = homeIn(environment);
  const folder =
    textOf(environment.PULUMI_CREDENTIALS_PATH) ??
    textOf(environment.PULUMI_HOME) ??
    (home === undefined ? undefined : path.join(home, ".pulumi"));
  const text = folder === undefined ? undefined : contentOf(path.join(folder, "credentials.json"));
  return text === undefined ? undefined : textOf(objectFrom(text)?.current);
}

function homeIn({ HOME, USERPROFILE }: Environment): string | undefined {
  return textOf(HOME) ?? textOf(USERPROFILE);
}

/** Parameters of an address that lead to another place; the others say how to get there. */
const leadingElsewhere = ["endpoint", "storage_account", "table"];

/**
 * An address in one form, without user, password and whatever else does not tell one backend from another. A folder within
 * the project counts by its path from there: the project may be checked out anywhere.
 */
function addressOf(url: string, project: string, home: string | undefined): string | undefined {
  if (url.startsWith("file://")) return folderAddress(url.slice("file://".length), project, home);
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname, searchParams } = new URL(url);
  const parameters = leadingElsewhere.flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [`${name}=${value.replace(/^\w+:\/\//, "").replace(/^.*@/, "")}`];
  });
  return [`${protocol}//${host.toLowerCase()}${pathname.replace(/\/+$/, "")}`, ...parameters].join(" ");
}

function folderAddress(url: string, project: string, home: string | undefined): string | undefined {
  const [place = ""] = url.split("?");
  if (place.startsWith("~") && home === undefined) return undefined;
  const named = place.startsWith("~") ? path.join(home ?? "", place.slice(1)) : unescaped(place);
  const whole = path.resolve(project, named);
  const within = path.relative(path.resolve(project), whole);
  const isWithin = within !== ".." && !within.startsWith(`..${path.sep}`) && !path.isAbsolute(within);
  return `file:${isWithin ? `./${within}` : whole}`;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
