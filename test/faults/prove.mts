import { writeFileSync } from "node:fs";
import path from "node:path";
import { choice, flag, proofOptions, texts } from "../../scripts/prove-options.ts";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment.ts";

const about = `Lets every fault meet every request of every verb of every kind, and looks whether one more up makes it right.
All of it takes about 15 minutes on two processors.`;

const { kind, fault, adapter, json, write } = proofOptions("faults", about, {
  kind: texts("KIND", "Only this kind, such as Gate"),
  fault: texts("TEXT", "Only faults whose name holds this text, such as 429"),
  adapter: choice(["dynamic", "native"], "How Pulumi reaches the provider"),
  json: flag("The figures as JSON"),
  write: flag("Writes the report to spec/fault-matrix.md as well"),
});

const intro = `# Fault matrix

Written by \`npm run prove -- faults --write\`. Each cell starts a console and lets a fault meet one request of one verb: the first,
the second or the third, once and twice in a row. Pulumi's own dynamic-provider host carries the verb out. What the engine
would keep of it is kept, and one more up follows, mostly in another process. A cell passes when the console then equals,
object by object, one that saw no fault; when state, refresh and preview agree with it; and when every error said what was
attempted and what to do. A create that the console refuses by a name in use may need a person's word: the column \`typed\`. A create that arrived twice and made two objects asks a person to delete one, and the cell does. \`purge\` is a delete for ever where the default is to archive. \`docs/faults.md\` tells what the
faults are.
`;

const { proved } = await import("./report.ts");
const matrix = { adapter, ...(kind && { kinds: kind }), ...(fault && { faults: fault }) };
const report = await proved(matrix, json);
if (write) writeFileSync(path.join(repositoryRoot, "spec", "fault-matrix.md"), `${intro}\n${report}\n`);
