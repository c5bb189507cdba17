import { execSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { marked } from "marked";
import { TestBrowser } from "../test/support/browser.ts";
import { createPackedProject } from "../test/support/packed-project.ts";
import { createStack } from "../test/support/pulumi-cli.ts";
import { readReadme } from "../test/support/readme.ts";
import { removeTree } from "./process/atomic-folder.ts";
import { run } from "./process/run.ts";
import { repositoryRoot } from "./pulumi-cli/environment.ts";

const pipeline = {
  ...{ GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "shop/flags" },
  GITHUB_REF: "refs/pull/12/merge",
};
const commit =
  "git init -q && git add index.ts && git -c user.name=Kim -c user.email=kim@example.com commit -qm Ramp";

/** What the terminal, the pull request and the page show of README.md's change, by the real CLI. */
async function textsOfRun() {
  const { program, changed } = await readReadme();
  const project = await createPackedProject({ name: "flags", program });
  const { folder } = project;
  const env = { FEATURE_CONSOLE_PROFILE: "embedded", ...pipeline };
  const stack = await createStack(project, { stack: "dev", env });
  const report = async (format: string) => {
    const command = path.join(folder, "node_modules", ".bin", "feature-console");
    const args = ["report", "preview.json", "--format", format];
    const { code, stdout, stderr } = await run(command, args, { cwd: folder, env: stack.env });
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  try {
    await stack.up();
    await project.setProgram(changed);
    execSync(commit, { cwd: folder });
    const { stdout } = await stack.run(["preview"]);
    // While it works, the CLI prints lines that it repeats at the end.
    const preview = stdout.split("\n").filter((line) => !/^@| running /.test(line));
    await project.write("preview.json", (await stack.run(["preview", "--json", "--show-sames"])).stdout);
    return { preview, comment: await report("markdown"), page: await report("html") };
  } finally {
    await stack.remove();
    await project.remove();
  }
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#d1d9e0, #3d444d); }
body { margin: 0; background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #f0f6fc); font: 14px/1.5 sans-serif; }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; padding: 8px; }
pre, article { margin: 0; padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; }
pre { font: 12px/1.5 monospace; white-space: pre-wrap; background: light-dark(#f6f8fa, #151b23); }
ins { color: light-dark(#1a7f37, #3fb950); text-decoration: none; }
mark { color: light-dark(#9a6700, #d29922); background: none; }
h2 { margin: 0; font-size: 20px; }
h3 { margin: 12px 0 4px; font-size: 16px; }
summary { margin: 6px 0; }
ul { margin: 4px 0; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: 4px 10px; text-align: left; }
a { color: inherit; }`;

type Texts = Awaited<ReturnType<typeof textsOfRun>>;

/** Terminal and comment side by side, with the first change of the comment open. */
function changePage({ preview, comment }: Texts): string {
  const terminal = ["$ pulumi preview", ...preview].join("\n").replaceAll("<", "&lt;");
  const coloured = terminal
    .replaceAll(/^ +\+ .*$/gm, "<ins>$&</ins>")
    .replaceAll(/^ +~ .*$/gm, "<mark>$&</mark>");
  const open = String(marked.parse(comment, { gfm: true })).replace("<details>", "<details open>");
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><main><pre>${coloured}</pre><article>${open}</article></main>`;
}

const folder = path.join(repositoryRoot, "docs", "pictures");
const texts = await textsOfRun();
const pages = mkdtempSync(path.join(tmpdir(), "feature-console-pictures-"));
const browser = await TestBrowser.start();
mkdirSync(folder, { recursive: true });
for (const [name, text, width] of [
  ["change", changePage(texts), 1240],
  ["report", texts.page, 900],
] as const) {
  const file = path.join(pages, `${name}.html`);
  writeFileSync(file, text);
  const { page } = await browser.open(pathToFileURL(file).href);
  await page.setViewportSize({ width, height: 300 });
  if (name === "report") await page.locator("summary").first().click();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`), fullPage: true });
  }
}
await browser.close();
await removeTree(pages);
// Tests compare these texts with what the code says: docs/pictures is drawn anew with each change of them.
writeFileSync(path.join(repositoryRoot, "spec", "pictures.json"), `${JSON.stringify(texts, null, 2)}\n`);
