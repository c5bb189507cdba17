import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { parseAllDocuments } from "yaml";
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
  const help = await run(pulumi.command, ["deployment", "settings", "edit", "--help"], { env: pulumi.env });
  const known = Array.from(help.stdout.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm), ([, option]) => option);
  expect(known).toEqual(expect.arrayContaining(used));
});
