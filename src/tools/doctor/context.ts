import { createRouteClient, type RouteClient } from "../../provider/client/client";
import { type ClientSettings, resolveSettings } from "../../provider/client/settings";
import {
  type Environment,
  readSettings,
  settingNames,
  withoutMarks,
} from "../../provider/pulumi/provider-settings";
import { failureText, type PulumiCommand } from "../../provider/pulumi/runs/cli";
import { messageOf } from "../../provider/schema/errors";
import { once } from "../../provider/schema/memoized";
import { configIn, exportedIn, parsed } from "../stack/stack";
import type { IsAlive } from "../stack/stack-lock";
import { contact } from "./reach";

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

/** Answers that several checks need, asked for once. */
export class DoctorContext {
  readonly ports: DoctorPorts;

  constructor(ports: DoctorPorts) {
    this.ports = ports;
  }

  /** Address of the backend that keeps the state. @throws what Pulumi says. */
  readonly backend = once(async () => String(parsed(await this.#text("whoami", "--verbose", "--json")).url));

  /** Name of the stack. @throws where none is selected. */
  readonly stack = once(async () => this.ports.stack ?? (await this.#text("stack", "--show-name")).trim());

  /** The configuration of the stack, with its secrets in the open: never print it; and why it could not be read. */
  readonly config = once(() => this.#readConfig());

  /** The settings of a provider that is not explicit, from where each comes, and what is wrong with them. */
  readonly settings = once(async () => {
    const { values } = await this.config();
    const read = withoutMarks((name) => values[name]);
    return readSettings(read, this.ports.environment);
  });

  /** The same with what they lead to. @throws ConsoleError "settings". */
  readonly resolved = once(async () => resolveSettings((await this.settings()).settings as ClientSettings));

  /** The stack's state, with its secrets encrypted. @throws what Pulumi says. */
  readonly state = once(async () =>
    exportedIn(await this.#text("stack", "export", "--stack", await this.stack())),
  );

  /** The first contact with the console. @throws ConsoleError "settings". */
  readonly contact = once(async () => contact((await this.resolved()).baseUrl));

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

  async #readConfig(): Promise<ReturnType<typeof configIn> & { readonly problem?: string }> {
    try {
      return configIn(await this.#text("config", "--json", "--show-secrets", "--stack", await this.stack()));
    } catch (error) {
      return { values: {}, encrypted: new Set(), problem: messageOf(error) };
    }
  }

  async #text(...args: string[]): Promise<string> {
    const result = await this.ports.pulumi(args);
    if (result.status !== 0) throw new Error(failureText(result).replace(/^error: /, ""));
    return result.stdout;
  }
}
