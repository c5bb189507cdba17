import { choice, flag, proofOptions, texts, wholeNumber } from "../../scripts/prove-options.ts";

const about = "Gives random answers of the console to every verb of every kind.";

const { n, seed, kind, adapter, json } = proofOptions("fuzz", about, {
  n: wholeNumber(10_000, "How many wrong answers", 1),
  seed: wholeNumber(1, "The seed of all of them"),
  kind: texts("KIND", "Only this kind, such as Gate"),
  adapter: choice(["dynamic", "native"], "How Pulumi reaches the provider"),
  json: flag("The figures as JSON"),
});

const { proved } = await import("./report.ts");
await proved({ random: { count: n, seed }, adapter, ...(kind && { kinds: kind }) }, json);
