import { createRouteClient, type RouteClient } from "../../provider/client/client";
import { type ClientSettings, resolveSettings } from "../../provider/client/settings";
import {
  type Environment,
  type ReadSettings,
  readSettings,
  settingNames,
  withoutMarks,
} from "../../provider/pulumi/provider-settings";
import { failureText, type PulumiCommand } from "../../provider/pulumi/runs/cli";
import type { JsonObject } from "../../provider/schema/json";
import type { IsAlive } from "../stack/stack-lock";
import { type Contact, contact } from "./reach";

/** Subject and means of the checks. */
export interface DoctorPorts {
  /** Folder of the Pulumi project. */
  readonly folder: string;
  readonly environment: Environment;
  /** The stack that is named; undefined: the selected one. */
  readonly stack: string | undefined;
  readonly pulumi: PulumiCommand;
  /** The command that is meant: a key that may read alone does for a preview. */
  readonly purpose: "preview" | "up";
  /** Version of the Node that runs this. */
  readonly node: string;
  /** Version of this package, and the range of SDK versions that it works with. */
  readonly versions: { readonly own: string; readonly sdk: string };
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly isAlive: IsAlive;
}

/** A stack's configuration, and why it could not be read. */
interface StackConfig {
  readonly values: Readonly<Record<string, string>>;
  /** Names of the values that are encrypted. */
  readonly encrypted: ReadonlySet<string>;
  readonly problem?: string;
}

/** Answers that several checks need, asked for once. */
export class DoctorContext {
  readonly ports: DoctorPorts;
  #config: Promise<StackConfig> | undefined;
  #settings: Promise<ReadSettings> | undefined;
  #state: Promise<JsonObject> | undefined;
  #name: Promise<string> | undefined;
  #url: Promise<string> | undefined;
  #contact: Promise<Contact> | undefined;

  constructor(ports: DoctorPorts) {
    this.ports = ports;
  }

  /** Address of the backend that keeps the state. @throws what Pulumi says. */
  backend(): Promise<string> {
    this.#url ??= this.#json("whoami", "--verbose", "--json").then(({ url }) => String(url));
    return this.#url;
  }

  /** Name of the stack. @throws where none is selected. */
  stack(): Promise<string> {
    const { stack } = this.ports;
    if (stack !== undefined) return Promise.resolve(stack);
    this.#name ??= this.#text("stack", "--show-name").then((text) => text.trim());
    return this.#name;
  }

  /** The configuration of the stack, with its secrets in the open: never print it. */
  config(): Promise<StackConfig> {
    this.#config ??= this.#readConfig();
    return this.#config;
  }

  /** The settings of a provider that is not explicit, from where each comes, and what is wrong with them. */
  settings(): Promise<ReadSettings> {
    this.#settings ??= this.config().then(({ values }) =>
      readSettings(
        withoutMarks((name) => values[name]),
        this.ports.environment,
      ),
    );
    return this.#settings;
  }

  /** The stack's state, with its secrets encrypted. @throws what Pulumi says. */
  state(): Promise<JsonObject> {
    this.#state ??= this.stack()
      .then((stack) => this.#json("stack", "export", "--stack", stack))
      .then(({ deployment }) => (deployment ?? {}) as JsonObject);
    return this.#state;
  }

  /** The first contact with the console. @throws ConsoleError "settings". */
  contact(): Promise<Contact> {
    this.#contact ??= this.settings().then(({ settings }) =>
      contact(resolveSettings(settings as ClientSettings).baseUrl),
    );
    return this.#contact;
  }

  /** A client of the console. @throws ConsoleError "settings". */
  async client(): Promise<RouteClient> {
    const { settings } = await this.settings();
    const { now } = this.ports;
    // A wait before another attempt does not keep a process alive that is done.
    const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
    return createRouteClient(settings as ClientSettings, { clock: { now, sleep } });
  }

  /** A text without the values of the settings that are secret. */
  async conceal(text: string): Promise<string> {
    const { settings } = await this.settings();
    const secrets = Object.entries(settingNames).flatMap(([name, facts]) =>
      "isSecret" in facts ? [settings[name as keyof typeof settings]] : [],
    );
    return secrets.reduce<string>(
      (left, one) => (typeof one === "string" ? left.replaceAll(one, "[hidden]") : left),
      text,
    );
  }

  async #readConfig(): Promise<StackConfig> {
    try {
      const said = await this.#json("config", "--json", "--show-secrets", "--stack", await this.stack());
      const entries = Object.entries(said as Record<string, { value?: unknown; secret?: unknown }>);
      const values = entries.flatMap(([name, { value }]) =>
        typeof value === "string" ? [[name, value]] : [],
      );
      const encrypted = new Set(entries.flatMap(([name, { secret }]) => (secret === true ? [name] : [])));
      return { values: Object.fromEntries(values) as Record<string, string>, encrypted };
    } catch (error) {
      return {
        values: {},
        encrypted: new Set(),
        problem: error instanceof Error ? error.message : String(error),
      };
    }
  }

  async #text(...args: string[]): Promise<string> {
    const result = await this.ports.pulumi(args);
    if (result.status !== 0) throw new Error(failureText(result).replace(/^error: /, ""));
    return result.stdout;
  }

  async #json(...args: string[]): Promise<JsonObject> {
    const text = await this.#text(...args);
    return JSON.parse(text.slice(text.indexOf("{"))) as JsonObject;
  }
}
