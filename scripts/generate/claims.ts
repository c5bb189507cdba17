import { type ClaimRow, claimTable, type ReleaseRow, releaseTable } from "../../src/provider/decisions/claim";
import { names, table } from "./markdown";
import { generatedNotice } from "./typescript";

/** The text of `docs/claims.md`: the tables by which it is decided what a resource may take and give up. */
export function claimsText(): string {
  return `<!-- ${generatedNotice} -->

# What a resource may take, and give up

Nothing that exists is changed, brought back, taken over, archived or deleted unless state, \`adopt\` or \`import\`, or evidence of
this stack says that it is this resource's. The tables are the code: \`src/provider/decisions/claim.ts\`. The first row that fits decides; what a
row does not name does not matter to it.

## Taking an object

Asked when a resource is created, when a preview looks for a new object or meets \`adopt\` or \`import\`, and before an object is replaced by one under another
key.

${table(["when", "then", "because"], claimTable.map(claimRow))}
- \`this-stack\`: the journal of this stack shows that a create of this very resource made it. \`renamed\`: of another resource.
- \`claimed\`: no journal shows it, or one shows another resource of this stack, and \`FEATURE_CONSOLE_TAKE_OVER=1\` says so for this run.
- \`another-stack\`: the journal of another stack shows that it created the object, or took it over, after this one.
- \`archived-here\`: this run, the journal, or the archive reason in the console names this stack and its backend. Gates alone show
  a reason; dynamic configs and experiments take one and no published read shows it, so nothing tells who archived them.
- \`brought-back\`: a run of this stack was bringing it back when it ended.
- \`kept-elsewhere\`: the reason that the console shows says that the program of another stack keeps it archived. Where a
  person archived it, or no read shows a reason, nothing tells that another stack has it in its state: what is \`equal\` comes back.
- \`holder: itself\`: state has the object for this very resource, also where Pulumi is told to replace it (\`--replace\`,
  \`pulumi state taint\`) and shows the provider no state: the program of a preview tells, and
  an update asks the \`pulumi\` of the PATH to export the state, once in a run and only before it would refuse.
- A stack is its project, its name and its backend. Where nothing names the backend, and in what version 0.1 wrote, project and name
  decide.
- \`equal\`: as a create leaves it, whole or half made, made by a key, and untouched since; of an archived object, just what a new
  one would be. \`stuck\`: it differs in what no update can change.

## Giving an object up

\`takenSince\`: a journal that this run can read (in the project's folder, or in the same Redis) notes that another stack adopted,
brought back or created the object after this resource had it. Without such a journal nothing tells: a delete reads nothing beside.

${table(["when", "then", "because"], releaseTable.map(releaseRow))}`;
}

function claimRow({ when, decide, because }: ClaimRow): string[] {
  const conditions = Object.entries(when).map(
    ([name, values]) => `${name}: ${names((values as readonly unknown[]).map(String), "or")}`,
  );
  return [conditions.join("; ") || "else", decided(decide), because];
}

function releaseRow({ when, decide, because }: ReleaseRow): string[] {
  const conditions = Object.entries(when).map(([name, value]) => `${name}: ${names([String(value)])}`);
  return [conditions.join("; ") || "else", decided(decide), because];
}

function decided(decision: { readonly act: string; readonly reason?: string }): string {
  return decision.act === "refuse" ? `**refuse**: ${decision.reason ?? ""}` : decision.act;
}
