import * as pulumi from "@pulumi/pulumi";
import { tableMember } from "../core/internal";
import type { JsonObject } from "../core/json";

/** Members in which the class of a resource hands ids over as one text, so that nothing walks a million values. */
export const listMember = "__ids";
export const textMember = "__lines";

/** Input that says whether a run is a preview, which Pulumi does not tell a provider. */
export const previewMember = "__preview";

/** Ids as one text: as JSON, or one id a line. */
export type IdText = { readonly [listMember]: string } | { readonly [textMember]: string };

/** From this many on, ids travel as one text. */
const many = 1000;

/** Arguments with their sets of ids in a form that is small for Pulumi; the check makes ids of it. */
export function withIdTexts(idSets: readonly string[], args: JsonObject): JsonObject {
  const names = idSets.filter((name) => args[name] !== undefined);
  const texts = names.flatMap((name): [string, unknown][] => {
    const value = handed(args[name]);
    // Pulumi marks as a secret what a provider returns under the name of a secret.
    const table = pulumi.Output.isInstance(value) ? [[tableMember(name), value.apply(() => true)]] : [];
    return [[name, value], ...(table as [string, unknown][])];
  });
  return names.length === 0
    ? args
    : { ...args, ...Object.fromEntries(texts), [previewMember]: pulumi.runtime.isDryRun() };
}

function handed(value: unknown): unknown {
  if (pulumi.Output.isInstance(value)) return value.apply(handed);
  if (value instanceof Promise) return pulumi.output(value.then(handed));
  if (isAsset(value)) return assetParts(value);
  const isLong = Array.isArray(value) && value.length >= many;
  return isLong && value.every((id) => typeof id === "string")
    ? { [listMember]: JSON.stringify(value) }
    : value;
}

/** Pulumi's own guard takes whatever is left for something that is no asset. */
function isAsset(value: unknown): boolean {
  return pulumi.asset.Asset.isInstance(value);
}

/** The path of a file, which is read where its ids are needed, or the text. Other assets are left for the check to refuse. */
function assetParts(asset: unknown): unknown {
  const { path, text } = asset as { path?: Promise<string>; text?: Promise<string> };
  if (path !== undefined) return pulumi.output(path).apply((file) => ({ file }));
  if (text !== undefined) return pulumi.output(text).apply((lines) => ({ [textMember]: lines }));
  return asset;
}
