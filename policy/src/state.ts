import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { type StoredObject, storedObjects } from "pulumi-feature-console/facts";

/** The stack as the last update or refresh has left it, or why that cannot be told. */
export type StackState = { readonly objects: readonly StoredObject[] } | { readonly problem: string };

const patienceMs = 60_000;
const largest = 1024 * 1024 * 1024;

/**
 * Reads the state of the stack to which a resource belongs, by `pulumi stack export`: secrets stay encrypted, no lock is
 * taken, and no other network is asked than the one of the state.
 */
export function readState(urn: string, environment: NodeJS.ProcessEnv): Promise<StackState> {
  const folder = projectFolder([process.cwd(), environment.PWD ?? ""]);
  if (folder === undefined)
    return Promise.resolve({ problem: `no Pulumi.yaml was found in ${process.cwd()} or above it` });
  const args = [
    "stack",
    "export",
    "--stack",
    stackName(urn, environment),
    "--non-interactive",
    "--color",
    "never",
  ];
  const env = { ...environment, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const options = { cwd: folder, env, maxBuffer: largest, timeout: patienceMs };
  return new Promise((resolve) => {
    execFile("pulumi", args, options, (error, stdout, stderr) => {
      if (error !== null) resolve({ problem: firstLine(stderr) || error.message });
      else resolve(stateIn(stdout, urn));
    });
  });
}

function stateIn(exported: string, urn: string): StackState {
  try {
    const objects = storedObjects(exported);
    const stranger = objects.find((one) => stackOf(one.urn) !== stackOf(urn));
    return stranger === undefined ? { objects } : { problem: `it is the state of ${stackOf(stranger.urn)}` };
  } catch {
    return { problem: "what it printed is no JSON" };
  }
}

/** Where the program is. Pulumi starts a policy pack there, or in the folder of the pack. */
function projectFolder(folders: readonly string[]): string | undefined {
  for (const start of folders)
    for (
      let folder = start;
      folder !== "";
      folder = folder === path.dirname(folder) ? "" : path.dirname(folder)
    )
      if (["Pulumi.yaml", "Pulumi.yml"].some((file) => existsSync(path.join(folder, file)))) return folder;
  return undefined;
}

/** `stack::project` of a URN. */
function stackOf(urn: string): string {
  return urn
    .replace(/^urn:pulumi:/, "")
    .split("::")
    .slice(0, 2)
    .join("::");
}

/** Pulumi's service looks for a bare name among the stacks of whoever runs this; a file backend may know no other. */
function stackName(urn: string, { PULUMI_ORGANIZATION: organization }: NodeJS.ProcessEnv): string {
  const [stack = "", project = ""] = stackOf(urn).split("::");
  return organization === undefined || organization === "organization"
    ? stack
    : `${organization}/${project}/${stack}`;
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
