import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { explainJson, explainStack, explainText } from "../../src/tools/drift";
import { Desk } from "./desk";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk?.close());

interface Args {
  readonly description?: string | undefined;
  readonly share?: number;
  readonly more?: string;
}

/** A program with one gate. */
function gateWith({ description = "Old", share = 10, more = "" }: Args = {}): string {
  return `new fc.Gate("flag", {
  description: ${JSON.stringify(description)},${more}
  rules: [
    { name: "Staff", passPercentage: 100, conditions: [{ type: "public" }] },
    { name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] },
  ],
});
`;
}

const rule = (name: string, passPercentage: number) => ({
  name,
  passPercentage,
  conditions: [{ type: "public" }],
});
const rules = (share: number) => [rule("Staff", 100), rule("Everyone", share)];

const asked = (place?: string) => explainStack(desk.ports, { name: "flag", place });

/** The places of the only resource, as the values of four views, who decides, by what, and what an update does. */
async function explained(place?: string) {
  const [one] = await asked(place);
  return (one?.places ?? []).map(({ label, lastProgram, seen, live, program, decides, trait, next }) => ({
    label,
    views: [lastProgram, seen, live, program],
    by: `${decides}, ${trait}`,
    next: next.split(/[:.] |\.$/)[0],
  }));
}

const liveGate = () => desk.raw.gate.get({ id: "flag" });
const liveShare = async () => ((await liveGate()).rules as { passPercentage: number }[])[1]?.passPercentage;

async function applied(args: Args = {}): Promise<void> {
  desk.write(gateWith(args));
  await desk.up();
  desk.now += 60_000;
}

test("nothing differs: one line, and no place", async () => {
  await applied();
  expect(await explained()).toEqual([]);
  expect(explainText(await asked())).toBe(
    'gate "flag" (index.ts:2:1) has the same values in program, state and console, wherever the program decides.\n',
  );
});

test("a change of the program: the next update sends it", async () => {
  await applied();
  desk.write(gateWith({ share: 50 }));
  expect(await explained()).toEqual([
    {
      label: "rules[1].passPercentage",
      views: [10, 10, 10, 50],
      by: "program, argument",
      next: "sends the program's value",
    },
  ]);
  await desk.up();
  expect(await liveShare()).toBe(50);
});

test("a change in the console: the next update does not look, and a refresh lets it send the program's value", async () => {
  await applied();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  const place = { label: "description", by: "program, argument" };
  expect(await explained()).toEqual([
    { ...place, views: ["Old", "Old", "New", "Old"], next: "does not look" },
  ]);
  await desk.up();
  expect((await liveGate()).description).toBe("New");
  await desk.stack.refresh((await desk.stack.exported()).resources.map(({ urn }) => urn));
  expect(await explained()).toEqual([
    { ...place, views: ["New", "New", "New", "Old"], next: "sends the program's value" },
  ]);
  await desk.up();
  expect((await liveGate()).description).toBe("Old");
});

test("both changed the same place: the next update is refused, until the provider may overwrite", async () => {
  await applied();
  await desk.raw.gate.patch({ id: "flag", body: { rules: rules(0) } });
  desk.write(gateWith({ share: 80 }));
  const place = { label: "rules[1].passPercentage", views: [10, 10, 0, 80], by: "program, argument" };
  expect(await explained()).toEqual([{ ...place, next: "is refused" }]);
  await expect(desk.up()).rejects.toThrow("changed in the console since it was last seen");
  expect(await liveShare()).toBe(0);
  desk.write(gateWith({ share: 80, more: "\n  overwriteConsoleEdits: true," }));
  expect((await explained())[0]).toEqual({ ...place, next: "sends the program's value" });
  await desk.up();
  expect(await liveShare()).toBe(80);
});

test("what the console changed beside a change of the program stays", async () => {
  await applied();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  desk.write(gateWith({ share: 50 }));
  const [description, share] = await explained();
  expect(description?.next).toBe("sends the object's other changes and keeps the console's value here");
  expect(share?.next).toBe("sends the program's value");
  await desk.up();
  expect(await liveGate()).toMatchObject({ description: "New" });
  expect(await liveShare()).toBe(50);
});

test("program and console agree and state does not know: nothing is sent", async () => {
  await applied();
  await desk.raw.gate.patch({ id: "flag", body: { description: "New" } });
  desk.write(gateWith({ description: "New" }));
  const writes = () => desk.emulator.requests.filter(({ method }) => method !== "GET").length;
  const before = writes();
  expect(await explained()).toEqual([
    {
      label: "description",
      views: ["Old", "Old", "New", "New"],
      by: "program, argument",
      next: "sends nothing here",
    },
  ]);
  await desk.up();
  expect(writes()).toBe(before);
  expect(await explained()).toEqual([]);
});

test("an argument that the program no longer sets: cleared, where the API can", async () => {
  await applied({ more: '\n  tags: ["shop"],' });
  desk.write(gateWith());
  expect(await explained()).toEqual([
    {
      label: "tags",
      views: [["shop"], ["shop"], ["shop"], undefined],
      by: "program, clearWith",
      next: "clears it",
    },
  ]);
  await desk.up();
  expect((await liveGate()).tags).toEqual([]);
});

test("a place that the console decides is explained when asked for: left out, owned, and set by the console alone", async () => {
  await applied({ more: '\n  owns: { rollout: "console" },' });
  await desk.raw.gate.patch({ id: "flag", body: { rules: rules(70) } });
  expect(await explained()).toEqual([]);
  const share = { label: 'rules["Everyone"].passPercentage', by: "console, owns" };
  expect(await explained(share.label)).toMatchObject([{ ...share, next: "sends nothing here" }]);
  expect((await explained("rules[1].passPercentage"))[0]?.views).toEqual([10, 10, 70, 10]);
  expect(await explained("isEnabled")).toMatchObject([{ by: "console, unset" }]);
  expect(await explained("createdTime")).toMatchObject([{ by: "server, output" }]);
  expect(await explained('rules["Everyone"].id')).toMatchObject([{ by: "server, serverSet" }]);
  desk.write(gateWith({ description: "Other", more: '\n  owns: { rollout: "console" },' }));
  await desk.up();
  expect(await liveShare()).toBe(70);
});

test("archived in the console: the next update does not look, and after a refresh brings it back", async () => {
  await applied();
  await desk.raw.gate.archive({ id: "flag" });
  expect(await explained()).toMatchObject([
    { label: "status", by: "program, archived", next: "does not look" },
  ]);
  await desk.up();
  expect((await liveGate()).status).toBe("Archived");
  await desk.stack.refresh((await desk.stack.exported()).resources.map(({ urn }) => urn));
  expect(await explained()).toMatchObject([
    { label: "status", next: "brings the object back from the archive" },
  ]);
  await desk.up();
  expect((await liveGate()).status).not.toBe("Archived");
});

test("an option of the resource is the program's: the console stores none", async () => {
  await applied();
  desk.write(gateWith({ more: '\n  onDelete: "retain",' }));
  expect(await explained()).toEqual([
    {
      label: "onDelete",
      views: [undefined, undefined, undefined, "retain"],
      by: "program, option",
      next: "takes it into state, and sends nothing",
    },
  ]);
});

test("the console stores another value than was sent: the difference returns, and the text says how it goes", async () => {
  await applied();
  const [stored] = (await desk.stack.exported()).resources;
  if (stored === undefined) throw new Error("no state");
  // As after an update whose answer shows another value than it was sent.
  await desk.raw.gate.patch({ id: "flag", body: { description: "old" } });
  desk.keep({ ...stored, outputs: { ...stored.outputs, description: "old" } });
  expect(await explained()).toEqual([
    {
      label: "description",
      views: ["Old", "old", "old", "Old"],
      by: "program, argument",
      next: "sends the program's value again",
    },
  ]);
});

test("gone, new and unknown names", async () => {
  desk.write(gateWith());
  expect(explainText(await asked())).toContain("is in the program and was not applied yet");
  await desk.up();
  await expect(asked("descriptoin")).rejects.toThrow(
    'gate "flag" has no field "descriptoin"; did you mean description?',
  );
  await desk.raw.gate.delete({ id: "flag" });
  expect(explainText(await asked())).toContain("was deleted in the console");
});

test("as text: the four values, who decides and the next update, in lines that a terminal holds", async () => {
  await applied();
  await desk.raw.gate.patch({ id: "flag", body: { rules: rules(25) } });
  expect(explainText(await asked())).toBe(`gate "flag" (index.ts:2:1)

  rules[1].passPercentage
    program       10
    last program  10
    state         10
    console       25
    decides       the program (argument): the program sets \`rules\`
    next up       does not look: state still has the value from before the change. Type \`feature-console drift --accept
                  flag\` to take the console's value into the program, or \`pulumi refresh\` to see it in the next preview.
`);
});

test("as JSON, with the place in the program", async () => {
  await applied();
  desk.write(gateWith({ share: 50 }));
  const { objects } = JSON.parse(explainJson(await asked()));
  expect(objects).toMatchObject([
    {
      name: "flag",
      kind: "Gate",
      what: "differs",
      places: [{ path: "rules[1].passPercentage", program: 50, state: 10 }],
    },
  ]);
});
