import { isArchived } from "../../decisions/plan";
import { managedKind } from "../../definitions";
import { routeOf } from "../../schema/define";
import { idMember } from "../../schema/object-id";
import { thisProcess } from "../process";
import {
  type ConfigReader,
  collectSettings,
  configNamespace,
  explicitMark,
  fromStackMark,
} from "../provider-settings";
import type { KnownConsole } from "../runs/console-guard";
import type { LiveObject } from "./gone-resources";

/** A preview says less rather than wait long for a console that does not answer. */
const requestTimeoutMs = 3000;

/** How long all lists together may take, milliseconds. */
const patienceMs = 10_000;

/**
 * Every object of these kinds that is in use, as lists show them: one list each. `consoles`: those that the state names, of which
 * none may be another one. @throws Error. @public Loaded when needed.
 */
export async function objectsOf(
  kinds: readonly string[],
  config: ConfigReader,
  consoles: readonly KnownConsole[],
): Promise<LiveObject[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`The console did not answer within ${patienceMs / 1000} s.`);
    timer = setTimeout(() => reject(error), patienceMs);
  });
  return Promise.race([read(kinds, config, consoles), late]).finally(() => clearTimeout(timer));
}

async function read(
  kinds: readonly string[],
  config: ConfigReader,
  consoles: readonly KnownConsole[],
): Promise<LiveObject[]> {
  const asked = impatient(config);
  thisProcess.knowOnlyConsoles(consoles, asked);
  const { client } = thisProcess.context(asked);
  const found: LiveObject[] = [];
  for (const name of kinds) {
    const kind = managedKind(name);
    const { read } = kind.lifecycle;
    if (read.how === "remember" || read.list === undefined) continue;
    for await (const values of client.items(routeOf(kind, read.list), {})) {
      const id = String(values[idMember(kind)]);
      if (!isArchived(kind, values)) found.push({ kind: name, id, values });
    }
  }
  return found;
}

/** The same console with a short time limit, set in the way that beats the environment. */
function impatient(config: ConfigReader): ConfigReader {
  const settings = { ...collectSettings(config, process.env), requestTimeoutMs };
  const marks = { [explicitMark]: true, [fromStackMark]: "address" };
  const texts = new Map(
    Object.entries({ ...settings, ...marks }).map(([name, value]) => [
      `${configNamespace}:${name}`,
      String(value),
    ]),
  );
  return (key) => texts.get(key);
}
