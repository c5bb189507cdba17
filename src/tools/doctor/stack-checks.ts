import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { consoleIn } from "../../provider/pulumi/runs/console-guard";
import {
  foreignCode,
  foreignCodeAdvice,
  foreignCodeText,
  otherCode,
  otherCodeAdvice,
  otherCodeText,
} from "../../provider/pulumi/runs/foreign-code";
import { contentOf } from "../../provider/pulumi/runs/project-file";
import { objectFrom } from "../../provider/schema/json";
import { countOf } from "../../provider/texts/count-text";
import { unpacked } from "../../provider/values/hidden-state";
import { unfinishedFiles } from "../stack/import-manifest";
import { projectName } from "../stack/project";
import { called, resourcesOf } from "../stack/resources";
import type { Exported } from "../stack/stack";
import type { LockHolder } from "../stack/stack-lock";
import { type Check, type Finding, failed, ok, oneLine, warning } from "./check";
import type { DoctorContext } from "./context";
import { elsewhereIn } from "./whose-console";

/** A state may be large, and far away. */
const stateLimitMs = 30_000;

/** Checks of the place and the content of the state. */
export const stackChecks: readonly Check<DoctorContext>[] = [
  { name: "backend", needs: ["pulumi"], limitMs: stateLimitMs, run: findBackend },
  { name: "stack", needs: ["project", "backend"], limitMs: stateLimitMs, run: findStack },
  { name: "lock", needs: ["stack"], run: findLock },
  { name: "state", needs: ["stack", "settings"], limitMs: stateLimitMs, run: findState },
  { name: "import", run: ({ ports: { folder } }) => findImport(folder) },
];

async function findBackend(context: DoctorContext): Promise<Finding> {
  try {
    return ok(`${withoutPassword(await context.backend())} answers`);
  } catch (error) {
    return failed(oneLine(error), "pulumi login, or set PULUMI_BACKEND_URL");
  }
}

async function findStack(context: DoctorContext): Promise<Finding> {
  try {
    const stack = await context.stack();
    await context.state();
    const { problem } = await context.config();
    if (problem === undefined) return ok(`${stack}, its configuration can be read`);
    return failed(
      `the configuration of ${stack} cannot be read: ${problem}`,
      /YAML|unmarshal/i.test(problem)
        ? `correct Pulumi.${stack}.yaml`
        : "set PULUMI_CONFIG_PASSPHRASE to that of the stack, or log in to its secrets provider",
    );
  } catch (error) {
    return failed(oneLine(error), "pulumi stack select NAME, or pulumi stack init NAME");
  }
}

async function findLock(context: DoctorContext): Promise<Finding> {
  const url = await context.backend();
  if (!url.startsWith("file:")) return ok("not shown by this backend: an update reports it");
  const locks = lockFiles(folderOf(url), projectName(context.ports.folder), await context.stack());
  const holders = locks.map((file): LockHolder => {
    // One that is being written names nobody yet.
    const { pid = 0, hostname = "?" } = objectFrom(contentOf(file) ?? "") ?? {};
    return { host: String(hostname), pid: Number(pid) };
  });
  const [holder] = holders;
  if (holder === undefined) return ok("nobody holds it");
  const text = `process ${holder.pid} on ${holder.host} holds it`;
  if (holders.some(context.ports.isAlive)) return warning(text, "wait until its run has ended");
  return failed(`${text}, and has ended`, `pulumi cancel --yes --stack ${await context.stack()}`);
}

async function findState(context: DoctorContext): Promise<Finding> {
  const state = await context.state();
  const { resources, pending = 0 } = state;
  const foreign = foreignCode(resources);
  if (foreign.length > 0) return failed(foreignCodeText(foreign), foreignCodeAdvice);
  const elsewhere = await elsewhereIn(context);
  if (elsewhere !== undefined) return elsewhere;
  const held = resources.filter(({ outputs = {} }) => consoleIn(unpacked(outputs), "") !== undefined);
  const text = `${countOf(held.length, "object")}, ${pending === 0 ? "no pending operations" : countOf(pending, "pending operation")}`;
  // Only a preview shows the code that the program registers: here each code counts that is not this package's.
  const code = otherCode(resources);
  if (code.length > 0) return warning(`${text}. ${otherCodeText(code, false)}`, otherCodeAdvice);
  const [key] = writeKeysAmongOthers(state);
  if (key !== undefined)
    return warning(
      `${text}. The value of key "${key}" may write to the console: a preview that can decrypt this state has it`,
      "keep keys in a stack of their own, whose passphrase no preview has: docs/gitops.md",
    );
  if (pending === 0) return ok(text);
  return warning(text, "pulumi up, then: pulumi refresh --yes --clear-pending-creates");
}

/** Descriptions of keys that may write to the console, in a stack that also holds what previews are for. */
function writeKeysAmongOthers(state: Exported): string[] {
  const held = resourcesOf(state);
  if (held.every(({ definition }) => definition.grantsWrites !== undefined)) return [];
  const isWriteKey = ({ definition, applied }: (typeof held)[number]) =>
    definition.grantsWrites?.(applied?.inputs ?? {}) === true;
  return held.filter(isWriteKey).map(called);
}

function findImport(folder: string): Finding {
  const files = unfinishedFiles(folder);
  if (files.length === 0) return ok("none was interrupted");
  const others = files.length === 1 ? "" : ` and ${files.length - 1} more`;
  return warning(
    `was interrupted, or a file was removed: ${files[0]}${others}`,
    "npx feature-console import",
  );
}

/** Files of locks, as Pulumi's file backend names them; without a project in it, where that backend is an old one. */
function lockFiles(backend: string, project: string, stack: string): string[] {
  const [name = stack] = stack.split("/").slice(-1);
  const locks = path.join(backend, ".pulumi", "locks");
  return [path.join(locks, "organization", project, name), path.join(locks, name)].flatMap((folder) => {
    try {
      const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
      return files.map((file) => path.join(folder, file));
    } catch {
      return [];
    }
  });
}

function folderOf(url: string): string {
  const [, home] = /^file:\/\/~(.*)$/.exec(url) ?? [];
  return home === undefined ? fileURLToPath(url) : path.join(homedir(), home);
}

/** An address of a backend without its password, which may have any character but a slash. */
function withoutPassword(url: string): string {
  return url.replace(/(?<=:\/\/[^/:@]*:)[^/]+(?=@)/, "hidden");
}
