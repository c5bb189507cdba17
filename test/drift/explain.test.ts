import { expect, test } from "@jest/globals";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { explainReport, explainStack } from "../../src/tools/drift/explain";
import { rendered } from "../../src/tools/render/report";
import { rule } from "./desk";
import { api, deskForEachTest } from "./each-test";

deskForEachTest();

const rules = (share: number) => [rule("Staff", 100), rule("Everyone", share)];

const gateWith = ({ description = "Old", share = 10, more = {} } = {}) =>
  `new fc.Gate("flag", ${JSON.stringify({ description, ...more, rules: rules(share) })});\n`;

const asked = (place?: string) => explainStack(api.ports, { name: "flag", place });

/** Places of the only resource, as JSON shows them. */
async function shown(place?: string): Promise<Record<string, string>[]> {
  return JSON.parse(rendered(explainReport(await asked(place)), "json")).objects[0].places;
}

const asText = async () => rendered(explainReport(await asked()), "text");

/** The same as text: last program, state, console and program; who decides, by what; the next update. */
async function explained(place?: string): Promise<string[]> {
  return (await shown(place)).map(({ path, lastProgram, state, console, program, decides, trait, next }) => {
    const views = [lastProgram, state, console, program].map((view) => JSON.stringify(view) ?? "-");
    return [path, views.join(" "), `${decides}, ${trait}`, next?.split(/[:.] |\.$/)[0]].join(" · ");
  });
}

const byProgram = (place: string, views: string, next: string) =>
  `${place} · ${views} · program, argument · ${next}`;
const share = "rules[1].passPercentage";
const sends = "sends the program's value";
const gate = () => api.raw.gate.get({ id: "flag" });
const liveShare = async () => ((await gate()).rules as { passPercentage: number }[])[1]?.passPercentage;

type Given = Parameters<typeof gateWith>[0];
async function applied(args?: Given): Promise<void> {
  await api.apply(gateWith(args));
  api.later();
}

test("nothing differs: one line, and no place", async () => {
  await applied();
  expect(await explained()).toEqual([]);
  expect(await asText()).toBe(
    'gate "flag" (index.ts:2:1) has the same values in program, state and console, wherever the program decides.\n',
  );
});

const nothing = "sends nothing here";

test.each([
  ["description", 'description · "Old" "Old" "Old" "Old" · program, argument'],
  [share, `${share} · 10 10 10 10 · program, argument`],
  [
    "rules[0]",
    expect.stringMatching(/^rules\[0\] · (\{.*\}) \1 \1 \1 · program, argument · sends nothing here$/),
  ],
  ["rules[0].environments", "rules[0].environments · - - null - · console, unset"],
  ["tags", "tags · - [] [] - · console, unset"],
])("nothing differs at %s: no update looks, sends or takes anything", async (place, told) => {
  await applied();
  expect(await explained(place)).toEqual([typeof told === "string" ? `${told} · ${nothing}` : told]);
  expect((await asked(place)).map(({ differs }) => differs)).toEqual([false]);
});

test("a rule that leaves the program is removed", async () => {
  await applied();
  const [staff] = rules(10);
  api.write(`new fc.Gate("flag", ${JSON.stringify({ description: "Old", rules: [staff] })});\n`);
  expect(await explained('rules["Everyone"]')).toEqual([expect.stringMatching(/ · removes it$/)]);
});

test("an option has a place, and a state follows the argument that stands for it", async () => {
  await applied({ more: { onDelete: "retain", isEnabled: true } });
  expect(await explained("onDelete")).toEqual([
    `onDelete · "retain" "retain" - "retain" · program, option · ${nothing}`,
  ]);
  api.write(gateWith({ more: { onDelete: "retain", isEnabled: false } }));
  expect((await shown("status")).map(({ next }) => next)).toEqual([
    "follows the argument that the program sets in its place.",
  ]);
});

test.each([
  ["rules[9]", '; rules has "Staff", "Everyone"'],
  ["rules[9].passPercentage", '; rules has "Staff", "Everyone"'],
  ['rules["Stuff"]', '; rules has "Staff", "Everyone"'],
  ["rules[0].shares", '; rules has "Staff", "Everyone"'],
  ["description.text", ""],
])("%s is nowhere: no such place", async (place, there) => {
  await applied();
  await expect(asked(place)).rejects.toThrow(
    `gate "flag" has no ${place} in the program, in state or in the console${there}`,
  );
});

test("switched off by hand: the status differs, also where another place is asked for", async () => {
  await applied();
  await api.raw.gate.disable({ id: "flag" });
  const off = `status · - "In Progress" "Disabled" - · console, unset · ${nothing}`;
  expect(await explained()).toEqual([off]);
  expect([await asked(), await asked("description")].map(([one]) => one?.differs)).toEqual([true, false]);
  await api.refresh();
  expect(await explained()).toEqual([`isEnabled · - false false - · console, unset · ${nothing}`]);
});

test("after a refresh: the inputs in state are those of the person who set them in the console", async () => {
  await applied();
  await api.asAna("PATCH", "/gates/flag", { rules: rules(25) });
  api.later();
  await api.edit("flag", { tags: ["theirs"] });
  await api.refresh();
  const text = await asText();
  expect(text).toMatch(
    /inputs in state {2}25 \(set in the console: ana@example\.com, 2026-11-22 10:04 UTC; taken over by a refresh or an\s+update\)\n/,
  );
  expect(await shown()).toMatchObject([
    { path: share, changedBy: "ana@example.com", changedAt: "2026-11-22T10:04:00.000Z" },
  ]);
  await api.apply(gateWith({ share: 30 }));
  api.write(gateWith({ share: 50 }));
  expect(await asText()).toMatch(/inputs in state {2}30\n/);
});

const liveValues = async () => [(await gate()).description, await liveShare(), (await gate()).tags];
const kept = "sends the object's other changes and keeps the console's value here";

/** The first program, an edit by hand, the program now, what is explained, and what the console has after the update. */
test.each<[string, Given, object, Given, readonly string[], readonly unknown[]]>([
  [
    "what the console changed beside a change of the program stays",
    ...([{}, { description: "New" }, { share: 50 }] as const),
    [byProgram("description", '"Old" "Old" "New" "Old"', kept), byProgram(share, "10 10 10 50", sends)],
    ["New", 50, []],
  ],
  [
    "where program and console agree and state does not know, nothing is sent",
    ...([{}, { description: "New" }, { description: "New" }] as const),
    [byProgram("description", '"Old" "Old" "New" "New"', nothing)],
    ["New", 10, []],
  ],
  [
    "an argument that the program no longer sets is cleared, where the API can",
    ...([{ more: { tags: ["shop"] } }, {}, {}] as const),
    ['tags · ["shop"] ["shop"] ["shop"] - · program, clearWith · clears it'],
    ["Old", 10, []],
  ],
  [
    "an option of the resource is the program's: the console stores none",
    ...([{}, {}, { more: { onDelete: "retain" } }] as const),
    ['onDelete · - - - "retain" · program, option · takes it into state, and sends nothing'],
    ["Old", 10, []],
  ],
])("%s", async (_, first, edit, now, expected, after) => {
  await applied(first);
  if (Object.keys(edit).length > 0) await api.edit("flag", edit);
  api.write(gateWith(now));
  expect(await explained()).toEqual(expected);
  api.emulator.clearRequests();
  await api.up();
  const writes = api.emulator.requests.filter(({ method }) => method !== "GET");
  expect(writes.length > 0).toBe(!/sends nothing/.test(String(expected)));
  expect(await liveValues()).toEqual(after);
});

test("a change in the console: the next update does not look, and a refresh lets it send the program's value", async () => {
  await applied();
  await api.edit("flag", { description: "New" });
  expect(await explained()).toEqual([byProgram("description", '"Old" "Old" "New" "Old"', "does not look")]);
  await api.up();
  expect((await gate()).description).toBe("New");
  await api.refresh();
  expect(await explained()).toEqual([byProgram("description", '"New" "New" "New" "Old"', sends)]);
  await api.up();
  expect((await gate()).description).toBe("Old");
});

test("a rule that a person renamed and the program changes: the update joins both, and no place is said to stay", async () => {
  await applied();
  const [staff, everyone] = (await gate()).rules as object[];
  await api.edit("flag", { rules: [staff, { ...everyone, name: "By hand" }] });
  api.write(gateWith({ share: 50 }));
  const places = await shown();
  expect(places.map(({ path }) => path)).toEqual(['rules["Everyone"]', 'rules["By hand"]']);
  const joins = "sends the program's changes here and keeps what only the console changed";
  expect(places.map(({ next }) => next?.split(". ")[0])).toEqual([kept, joins]);
  await api.up();
  expect((await gate()).rules).toMatchObject([staff, { name: "By hand", passPercentage: 50 }]);
});

test("a rule that the program renames keeps the percentage that a person gave it", async () => {
  await applied();
  await api.edit("flag", { rules: rules(100) });
  const renamed = [rule("Staff", 100), rule("All", 10)];
  api.write(`new fc.Gate("flag", ${JSON.stringify({ description: "Old", rules: renamed })});\n`);
  expect((await shown(share)).map(({ next }) => next)).toEqual([expect.stringContaining(kept)]);
  await api.up();
  expect((await gate()).rules).toMatchObject([{}, { name: "All", passPercentage: 100 }]);
});

test("a program that has the console's order already changes none, though a person put a rule before it", async () => {
  await applied();
  const [staff, everyone] = (await gate()).rules as object[];
  const first = rule("First", 1);
  await api.edit("flag", { rules: [first, everyone, staff] });
  api.write(
    `new fc.Gate("flag", ${JSON.stringify({ description: "Ours", rules: rules(10).toReversed() })});\n`,
  );
  const places = await shown();
  expect(places.find(({ path }) => path === "rules (order)")?.next).toMatch(kept);
  await api.up();
  expect((await gate()).rules).toMatchObject([{ name: "First" }, { name: "Everyone" }, { name: "Staff" }]);
});

test("both changed the same place: the next update is refused, until the provider may overwrite", async () => {
  await applied();
  await api.edit("flag", { rules: rules(0) });
  api.write(gateWith({ share: 80 }));
  expect(await explained()).toEqual([byProgram(share, "10 10 0 80", "is refused")]);
  await expect(api.up()).rejects.toThrow("changed in the console since it was last seen");
  expect(await liveShare()).toBe(0);
  api.write(gateWith({ share: 80, more: { overwriteConsoleEdits: true } }));
  expect((await explained())[0]).toBe(byProgram(share, "10 10 0 80", sends));
  await api.up();
  expect(await liveShare()).toBe(80);
});

test("the first percentage of a new rule is the program's, also where the console owns percentages", async () => {
  await api.apply('new fc.Gate("flag", { owns: { rollout: "console" }, rules: [] });');
  api.write(gateWith({ more: { owns: { rollout: "console" } } }));
  const place = 'rules["Everyone"].passPercentage';
  expect(await explained(place)).toEqual([byProgram(place, "- - - 10", sends)]);
});

test("a place that the console decides is explained when asked for: left out, owned, and set by the console alone", async () => {
  const more = { owns: { rollout: "console" } };
  await applied({ more });
  await api.edit("flag", { rules: rules(70) });
  expect(await explained()).toEqual([]);
  const byName = 'rules["Everyone"].passPercentage';
  expect(await explained(byName)).toEqual([`${byName} · 10 10 70 - · console, owns · sends nothing here`]);
  expect((await explained(share))[0]).toContain("10 10 70 -");
  expect((await explained("isEnabled"))[0]).toContain("console, unset");
  expect((await explained("createdTime"))[0]).toContain("server, output");
  expect((await explained('rules["Everyone"].id'))[0]).toContain("server, serverSet");
  await api.apply(gateWith({ description: "Other", more }));
  expect(await liveShare()).toBe(70);
});

test("of a percentage that the console owns no other value is shown as the program's, also where a person renamed the rule", async () => {
  const more = { owns: { rollout: "console" } };
  await applied({ more });
  api.write(gateWith({ share: 50, more }));
  expect(await explained(share)).toEqual([`${share} · 10 10 10 - · console, owns · sends nothing here`]);
  const [place] = await shown(share);
  expect(place?.reason).toContain("no preview shows the program's own value");
  await api.edit("flag", { rules: [rule("Staff", 100), rule("By hand", 70)] });
  await api.refresh();
  const byName = 'rules["Everyone"].passPercentage';
  expect(await explained(byName)).toEqual([`${byName} · - - - - · console, owns · sends nothing here`]);
  await api.up();
  expect(await liveShare()).toBe(70);
});

test("archived in the console: the next update does not look, and after a refresh brings it back", async () => {
  await applied();
  await api.raw.gate.archive({ id: "flag" });
  expect(await explained()).toEqual([expect.stringMatching(/^status .* program, archived · does not look$/)]);
  await api.up();
  expect((await gate()).status).toBe("Archived");
  await api.refresh();
  const back = /^status .* brings the object back from the archive$/;
  expect(await explained()).toEqual([expect.stringMatching(back)]);
  await api.up();
  expect((await gate()).status).not.toBe("Archived");
});

test("archived in the console, and in a program that does not archive it and changes another argument: refused", async () => {
  await applied();
  await api.raw.gate.archive({ id: "flag" });
  api.write(gateWith({ share: 50 }));
  expect(await explained()).toEqual([
    'status · - "In Progress" "Archived" - · program, archived · is refused',
    byProgram(share, "10 10 10 50", "is refused because of status, and sends nothing here"),
  ]);
  await expect(api.up()).rejects.toThrow("was archived in the console since the last refresh");
});

test("an edit of another place is not the author of the inputs in state", async () => {
  await applied();
  await api.asAna("PATCH", "/gates/flag", { rules: rules(25) });
  api.write(gateWith({ description: "New" }));
  expect(await asText()).toMatch(/inputs in state {2}"Old"\n/);
});

test("a member of a rule that leaves the program differs, too", async () => {
  await applied();
  api.write(gateWith().replace(`${JSON.stringify(rules(10)[0])},`, ""));
  expect((await asked('rules["Staff"].conditions')).map(({ differs }) => differs)).toEqual([true]);
});

test("a change that may need a review: the review is named", async () => {
  const more = { reviews: "open", reviewSettings: { requiredReview: true } };
  await applied({ more });
  api.write(gateWith({ share: 50, more }));
  expect((await asText()).replace(/\s+/g, " ")).toContain(
    'a change of rules may need a review: "pulumi up" then opens one and does not apply the change.',
  );
  await api.up();
  expect(await explained()).toEqual([
    byProgram(
      share,
      "50 10 10 50",
      "waits for its review, and sends nothing here before a person accepts it",
    ),
  ]);
});

test("another key: the object is replaced; a value that this makes is not known yet", async () => {
  await applied();
  api.write(gateWith({ description: UNKNOWN, more: { key: "other" } }));
  expect((await shown("key")).map(({ next }) => next)).toEqual(["replaces the object by another one."]);
  const told = await api.told();
  expect(told).toMatch(/description +"Old" +"Old" +not known yet/);
  expect(told).not.toContain(UNKNOWN);
});

test("of two objects of one name, a place counts for the one that has it", async () => {
  const overrides = `new fc.GateOverrides("overrides", { gate: "flag", passingUserIDs: ["ann"] });\n`;
  await api.apply(`${gateWith({ more: { isEnabled: true } })}${overrides}`);
  expect((await asked("isEnabled")).map(({ comparison }) => comparison.resource.name)).toEqual(["flag"]);
  await expect(asked("enabled")).rejects.toThrow(/has no field "enabled"/);
});

test("archived in the console, and in a program by which Pulumi replaces it: the create brings it back", async () => {
  await applied();
  await api.raw.gate.archive({ id: "flag" });
  api.write(gateWith({ description: "New" }));
  const preview = async () => {
    const { steps, ...more } = await api.stack.preview();
    return { ...more, steps: steps.map((step) => ({ ...step, op: "replace" })) };
  };
  const ports = { ...api.ports, stack: { ...api.stack, preview } };
  const [told] = await explainStack(ports, { name: "flag", place: undefined });
  expect(told?.places.map(({ label, effect }) => [label, effect])).toEqual([
    ["description", "sends"],
    ["status", "revives"],
  ]);
});

test("archived, and a program that edits it: drift and explain show what the update refuses, and the edit can be taken back", async () => {
  const archived = (description: string) => gateWith({ description, more: { status: "Archived" } });
  await applied();
  await api.apply(archived("Old"));
  api.write(archived("New"));
  await expect(api.up()).rejects.toThrow("is archived: leave its other arguments, or set status");
  const [edit] = await explained();
  expect(edit).toBe(byProgram("description", '"Old" "Old" "Old" "New"', "is refused"));
  const refused =
    /^This update will fail: gate "flag" is archived: leave its other arguments, or set status\. It differs in description\.$/;
  expect(api.progress).toContainEqual(expect.stringMatching(refused));
  const findings = await api.compare();
  expect(await api.told(findings)).toMatch(/description +"Old" +"Old" +"New" +not applied yet\n/);
  await api.accept(findings, new Set(findings.comparisons.map(({ resource }) => resource.urn)));
  expect([api.program.includes('"Old"'), await api.changes()]).toEqual([true, {}]);
});

test("a new resource whose create is refused stops no command", async () => {
  await applied();
  await api.raw.gate.create({ body: { id: "theirs", name: "theirs" } });
  const adopted = 'new fc.Gate("gone", { adopt: true });\n';
  api.write(`${gateWith()}new fc.Gate("theirs", { description: "Ours" });\n${adopted}`);
  expect(await explained()).toEqual([]);
  expect(api.progress.at(-1)).toMatch(/^This update will fail: gate "theirs" exists already\. /);
  expect(await api.told()).toContain(
    'gate "theirs" (index.ts:3:1) is in the program and was not applied yet\n',
  );
});

test("the console stores another value than was sent: the difference returns, and the text says how it goes", async () => {
  await applied();
  const [stored] = (await api.stack.exported()).resources;
  // As after an update whose answer shows another value than it was sent.
  await api.edit("flag", { description: "old" });
  api.keep({
    ...(stored as NonNullable<typeof stored>),
    outputs: { ...stored?.outputs, description: "old" },
  });
  const again = byProgram("description", '"Old" "old" "old" "Old"', `${sends} again`);
  expect(await explained()).toEqual([again]);
});

test("gone, new and unknown names", async () => {
  api.write(gateWith());
  expect(await asText()).toContain("is in the program and was not applied yet");
  await api.up();
  const unknown = 'gate "flag" has no field "descriptoin"; did you mean description?';
  await expect(asked("descriptoin")).rejects.toThrow(unknown);
  await api.raw.gate.delete({ id: "flag" });
  expect(await asText()).toContain("was deleted in the console");
});

test("as text: the four values, who decides and the next update, in lines that a terminal holds", async () => {
  await applied();
  await api.edit("flag", { rules: rules(25) });
  expect(await asText()).toBe(`gate "flag" (index.ts:2:1)
  rules[1].passPercentage
    program          10
    inputs in state  10
    state            10
    console          25
    decides          the program (argument): the program sets \`rules\`
    next up          does not look: state still has the value from before the change. To keep the console's value, set
                     it in the program (TypeScript: \`npx feature-console drift --accept flag\`); \`pulumi refresh\` shows
                     it in the next preview.
`);
});
