import { proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import { playHistory } from "./history.ts";

const about = "Random histories of a program, approvals, rejections, edits by hand and kills.";

const { n, seed, length } = proofOptions("reviews", about, {
  n: wholeNumber(500, "How many histories", 1),
  seed: wholeNumber(Math.floor(Math.random() * 1_000_000), "The seed of the first"),
  length: wholeNumber(20, "How many steps each has", 1),
});

let wrong = 0;
for (let one = seed; one < seed + n; one += 1) {
  const { console: answers, steps, findings } = await playHistory(one, length);
  if ((one - seed + 1) % 100 === 0) process.stderr.write(`${one - seed + 1}/${n}\n`);
  if (findings.length === 0) continue;
  wrong += 1;
  console.log(`seed ${one}, ${JSON.stringify(answers)}\n  ${[...steps, ...findings].join("\n  ")}\n`);
}
console.log(`${n} histories from seed ${seed}, ${length} steps each: ${wrong} not right`);
process.exit(wrong === 0 ? 0 : 1);
