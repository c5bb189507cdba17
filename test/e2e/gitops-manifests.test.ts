import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { parseAllDocuments } from "yaml";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { pulumiEnvironment, repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";

const folder = path.join(repositoryRoot, "examples", "gitops");
const readFile = (name: string) => readFileSync(path.join(folder, name), "utf8");

interface SecretRef {
  type: string;
  secret: { name: string; key: string };
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  spec?: {
    gitAuth: { accessToken: SecretRef };
    envRefs: Record<string, SecretRef>;
    serviceAccountName: string;
  };
  subjects?: { kind: string; name: string; namespace: string | undefined }[];
}

let pulumi: Awaited<ReturnType<typeof pulumiEnvironment>>;
beforeAll(async () => {
  pulumi = await pulumiEnvironment(cleanEnvironment());
}, FIRST_CLI_TIMEOUT_MS);

test("the operator's manifests fit together, and every secret comes by reference from what the README makes", () => {
  const documents = parseAllDocuments(readFile("kubernetes/stack.yaml"));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const manifests = documents.map((document) => document.toJS() as Manifest);
  const [account, binding, stack] = manifests as [Manifest, Manifest, Manifest];
  const { namespace } = account.metadata;
  expect(manifests.map(({ kind }) => kind)).toEqual(["ServiceAccount", "ClusterRoleBinding", "Stack"]);
  expect(stack.metadata.namespace).toBe(namespace);
  expect(binding.subjects).toEqual([{ kind: "ServiceAccount", name: account.metadata.name, namespace }]);
  expect(stack.spec?.serviceAccountName).toBe(account.metadata.name);
  const { gitAuth, envRefs } = stack.spec as NonNullable<Manifest["spec"]>;
  const references = [gitAuth.accessToken, ...Object.values(envRefs)];
  expect(references.map(({ type, secret }) => [type, secret.name])).toEqual(
    references.map(() => ["Secret", "flags"]),
  );
  const readme = readFile("README.md");
  expect(readme).toContain(`--namespace ${namespace} create secret generic flags --from-env-file`);
  for (const { secret } of references) expect(readme).toContain(`\`${secret.key}\``);
});

test("Pulumi's CLI has every option of the script that sets up Pulumi Deployments", async () => {
  const script = readFile("pulumi-deployments.sh");
  const used = Array.from(script.matchAll(/^ {2}(--[a-z-]+)/gm), ([, option]) => String(option));
  expect(used.length).toBeGreaterThan(5);
  expect(used).not.toContain("--secret-env");
  // One set of variables: a preview of a branch would have the key that may write.
  expect(used).not.toContain("--preview-prs");
  const known = await Promise.all([["deployment", "settings", "edit"], ["api"]].map(optionsOf));
  expect(known[0]).toEqual(expect.arrayContaining(used));
  expect(known[1]).toEqual(expect.arrayContaining(["--method", "--input"]));
});

async function optionsOf(command: readonly string[]): Promise<string[]> {
  const help = await run(pulumi.command, [...command, "--help"], { env: pulumi.env });
  return Array.from(help.stdout.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm), ([, option]) => String(option));
}

test("that script hands the key over by standard input: it is an argument of no command", async () => {
  const own = mkdtempSync(path.join(tmpdir(), "feature-console-deployments-"));
  const lines = `#!/bin/sh\necho "$*" >> '${own}/calls.txt'\ntest "$1" != api || cat > '${own}/body.json'\n`;
  writeFileSync(path.join(own, "pulumi"), lines, { mode: 0o755 });
  const key = ["a", '"key"', "that\\writes"].join(" ");
  const PATH = `${own}${path.delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, FEATURE_CONSOLE_API_KEY: key };
  const script = path.join(folder, "pulumi-deployments.sh");
  expect(await run("bash", [script], { cwd: own, env })).toMatchObject({ code: 0 });
  expect(readFileSync(path.join(own, "calls.txt"), "utf8")).not.toContain(key);
  expect(JSON.parse(readFileSync(path.join(own, "body.json"), "utf8"))).toEqual({
    operationContext: { environmentVariables: { FEATURE_CONSOLE_API_KEY: { secret: key } } },
  });
  await removeTree(own);
});

test("people of the platform own each file that decides how flags are reviewed and applied", () => {
  const owners = readFile(".github/CODEOWNERS").split("\n");
  const owned = owners.flatMap((line) => /^\/(\S+) @shop\/platform$/.exec(line)?.[1] ?? []);
  const files = [
    ".github/",
    ".gitlab-ci.yml",
    "policies/",
    "package.json",
    "package-lock.json",
    "Pulumi.yaml",
  ];
  expect(owned).toEqual(expect.arrayContaining(files));
  expect(owners).toContain("* @shop/flags");
});

test("the lines that pin actions to commits, as docs/gitops.md has them, pin every one and keep its tag", async () => {
  const page = readFileSync(path.join(repositoryRoot, "docs", "gitops.md"), "utf8");
  const script = /```bash\n(grep [\s\S]+?)```/.exec(page)?.[1] ?? "";
  const checkout = mkdtempSync(path.join(tmpdir(), "feature-console-pins-"));
  cpSync(path.join(folder, ".github"), path.join(checkout, ".github"), { recursive: true });
  const commit = "0123456789".repeat(4);
  writeFileSync(path.join(checkout, "gh"), `#!/bin/sh\necho "$2" >> asked.txt\necho ${commit}\n`, {
    mode: 0o755,
  });
  const env = { ...process.env, PATH: `${checkout}${path.delimiter}${process.env.PATH}` };
  expect(await run("bash", ["-euo", "pipefail", "-c", script], { cwd: checkout, env })).toMatchObject({
    code: 0,
  });
  const pinned =
    readFileSync(path.join(checkout, ".github/workflows/flags.yml"), "utf8").match(/uses: .*/g) ?? [];
  expect(pinned.length).toBeGreaterThan(5);
  for (const line of pinned) expect(line).toMatch(new RegExp(`^uses: [\\w/-]+@${commit} # v\\d+$`));
  expect(readFileSync(path.join(checkout, "asked.txt"), "utf8")).toContain(
    "repos/actions/checkout/commits/v5\n",
  );
  await removeTree(checkout);
});
