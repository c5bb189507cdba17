import * as pulumi from "@pulumi/pulumi";
import { packedIds, packedLines } from "../../id-lists/packed";
import type { JsonObject } from "../../schema/json";
import { holdsOutput, withIds } from "./arguments";

/** Arguments with their sets of ids in a form that is small for Pulumi; the check makes ids of it. */
export function withIdTexts(idSets: readonly string[], args: JsonObject): JsonObject {
  const names = idSets.filter((name) => args[name] !== undefined);
  const texts = names.map((name) => [name, handed(args[name])]);
  return names.length === 0 ? args : { ...args, ...Object.fromEntries(texts) };
}

function handed(value: unknown): unknown {
  if (pulumi.Output.isInstance(value)) return value.apply(handed);
  if (value instanceof Promise) return pulumi.output(value.then(handed));
  if (isAsset(value)) return assetParts(value);
  // As one output the whole set is unknown, or a secret, as soon as one of its ids is.
  if (Array.isArray(value) && holdsOutput(value))
    return (pulumi.output(withIds(value)) as pulumi.Output<unknown>).apply(handed);
  return packedIds(value);
}

/** Pulumi's own guard takes whatever is left for something that is no asset. */
function isAsset(value: unknown): boolean {
  return pulumi.asset.Asset.isInstance(value);
}

/** The path of a file, which is read where its ids are needed, or the text. Other assets are left for the check to refuse. */
function assetParts(asset: unknown): unknown {
  const { path, text } = asset as { path?: Promise<string>; text?: Promise<string> };
  if (path !== undefined) return pulumi.output(path).apply((file) => ({ file }));
  if (text !== undefined) return pulumi.output(text).apply(packedLines);
  return asset;
}
