import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { type StoredObject, storedObjects } from "pulumi-feature-console/facts";

/** The stack as the last update or refresh has left it, or why that cannot be told. */
export type StackState = { readonly objects: readonly StoredObject[] } | { readonly problem: string };

const patienceMs = 60_000;
const largest = 1024 * 1024 * 1024;

/** Where and how a policy pack runs. */
export interface Place {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Reads the state of the stack to which a resource belongs, by `pulumi stack export`: secrets stay encrypted, no lock is
 * taken, and nothing else is asked than where the state is.
 */
export function readState(urn: string, { folder, environment }: Place): Promise<StackState> {
  const name = stackName(urn, { environment, isInProject: isInProject(folder) });
  const args = ["stack", "export", "--stack", name, "--non-interactive", "--color", "never"];
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

function isInProject(folder: string): boolean {
  const parent = path.dirname(folder);
  return (
    ["Pulumi.yaml", "Pulumi.yml"].some((file) => existsSync(path.join(folder, file))) ||
    (parent !== folder && isInProject(parent))
  );
}

/** `stack::project` of a URN. */
function stackOf(urn: string): string {
  return urn
    .replace(/^urn:pulumi:/, "")
    .split("::")
    .slice(0, 2)
    .join("::");
}

/** What a file backend calls the one organization that it has. */
const onlyOrganization = "organization";

/**
 * Pulumi starts a pack in the folder of the program, and one whose runtime it starts by a command in the folder of the
 * pack, with the organization in the environment. Only in the program's folder a bare name is enough; there, it is all that
 * an old file backend knows, and Pulumi's service takes it for a stack of whoever runs this.
 */
function stackName(
  urn: string,
  { environment, isInProject }: { readonly environment: NodeJS.ProcessEnv; readonly isInProject: boolean },
): string {
  const [stack = "", project = ""] = stackOf(urn).split("::");
  const { PULUMI_ORGANIZATION: organization = onlyOrganization } = environment;
  return isInProject && organization === onlyOrganization ? stack : `${organization}/${project}/${stack}`;
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
