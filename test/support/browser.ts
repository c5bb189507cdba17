import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { type Browser, chromium, type Page } from "playwright-core";
import { lock } from "proper-lockfile";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";

/** Jest loads no ES module of a package, so that Node itself asks where the browser is; it is unpacked the first time. */
const question = `import chromium from "@sparticuz/chromium";
process.stdout.write(JSON.stringify({ executablePath: await chromium.executablePath(), args: chromium.args }));`;

async function packedChromium(): Promise<{ executablePath: string; args: string[] }> {
  const release = await lock(tmpdir(), {
    lockfilePath: `${tmpdir()}/chromium-of-tests.lock`,
    retries: { retries: 60, minTimeout: 250, maxTimeout: 1000 },
  });
  try {
    return JSON.parse(
      execFileSync(process.execPath, ["--input-type=module", "--eval", question], {
        cwd: repositoryRoot,
        encoding: "utf8",
      }),
    );
  } finally {
    await release();
  }
}

/** Widths and heights of screens, CSS pixels. */
export const screens = { desktop: { width: 1280, height: 800 }, phone: { width: 375, height: 667 } } as const;

/** Headless Chromium. The package that brings it starts wherever the tests do, without anything installed. */
export class TestBrowser {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<TestBrowser> {
    const { executablePath, args } = await packedChromium();
    // A browser of people asks about other origins, and names its own. Pages without 3D need no graphics card that is played in software.
    const unwanted =
      /^--(disable-web-security|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist)\b/;
    const real = [...args.filter((arg) => !unwanted.test(arg)), "--disable-gpu"];
    return new TestBrowser(await chromium.launch({ executablePath, args: real }));
  }

  /**
   * Opens an address (`file:` or `http:`). `requests`: those of the page but for itself; `errors`: those of its script, or of its policy.
   */
  async open(address: string, screen: keyof typeof screens = "desktop") {
    const context = await this.#browser.newContext({ viewport: screens[screen] });
    const page = await context.newPage();
    const [requests, errors]: [string[], string[]] = [[], []];
    page.on("request", (request) => {
      if (!request.isNavigationRequest() || request.url() !== address) requests.push(request.url());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("dialog", (dialog) => {
      errors.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address);
    return { page, requests, errors };
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

/** The rules for accessible pages that a page breaks, each with the first part that does. */
export async function brokenRules(page: Page) {
  await page.evaluate(readFileSync(createRequire(__filename).resolve("axe-core"), "utf8"));
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    return (await axe.run()).violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
  });
}
