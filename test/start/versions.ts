import { type TestedRange, testedVersions } from "../../src/tested-versions";
import { emptyProject, playStart } from "./play";

/** One version of each program and package. */
export type Versions = Readonly<Record<keyof typeof testedVersions, string>>;

/** The oldest of each, the newest, and the SDK and the CLI crossed. */
export function versionsToPlay(): readonly Versions[] {
  const all = (pick: (range: TestedRange) => string): Versions => ({
    node: pick(testedVersions.node),
    pulumi: pick(testedVersions.pulumi),
    sdk: pick(testedVersions.sdk),
    typescript: pick(testedVersions.typescript),
  });
  const [oldest, newest] = [all((range) => range.oldest), all((range) => range.newest)];
  return [oldest, newest, { ...newest, pulumi: oldest.pulumi }, { ...oldest, pulumi: newest.pulumi }];
}

/** Reads the segment by its id, and gives the gate to it: a preview that does not know the id would change the gate. */
const readsSegment = (program: string) =>
  `${program}\nconst seen = fc.Segment.get("seen", "staff");
new fc.Gate("for_staff", {
  rules: [{ name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: [seen.id] }] }],
});\n`;

/**
 * The start of the README with these versions, one change, and the end of it. Returns the seconds that it took.
 * @throws Error where a line fails, or a preview shows a change that is none
 */
export async function playVersions(versions: Versions, tarball: string): Promise<number> {
  const started = Date.now();
  const project = await emptyProject({ cli: versions.pulumi, first: ["node_modules/node/bin"] });
  const pulumi = (line: string) => project.type(`pulumi ${line} --non-interactive --color never`);
  try {
    const { node, sdk, typescript } = versions;
    const packages = [tarball, `node@${node}`, `@pulumi/pulumi@${sdk}`, `typescript@${typescript}`];
    await playStart(project, [`npm install --save-exact ${packages.join(" ")}`]);
    await project.write("index.ts", readsSegment(project.program));
    await pulumi("up --yes --skip-preview");
    const preview = await pulumi("preview");
    if (/to (create|update|replace)/.test(preview))
      throw new Error(`what reads an object by its id shows a change:\n${preview}`);
    await pulumi("destroy --yes --skip-preview");
  } finally {
    await project.remove();
  }
  return (Date.now() - started) / 1000;
}
