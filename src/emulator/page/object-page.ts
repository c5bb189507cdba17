import { everyKind } from "../../provider/definitions";
import type { ObjectDefinition } from "../../provider/schema/define";
import { referencesIn } from "../../provider/schema/references";
import { nameIn, type RuleRow, type RuleSide, shareText, unreachableText } from "../../provider/words";
import { type Html, type HtmlValue, html } from "../web-page";
import { addressOf } from "./address";
import { framedPage } from "./frame";
import { historyOf } from "./history";
import { shownKind } from "./kinds";
import { stateMark } from "./list-page";
import type { ObjectName, PagePorts } from "./ports";
import { questionForm } from "./question";
import type { ConsoleReader, ShownObject } from "./reading";
import { type ArgumentWords, argumentsOf, isOff, otherwiseText, overrideWords, rulesOf } from "./words";

/** Everything about one object. */
export function objectPage(reader: ConsoleReader, ports: PagePorts, object: ShownObject): string {
  const { kind, id, called, values } = object;
  const overrides = overrideWords(kind, reader.overridesOf(object) ?? {});
  const about = html`<div data-live="arguments">${wordsSection("About it", argumentsOf(object))}${wordsSection("Forced to an answer", overrides)}</div>`;
  const question = questionForm(object);
  const main = html`<p class="small"><a href="${addressOf({ kind })}">${kind.plural}</a></p>
<h1><bdi>${called}</bdi> <span data-live="state">${stateMark(object)}</span></h1>
${values.description ? html`<p><bdi>${String(values.description)}</bdi></p>` : ""}
<div data-live="rules">${rulesSection(object)}</div>
${values.rules === undefined ? [about, question] : [question, about]}
<div data-live="references">${namesSection("It refers to", namesIn(object))}${namesSection(
    "Refer to it",
    ports.usersOf(kind.definition.name, id),
  )}</div>
<div data-live="history">${historySection(object, reader)}</div>
<details class="raw"><summary>All its fields, as JSON</summary><pre tabindex="0">${jsonText(values)}</pre></details>`;
  return framedPage(reader, { title: called, place: { kind, id }, main });
}

function rulesSection(object: ShownObject): HtmlValue {
  const { kind, values } = object;
  if (!Array.isArray(values.rules)) return "";
  const rules = rulesOf(object);
  const rest = otherwiseText(kind, values);
  const launched =
    values.status === "Launched"
      ? html`<p>It is launched: everyone passes, regardless of its rules.</p>`
      : "";
  return html`<h2>Rules</h2>${launched}${isOff(object) ? html`<p>It is off: no rule counts.</p>` : ""}
<p class="quiet small">The first rule that fits decides.</p>
<ol class="rules">${rules.map(ruleItem)}
<li class="rest"><span class="quiet">${rules.length === 0 ? "no rules" : "otherwise"}</span> <bdi>${rest}</bdi></li></ol>`;
}

function ruleItem({ name, after, unreachable }: RuleRow): HtmlValue {
  if (after === undefined) return "";
  return html`<li><strong><bdi>${name}</bdi></strong> <bdi>${shareText(after)}</bdi>${
    after.gives === undefined ? "" : html`<br>gets <bdi>${after.gives}</bdi>`
  }<br><span class="quiet small">${after.environments}</span>${
    unreachable === undefined
      ? ""
      : html` <span class="small warning"><bdi>${unreachableText(unreachable, "it")}</bdi></span>`
  }${bar(after)}</li>
`;
}

function bar(side: RuleSide): HtmlValue {
  const { share } = side;
  if (share === undefined) return "";
  const width = Math.min(100, Math.max(0, share));
  return html`<svg class="bar" role="img" aria-label="${shareText(side)}" viewBox="0 0 100 6" preserveAspectRatio="none"><rect class="all" width="100" height="6"/><rect class="share" width="${width}" height="6"/></svg>`;
}

function wordsSection(title: string, words: readonly ArgumentWords[]): HtmlValue {
  if (words.length === 0) return "";
  return html`<h2>${title}</h2><dl>${words.map(
    ({ name, text }) => html`<div><dt>${name}</dt><dd><bdi>${text}</bdi></dd></div>`,
  )}</dl>`;
}

/** The objects that an object refers to, each once. */
function namesIn({ kind, values }: ShownObject): ObjectName[] {
  const names = referencesIn(kind.definition, values)
    .filter(({ value, standard }) => typeof value === "string" && value !== "" && value !== standard)
    // A reference to the only object of its kind says nothing.
    .filter(({ kind: meant }) => definitionOf(meant)?.identity.how !== "singleton")
    .map(({ kind: meant, value }) => ({ kind: meant, id: String(value) }));
  return [...new Map(names.map((name) => [JSON.stringify(name), name])).values()];
}

function namesSection(title: string, names: readonly ObjectName[]): HtmlValue {
  if (names.length === 0) return "";
  return html`<h2>${title}</h2><ul class="names">${names.map((name) => html`<li>${nameLink(name)}</li>`)}</ul>`;
}

/** A link where the page shows such objects. */
function nameLink({ kind: name, id }: ObjectName): Html {
  const kind = shownKind(name);
  const text = html`${definitionOf(name)?.title ?? name} <bdi>${nameIn(id)}</bdi>`;
  return kind === undefined ? text : html`<a href="${addressOf({ kind, id })}">${text}</a>`;
}

function definitionOf(kind: string): ObjectDefinition | undefined {
  const known: Readonly<Record<string, ObjectDefinition>> = everyKind;
  return known[kind];
}

function historySection(object: ShownObject, reader: ConsoleReader): HtmlValue {
  const entries = historyOf(object, reader.formerOf(object));
  return html`<h2>History</h2><ol class="history">${entries.map(
    ({
      when,
      who,
      what,
    }) => html`<li><span class="quiet small">${when ?? "at an unknown time"}, by <bdi>${who}</bdi></span>
<ul>${what.map((text) => html`<li><bdi>${text}</bdi></li>`)}</ul></li>
`,
  )}</ol>`;
}

/** Long texts are cut: nobody reads a list of a hundred thousand ids. */
function jsonText(values: unknown): string {
  const text = JSON.stringify(values, null, 2);
  return text.length > 100_000
    ? `${text.slice(0, 100_000)}\n… and ${text.length - 100_000} characters more`
    : text;
}
