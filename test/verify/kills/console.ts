import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isObject, type JsonObject } from "../../../src/provider/schema/json";
import { commandLine } from "../../support/command-line";
import { key } from "../run";

/** A console in another process, with objects of other people. */
export interface OtherConsole {
  readonly url: string;
  /** Names of the objects that runs of `verify` left, archived ones too. */
  leavings(): Promise<string[]>;
  /** A digest of every other object. */
  digest(): Promise<string>;
  close(): Promise<void>;
}

/** Lists of what `verify` makes, and of what people have. */
const lists = [
  "gates?includeArchived=true",
  ...["dynamic_configs", "segments", "experiments", "layers", "holdouts", "release_pipelines", "tags"],
  ...["target_app", "metrics/list"],
] as const;

/** Starts a console that has so many objects, a file of which goes into `folder`. */
export async function startOtherConsole(folder: string, objects: number): Promise<OtherConsole> {
  const seed = join(folder, "seed.json");
  writeFileSync(seed, JSON.stringify(seedOf(objects)));
  const settings = [
    "--port",
    "0",
    "--profile",
    "custom",
    "--key",
    key,
    "--rate-limit",
    "off",
    "--seed",
    seed,
  ];
  const child = spawn(process.execPath, [...commandLine, "emulate", ...settings], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const url = await firstUrl(child.stdout);
  const shown = async () => {
    const items = await Promise.all(lists.map((list) => itemsOf(url, list)));
    return items.flatMap((some, index) => some.map((item) => ({ list: lists[index], item })));
  };
  const isMade = ({ item }: { item: JsonObject }) => nameOf(item).startsWith("fcverify_");
  return {
    url,
    leavings: async () => (await shown()).filter(isMade).map(({ item }) => nameOf(item)),
    async digest() {
      const others = (await shown()).filter((one) => !isMade(one)).map((one) => JSON.stringify(one));
      return createHash("sha256").update(others.sort().join("\n")).digest("hex");
    },
    async close() {
      const ended = once(child, "close");
      child.kill();
      await ended;
    },
  };
}

const nameOf = ({ name, id }: JsonObject): string => String(name ?? id);

async function firstUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("the emulator ended before it listened");
}

async function itemsOf(url: string, list: string): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (let page = 1; page <= 100; page += 1) {
    const query = `${list.includes("?") ? "&" : "?"}limit=100&page=${page}`;
    const answer = await fetch(`${url}/console/v1/${list}${query}`, { headers: { "SERVICE-API-KEY": key } });
    if (!answer.ok) throw new Error(`${list} answered ${answer.status}`);
    const { data, pagination } = (await answer.json()) as { data: unknown; pagination?: JsonObject };
    found.push(...[data].flat().filter(isObject));
    if (!pagination?.nextPage) break;
  }
  return found;
}

/** Gates, configs, segments and layers, in equal numbers. */
function seedOf(objects: number): JsonObject {
  const quarter = Array.from({ length: Math.ceil(objects / 4) }, (_, index) => index);
  const rules = [{ name: "All", passPercentage: 10, conditions: [{ type: "public" }] }];
  return {
    gates: quarter.map((index) => ({ name: `gate_${index}`, rules })),
    dynamic_configs: quarter.map((index) => ({ name: `config_${index}`, defaultValue: { index } })),
    segments: quarter.map((index) => ({ name: `segment_${index}`, type: "rule_based", rules })),
    layers: quarter.map((index) => ({ name: `layer_${index}`, idType: "userID" })),
  };
}
