import path from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { Gate } from "../../src";
import { packedNodeModules } from "../support/built-package";

test("a constructor fails with a stack that leads into the program, and leaves the depth of stacks as it was", () => {
  const before = Error.stackTraceLimit;
  let stack: string | undefined;
  try {
    new Gate("", { key: "no_name" });
  } catch (error) {
    stack = (error as Error).stack;
  }
  expect(stack).toContain(path.basename(__filename));
  expect(Error.stackTraceLimit).toBe(before);
});

describe("what is loaded", () => {
  let modules: string;
  beforeAll(async () => {
    modules = await packedNodeModules();
  }, 300_000);

  async function loadedBy(entry: string): Promise<string[]> {
    const script = `require(${JSON.stringify(entry)}); console.log(Object.keys(require.cache).join("\\n"));`;
    const result = await run(process.execPath, ["-e", script], { cwd: modules, timeoutMs: 60_000 });
    expect(result.stderr).toBe("");
    return result.stdout.split("\n").map((file) => file.replaceAll("\\", "/"));
  }

  const within = (files: string[], part: RegExp) => files.filter((file) => part.test(file));

  test("by a program: classes, and neither definitions nor what talks to a console", async () => {
    const files = await loadedBy("pulumi-feature-console");
    expect(within(files, /pulumi-feature-console\/dist\/generated\/classes/)).toHaveLength(1);
    expect(
      within(files, /\/zod\/|\/undici\/|dist\/(emulator|provider\/(definitions|client|engine))\//),
    ).toEqual([]);
  });

  test("by Pulumi's host before the first request: what checks and compares", async () => {
    const files = await loadedBy("pulumi-feature-console/dynamic/v1");
    expect(within(files, /dist\/provider\/definitions\/flags\/gate\.js/)).toHaveLength(1);
    expect(within(files, /\/undici\/|dist\/emulator\//)).toEqual([]);
  });

  test("by the native plugin: the same, and Pulumi's messages without its SDK", async () => {
    const files = await loadedBy("./pulumi-feature-console/dist/provider/native/service");
    expect(within(files, /@pulumi\/pulumi\/proto\/provider_pb\.js/)).toHaveLength(1);
    const plugin = await loadedBy("./pulumi-feature-console/dist/provider/native/plugin");
    expect(within(plugin, /dist\/provider\/definitions\/flags\/gate\.js/)).toHaveLength(1);
    expect(within([...files, ...plugin], /@pulumi\/pulumi\/index\.js|\/undici\/|dist\/emulator\//)).toEqual(
      [],
    );
  });
});
