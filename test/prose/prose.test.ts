import { describe, expect, test } from "@jest/globals";
import { lintMarkdown } from "../../scripts/prose/lint";
import { programTexts } from "../../scripts/prose/program-texts";
import { findingsIn } from "../../scripts/prose/rules";

const words = (count: number) => `${Array(count).fill("word").join(" ")}.`;

describe("a sentence", () => {
  test.each([
    ["What a killed run has left is noted.", "bare-subject"],
    ["Whoever runs it needs a key.", "bare-subject"],
    ["One that was archived comes back.", "bare-subject"],
    ["The program is told.", "tell"],
    ["The tag says until when.", "say"],
    ["An edit of somebody else stays.", "somebody"],
    ["Off: nobody sees it.", "somebody"],
    ["It is just a number.", "filler"],
    [words(31), "length"],
  ])("%s: %s", (sentence, habit) => {
    expect(findingsIn(sentence)).toEqual([expect.stringMatching(new RegExp(`^${habit}`))]);
  });

  test.each(["What is in use?", "Off: nobody passes.", "The console stores what a person typed.", words(30)])(
    "%s is plain",
    (sentence) => expect(findingsIn(sentence)).toEqual([]),
  );
});

test("pages are read by paragraph, cell and heading; a name in code is one word, and code blocks are not read", async () => {
  const page =
    "# Who is told\n\nFirst line.\nThe tag says so, `nobody here. says` it.\n\n| a | b |\n| - | - |\n| x | just |\n\n```sh\necho said\n```\n";
  expect((await lintMarkdown(page)).map(({ line, message }) => [line, message.split(" ")[0]])).toEqual([
    [1, "tell"],
    [4, "say"],
    [8, "filler"],
  ]);
});

test("programs are read by message and by `doc`; chains and templates are one text; keys, SQL and imports are not read", () => {
  const program = `
import { a } from "a name of four words";
export const field = { doc: "Its purpose." };
throw new Error(\`the gate \${name} was renamed \${at("an hour before it was")}\` + " and " + reason);
const key = "two words"; const sql = "SELECT a FROM b WHERE c";
const help = \`Lists what differs now.
  --all   Lists the rest too.\`;`;
  expect(programTexts("program.ts", program)).toEqual([
    { line: 3, text: "Its purpose." },
    { line: 4, text: "the gate `x` was renamed `x` and `x`" },
    { line: 4, text: "an hour before it was" },
    { line: 6, text: "Lists what differs now.\n\nLists the rest too." },
  ]);
});
