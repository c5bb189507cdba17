/** Moves a stack of dynamic gates to the native plugin: `npm run prove -- move`, `--n 50`. Ends with 1 where a move wrote anything. */
import { moveGates, moveText } from "../../scripts/bench/move.ts";
import { proofOptions, wholeNumber } from "../../scripts/prove-options.ts";

const about = `Creates dynamic gates with the real CLI, changes the import of the program to the native classes, and measures the move. A
preview or an update with a change ends it.`;
const { n } = proofOptions("move", about, { n: wholeNumber(1000, "How many gates", 1) });

const move = await moveGates(n);
process.stdout.write(`${moveText(move)}\n`);
const isWhole = move.requests.writes === 0 && [...move.types].join() === "feature-console:index:Gate";
process.exitCode = isWhole ? 0 : 1;
