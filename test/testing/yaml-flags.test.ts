import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { flagsOf } from "../../src/tools/testing";
import { folderOfFile } from "../support/folders";

const program = `name: flags
runtime: yaml
config:
  share: { type: number, default: 10 }
variables:
  everyone:
    - type: public
resources:
  checkout_v2:
    type: feature-console:Gate
    properties:
      description: New checkout of \${pulumi.project}
      rules:
        - name: Staff
          passPercentage: 100
          conditions:
            - type: passes_segment
              targetValue: ["\${staff.id}"]
        - name: Everyone
          passPercentage: \${share}
          conditions: \${everyone}
  staff:
    type: feature-console:Segment
    properties:
      type: rule_based
      rules:
        - name: Company mail
          passPercentage: 100
          conditions:
            - type: email
              operator: str_contains_any
              targetValue: ["@example.com"]
`;

const folder = folderOfFile();
beforeEach(() => {
  write("Pulumi.yaml", program);
});

function write(file: string, text: string): string {
  const whole = path.join(folder, file);
  writeFileSync(whole, text);
  return whole;
}

/** The name of a file in messages: from the folder in which the tests run. */
const shown = (file: string) => path.relative(process.cwd(), path.join(folder, file));
/** The line in which a text begins in the program. */
const placeOf = (text: string, whole: string) =>
  `${shown("Pulumi.yaml")}:${whole.slice(0, whole.indexOf(text)).split("\n").length}:`;

const ann = { userID: "ann", email: "ann@example.com" };

describe("flags of a program in YAML", () => {
  test.each([
    ["a file", () => path.join(folder, "Pulumi.yaml")],
    ["a folder", () => folder],
    ["a URL", () => pathToFileURL(path.join(folder, "Pulumi.yaml"))],
  ])("%s names it; references, variables and config have their values", async (_, place) => {
    const flags = await flagsOf(place());
    expect(flags.gate("checkout_v2", ann)).toMatchObject({ value: true, rule: "Staff" });
    const { low, high } = flags.share("checkout_v2");
    expect([low < 10, high > 10, high - low < 2.5]).toEqual([true, true, true]);
  });

  test("the config of the test is taken in the place of a default", async () => {
    const flags = await flagsOf(folder, { config: { share: 100 } });
    expect(flags.share("checkout_v2").percent).toBe(100);
  });

  test("the resources of Main.yaml are taken where there is one, with the config of Pulumi.yaml", async () => {
    const [frame = "", resources = ""] = program.split("variables:");
    write("Pulumi.yaml", frame);
    const main = write("Main.yaml", `variables:${resources}`);
    const { percent } = (await flagsOf(folder)).share("checkout_v2");
    expect(percent).toBeGreaterThan(8);
    expect((await flagsOf(main)).share("checkout_v2").percent).toBe(percent);
    await removeTree(main);
  });

  test("the example in YAML has its flags", async () => {
    const flags = await flagsOf(path.join(repositoryRoot, "examples", "languages", "yaml"));
    expect(flags.gate("checkout_v2", ann).rule).toBe("Staff");
    expect(flags.config("limits", ann).value).toEqual({ most: 20, texts: { title: "Hello" } });
    expect(flags.gate("checkout_v2", { userID: "user-1" }).why).toContain('rule "Testers" (2 of 2), 12.5 %');
  });

  test("ids of a file, secrets, another stack and an object that is only read have their values", async () => {
    write("ids.txt", "user-1\nuser-2\n");
    write(
      "Pulumi.yaml",
      `name: flags
runtime: yaml
resources:
  testers:
    type: feature-console:Segment
    properties: { type: id_list, ids: { fn::fileAsset: ./ids.txt } }
  platform: { type: pulumi:pulumi:StackReference, properties: { name: shop/platform/prod } }
  shop: { type: feature-console:Gate, get: { id: shop_open } }
  limits:
    type: feature-console:DynamicConfig
    properties:
      idType: \${shop.idType}
      defaultValue: { region: '\${platform.outputs["region"]}', token: { fn::secret: "$\${any}" } }
      rules:
        - name: Testers
          passPercentage: 100
          conditions: [{ type: passes_segment, targetValue: ["\${testers.id}"] }]
          returnValue: {}
`,
    );
    const flags = await flagsOf(folder, {
      seed: { gates: [{ id: "shop_open", name: "Shop is open", idType: "userID" }] },
      stacks: { "shop/platform/prod": { region: "eu" } },
    });
    expect(flags.config("limits", ann).value).toEqual({ region: "eu", token: "${any}" });
    expect(flags.config("limits", { userID: "user-2" }).rule).toBe("Testers");
  });
});

describe("what is wrong in a program in YAML is told with its place", () => {
  const share = "passPercentage: ${share}";
  const ofStaff = 'targetValue: ["${staff.id}"]';
  test.each([
    ["passPercentage: 100", "passPercentage: 300", /rules\[0\]\.passPercentage: found 300/],
    ["description:", "descripton:", /descripton: unknown argument; did you mean "description"\?/],
    [ofStaff, 'targetValue: ["${stuff.id}"]', /did you mean "staff"\?/],
    [ofStaff, 'targetValue: ["${staff.idd}"]', /\$\{staff\.idd\}: nothing has the name "idd"/],
    ["type: feature-console:Gate", "type: feature-console:Gates", /did you mean "Gate"\?/],
    ["properties:", "propertis:", /no member "propertis"; did you mean "properties"\?/],
    [share, "passPercentage: { fn::select: [0, [1]] }", /cannot evaluate fn::select/],
    [share, 'passPercentage: "${share"', /a reference does not end/],
    ["- type: public", "- type: ${everyone}", /circle: .*everyone -> everyone/],
    ["conditions: ${everyone}", "conditions: *everyone", /Unresolved alias|no aliases/],
    ["share: { type: number, default: 10 }", "share: { type: number }", /config "share" has no default/],
    ["runtime: yaml", "runtime: nodejs", /for the runtime nodejs/],
    ["conditions: ${everyone}", "passPercentage: 3", /keys must be unique/],
  ])("%s -> %s", async (right, wrong, message) => {
    expect(program).toContain(right);
    const mistaken = program.replace(right, wrong);
    write("Pulumi.yaml", mistaken);
    const told = flagsOf(folder);
    await expect(told).rejects.toThrow(message);
    await expect(told).rejects.toThrow(placeOf(wrong, mistaken));
  });

  test("all that is wrong is told at once", async () => {
    write("Pulumi.yaml", program.replace("staff.id", "stuff.id").replace("Segment", "Segmant"));
    await expect(flagsOf(folder)).rejects.toThrow(/stuff.*\n.*Segmant/);
  });

  test("a program without flags, and a folder without a program", async () => {
    write("Pulumi.yaml", "name: flags\nruntime: yaml\n");
    for (const [place, message] of [
      [folder, `${shown("Pulumi.yaml")} has no resource whose type begins with`],
      [path.join(folder, "none"), "or the path of a Pulumi.yaml or its folder"],
      [path.join(repositoryRoot, "src"), "src has no Pulumi.yaml and no Main.yaml"],
    ] as const)
      await expect(flagsOf(place)).rejects.toThrow(message);
  });
});
