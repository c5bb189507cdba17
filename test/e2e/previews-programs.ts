import { lookupsOfNew } from "./bench";

/** The programs of previews.test.ts: before and after one large merge. Each line declares what its name says. */
type Lines = Readonly<Record<string, string>>;

const rule = (name: string, passPercentage = 100) =>
  `{ name: "${name}", passPercentage: ${passPercentage}, conditions: [{ type: "public" }] }`;
const ruled = (name: string, ...rules: string[]) =>
  `new fc.Gate("${name}", { rules: [${rules.join(", ")}] });`;
const groups = (...sizes: number[]) =>
  sizes
    .map((size, index) => `{ name: "Group ${index}", size: ${size}, parameterValues: { colour: "blue" } }`)
    .join(", ");
const parameter = (name: string) => `{ name: "${name}", type: "string", defaultValue: "blue" }`;
const component = (kind: string, options: string) => `
class ${kind} extends pulumi.ComponentResource {
  constructor(name: string, options: pulumi.ComponentResourceOptions = {}) {
    super("my:index:${kind}", name, {}, options);
    new fc.Segment("part", { type: "rule_based" }, { parent: this });
  }
}
new ${kind}("shop", ${options});`;
const overridden = (hypothesis: string) => `
const button = new fc.Experiment("green_button", { hypothesis: "${hypothesis}", groups: [
  { name: "Control", size: 50, parameterValues: {} }, { name: "Green", size: 50, parameterValues: {} } ] });
new fc.ExperimentOverrides("testers", {
  experiment: button,
  userIDOverrides: [{ groupID: button.groups.apply((groups) => groups[1]?.id ?? ""), ids: ["qa_1"] }],
});`;

const before: Lines = {
  shown: 'export const shown = new fc.Gate("shown", { description: "Shown" });',
  seen: 'fc.Gate.get("seen", "by_hand");',
  prices: 'new fc.DynamicConfig("prices");',
  // Objects that go, and who asks for them.
  asked: 'new fc.Gate("asked");',
  other: 'new fc.Gate("other");',
  old: 'new fc.Gate("old", { key: "flag_one", name: "Flag one" });',
  checkout: `new fc.Gate("checkout", { rules: [{ name: "In", passPercentage: 100,
  conditions: [{ type: "passes_segment", targetValue: "vip" }] }] });`,
  segments: `for (const name of ["vip", "old_wave", "wave"]) new fc.Segment(name, { type: "rule_based" });`,
  shop: component("Shop", "{}"),
  // What its own options keep, and what protects.
  leftByPulumi: 'new fc.Gate("left_by_pulumi", {}, { retainOnDelete: true });',
  leftByUs: 'new fc.Gate("left_by_us", { onDelete: "retain" });',
  removed: `const removed = new fc.Gate("removed", { onDelete: "delete" });
new fc.Gate("left_with_it", {}, { deletedWith: removed });`,
  archived: 'new fc.Gate("archived", { archiveReason: "No longer needed" });',
  plain: 'new fc.Layer("Plain layer", { idType: "userID" });',
  // Values that change.
  inserted: ruled("inserted", rule("Staff"), rule("Testers"), rule("Everyone", 10)),
  widened: ruled("widened", rule("Staff"), rule("Everyone", 10)),
  moved: ruled("moved", rule("One"), rule("Two"), rule("Three")),
  area: `const area = new fc.Layer("area", { idType: "userID", parameters: [${parameter("colour")}, ${parameter("size")}] });`,
  trial: `new fc.Experiment("trial", { layerID: area.id, status: "active", groups: [${groups(50, 50)}] });`,
  button: overridden("A green button is pressed more often"),
  people: 'new fc.Segment("people", { type: "rule_based", description: "One" });',
  // States that the program will say no more.
  off: 'new fc.Gate("off", { isEnabled: false });',
  launched: 'new fc.Gate("launched", { status: "Launched" });',
  offConfig: 'new fc.DynamicConfig("off_config", { isEnabled: false });',
  silent: 'new fc.Gate("silent");',
};

const after: Lines = {
  // Keys that are taken, free, and free until somebody takes them.
  taken: 'new fc.Gate("taken", { description: "Ours" });',
  free: 'new fc.Gate("free");',
  late: 'new fc.Gate("late", { description: "Ours", adopt: true });',
  lookups: lookupsOfNew,
  // Names that the program could have declared.
  names: `new fc.Segment("testers", { type: "rule_based" });
new fc.TargetApp("web", { description: "" });
new fc.Gate("asking", { targetApps: ["wbe"], rules: [{ name: "In", passPercentage: 100, environments: ["prodction"],
  conditions: [{ type: "passes_segment", targetValue: "tseters" }] }] });
new fc.Environments("all", { environments: [{ name: "production", isProduction: true, requiresReview: false, requiresReleasePipeline: false }] });`,
  ...{ seen: "", asked: "", other: "", segments: "" },
  old: 'new fc.Gate("renamed", { key: "flag_one", name: "Flag one" });',
  shop: component("Store", '{ aliases: [{ type: "my:index:Shop" }] }'),
  ...{ leftByPulumi: "", leftByUs: "", removed: "", archived: "", plain: "" },
  inserted: ruled("inserted", rule("Zero"), rule("Staff"), rule("Testers"), rule("Everyone", 10)),
  widened: ruled("widened", rule("Staff"), rule("Everyone", 25)),
  moved: ruled("moved", rule("Three"), rule("One"), rule("Two")),
  area: `const area = new fc.Layer("area", { idType: "userID", parameters: [${parameter("size")}] });`,
  trial: `new fc.Experiment("trial", { layerID: area.id, status: "active", groups: [${groups(80, 20)}] });`,
  button: overridden("Green is pressed more often"),
  people:
    'new fc.Segment("people", { type: "rule_based", description: "Two", onImmutableChange: "replace" });',
  off: 'new fc.Gate("off");',
  launched: 'new fc.Gate("launched");',
  offConfig: 'new fc.DynamicConfig("off_config");',
};

/** The program before the merge, with other lines for some of it. */
export function first(changes: Lines = {}): string {
  return Object.values({ ...before, ...changes }).join("\n");
}

/** The program after it, with more lines. */
export function merged(more: Lines = {}): string {
  return first({ ...after, ...more });
}
