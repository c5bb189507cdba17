import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type StoredObject, storedObjects } from "pulumi-feature-console/facts";

/** The stack as the last update or refresh has left it, or why that cannot be told. */
export type StackState = { readonly objects: readonly StoredObject[] } | { readonly problem: string };

/** What a file backend calls the one organization that it has. */
const onlyOrganization = "organization";

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
 *
 * Pulumi starts a pack in the folder of the program; one that it starts by a command, in the folder of the pack, with the
 * organization in the environment. In the program's folder a bare name is enough: it is all that an old file backend
 * knows, and Pulumi's service takes it for a stack of whoever runs this.
 */
export function readState(urn: string, { folder, environment }: Place): Promise<StackState> {
  const [stack = "", project = ""] = stackOf(urn).split("::");
  const isInProject = projectOf(folder) === project;
  const { PULUMI_ORGANIZATION: organization = onlyOrganization } = environment;
  const isBare = isInProject && organization === onlyOrganization;
  const name = isBare ? stack : `${organization}/${project}/${stack}`;
  const args = ["stack", "export", "--stack", name, "--non-interactive", "--color", "never"];
  const env = { ...environment, PULUMI_SKIP_UPDATE_CHECK: "true" };
  // The project of another folder would be taken for the stack's.
  const cwd = isInProject ? folder : tmpdir();
  const options = { cwd, env, maxBuffer: largest, timeout: patienceMs };
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

/** The name of the project to which a folder belongs. */
function projectOf(folder: string): string | undefined {
  const file = ["Pulumi.yaml", "Pulumi.yml"]
    .map((name) => path.join(folder, name))
    .find((one) => existsSync(one));
  if (file !== undefined) return /^name:\s*["']?([^"'\s]+)/m.exec(readFileSync(file, "utf8"))?.[1];
  const parent = path.dirname(folder);
  return parent === folder ? undefined : projectOf(parent);
}

/** `stack::project` of a URN. */
function stackOf(urn: string): string {
  return urn
    .replace(/^urn:pulumi:/, "")
    .split("::")
    .slice(0, 2)
    .join("::");
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
