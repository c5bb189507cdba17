import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { propertyPath } from "../../src/provider/schema/path";

/**
 * What Pulumi makes of the arguments of a program before a provider sees them: at each ignored path the value of last time, by places
 * of lists, until the first place that only one side has (`PropertyPath.Reset` of pulumi/pulumi's `sdk/go/common/resource`, 3.259).
 */
export function withIgnoredChanges(
  paths: readonly string[],
  olds: JsonObject,
  program: JsonObject,
): JsonObject {
  const news = structuredClone(program);
  for (const text of paths) reset(propertyPath(text) ?? [], olds, news);
  return news;
}

type Holder = Record<string | number, unknown>;

/** False where it cannot go on. */
function reset([step, ...rest]: readonly (string | number)[], olds: unknown, news: unknown): boolean {
  if (step === undefined) return false;
  if (step === "*") return resetEach(rest, olds, news);
  const [old, now] = [olds as Holder | undefined, news as Holder | undefined];
  if (typeof step === "number") {
    if (!Array.isArray(olds) || !Array.isArray(news)) return !Array.isArray(olds) && !Array.isArray(news);
    if (step >= olds.length || step >= news.length) return step >= olds.length && step >= news.length;
  } else if (rest.length === 0) {
    const has = isObject(olds) && step in olds;
    if (isObject(news) && has) (now as Holder)[step] = structuredClone(olds[step]);
    else if (isObject(news)) delete news[step];
    return isObject(news) || !has;
  } else if (!isObject(olds) || !isObject(news)) return !isObject(olds) && !isObject(news);
  if (rest.length > 0) return reset(rest, old?.[step], now?.[step]);
  (now as Holder)[step] = structuredClone(old?.[step]);
  return true;
}

function resetEach(rest: readonly (string | number)[], olds: unknown, news: unknown): boolean {
  if (Array.isArray(olds) && Array.isArray(news)) {
    for (const at of olds.keys()) {
      if (at >= news.length) break;
      if (rest.length === 0) news[at] = structuredClone(olds[at]);
      else if (!reset(rest, olds[at], news[at])) return false;
    }
    return olds.length === news.length;
  }
  if (!isObject(olds) || !isObject(news)) return false;
  for (const name of Object.keys(olds)) {
    if (rest.length === 0) news[name] = structuredClone(olds[name]);
    else if (!reset(rest, olds[name], news[name])) return false;
  }
  return true;
}
