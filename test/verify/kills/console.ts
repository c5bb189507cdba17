import { createHash } from "node:crypto";
import { startEmulator } from "../../../src/emulator";
import type { JsonObject } from "../../../src/provider/schema/json";
import { contentsOf } from "../../import/console/contents";
import { key } from "../run";

/** A console with objects of other people. */
export type OtherConsole = Awaited<ReturnType<typeof startOtherConsole>>;

/** Starts one: gates, configs, segments and layers, in equal numbers. */
export async function startOtherConsole(objects: number) {
  const quarter = Array.from({ length: Math.ceil(objects / 4) }, (_, index) => index);
  const rules = [{ name: "All", passPercentage: 10, conditions: [{ type: "public" }] }];
  const seed = {
    gates: quarter.map((index) => ({ name: `gate_${index}`, rules })),
    dynamic_configs: quarter.map((index) => ({ name: `config_${index}`, defaultValue: { index } })),
    segments: quarter.map((index) => ({ name: `segment_${index}`, type: "rule_based", rules })),
    layers: quarter.map((index) => ({ name: `layer_${index}`, idType: "userID" })),
  };
  const emulator = await startEmulator({ profile: "custom", key, seed });
  const shown = async () => Object.values(await contentsOf(emulator)).flatMap((kind) => [...kind.values()]);
  const nameOf = ({ name, id }: JsonObject) => String(name ?? id);
  const isMade = (item: JsonObject) => nameOf(item).startsWith("fcverify_");
  return {
    url: emulator.url,
    /** Names of the objects that runs of `verify` left, archived ones too. */
    leavings: async () => (await shown()).filter(isMade).map(nameOf),
    /** A digest of every other object. */
    async digest() {
      const others = (await shown()).filter((one) => !isMade(one)).map((one) => JSON.stringify(one));
      return createHash("sha256").update(others.sort().join("\n")).digest("hex");
    },
    close: () => emulator.close(),
  };
}
