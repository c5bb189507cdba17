import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";

// Reviews the flags of every tenant; with --apply, rolls them out as well. A tenant that fails holds up none of the others.
const apply = process.argv.includes("--apply");
const workDir = import.meta.dirname;
const tenants: Record<string, { checkoutShare: number }> = JSON.parse(
  readFileSync(`${workDir}/tenants.json`, "utf8"),
);

const names = Object.keys(tenants);
const failed: string[] = [];
for (const [index, name] of names.entries()) {
  const tell = (text: string) => console.log(`[${index + 1}/${names.length}] ${name}: ${text}`);
  try {
    tell("preview ...");
    const stack = await select(name);
    console.log(await review(stack));
    if (!apply) continue;
    tell("up ...");
    const { summary } = await stack.up({ color: "never" });
    tell(`done, ${JSON.stringify(summary.resourceChanges)}`);
  } catch (error) {
    failed.push(name);
    tell(`failed\n${(error as Error).message}`);
  }
}
console.log(
  `${names.length - failed.length} of ${names.length} tenants are fine${apply ? "" : "; nothing was applied"}`,
);
if (failed.length > 0) console.log(`failed: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** The stack of a tenant, made where there is none yet, with its settings. */
async function select(name: string): Promise<Stack> {
  const stack = await LocalWorkspace.createOrSelectStack({ stackName: name, workDir });
  await stack.setAllConfig({
    "automation:checkoutShare": { value: String(tenants[name]?.checkoutShare) },
    // A console for each tenant. A real one: profile `statsig`, and `apiKey` with `secret: true`, from your vault.
    "feature-console:profile": { value: "embedded" },
    "feature-console:embeddedPath": { value: `.feature-console/${name}.db` },
  });
  return stack;
}

/** Who will see what, in plain words. */
async function review(stack: Stack): Promise<string> {
  const { pulumiCommand, envVars } = stack.workspace;
  const preview = ["preview", "--json", "--show-sames", "--non-interactive", "--stack", stack.name];
  // The plan holds secrets of the program in plain text: it goes to the report, and nowhere else.
  const plan = await pulumiCommand.run(preview, workDir, envVars).catch(async () => {
    await stack.preview({ color: "never" });
    throw new Error("The preview failed, and the same once more did not.");
  });
  const report = ["--no", "--", "feature-console", "report", "--format", "markdown"];
  const { status, stdout, stderr } = spawnSync("npx", report, {
    cwd: workDir,
    input: plan.stdout,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The report failed: ${stderr}`);
  return stdout;
}
