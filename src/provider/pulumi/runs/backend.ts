import path from "node:path";
import { isObject } from "../../schema/json";
import type { Environment } from "../provider-settings";
import { digestOf } from "./console-digest";
import { contentOf, nearestProject } from "./project-file";

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
  return text === undefined ? undefined : textOf(jsonIn(text).current);
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

function jsonIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
