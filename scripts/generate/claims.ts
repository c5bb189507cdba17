import { claimTable, type Row, releaseTable } from "../../src/provider/decisions/claim";
import { names, table } from "./markdown";
import { generatedNotice } from "./typescript";

/** The text of `docs/claims.md`: the tables by which it is decided what a resource may take and give up. */
export function claimsText(): string {
  return `<!-- ${generatedNotice} -->

# Claims and releases

The provider changes, revives, adopts, archives or deletes an existing object only if it belongs to the resource. State, \`adopt\`, \`import\`
or evidence of this stack shows that. These tables are the code (\`src/provider/decisions/claim.ts\`): the first matching row decides.

## Claim an object

The provider reads this table when it creates a resource, when a preview finds a new, adopted or imported object, and before a replacement by an object under another key.

${table(["when", "then", "because"], claimTable.map(cells))}
- \`this-stack\`: the journal of this stack shows that a create of this resource made it. \`renamed\`: of another resource.
- \`claimed\`: no journal shows it, or one shows another resource of this stack, and \`FEATURE_CONSOLE_TAKE_OVER=1\` is set.
- \`another-stack\`: the journal of another stack shows that it created the object, or adopted it later than this one.
- \`archived-here\`: this run, the journal, or the archive reason in the console names this stack and its backend. Only gates
  return a reason.
- \`brought-back\`: an interrupted run of this stack was reviving it.
- \`kept-elsewhere\`: the archive reason shows that another stack's program keeps it archived. Without a readable reason this evidence is missing,
  and an \`equal\` object is revived.
- \`holder: itself\`: state has the object for this resource, also where Pulumi replaces it (\`--replace\`, \`pulumi state taint\`) and hides the state. A
  preview learns that from the program. An update exports the state with \`pulumi\`, once and only before it would refuse.
- An object that is not the one in state (\`isOther\` below) has \`holder: nobody\`.
- A stack is its project, name and backend. Without a known backend, and in entries of version 0.1, project and name decide.
- \`equal\`: as a create leaves it, complete or half made, created by a key and unchanged since. An archived object must equal a new one.
  \`stuck\`: it differs in a value that no update can change.

## Release an object

\`takenSince\`: a journal that this run can read shows that another stack adopted, revived or created the object later. The journal must be in
the project's folder.

\`declaredByAnother\`: with \`--continue-on-error\` Pulumi goes on after the failed create, and removes what the program gave up.

\`isOther\`: the console created the object under this id at another time than the one in state. Where an answer shows no time of creation, other
ids of all rules of the same names count, then another creator. A delete reads the object once, and only where state shows one of these.

${table(["when", "then", "because"], releaseTable.map(cells))}`;
}

function cells<E, Decision extends Decided>({ when, decide, because }: Row<E, Decision>): string[] {
  const conditions = Object.entries(when).map(
    ([name, values]) => `${name}: ${names((values as readonly unknown[]).map(String), "or")}`,
  );
  return [conditions.join("; ") || "else", decided(decide), because];
}

interface Decided {
  readonly act: string;
  readonly reason?: string;
}

function decided(decision: Decided): string {
  return decision.act === "refuse" ? `**refuse**: ${decision.reason ?? ""}` : decision.act;
}
