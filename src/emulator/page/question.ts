import { messageOf } from "../../provider/schema/errors";
import { objectFrom } from "../../provider/schema/json";
import { countOf } from "../../provider/words";
import { type HtmlValue, html } from "../web-page";
import { shownKind } from "./kinds";
import type { Answer, PagePorts, Question } from "./ports";
import type { ShownObject } from "./reading";

/** The form of what no application asks for is nothing. Shown by the script, as nothing but it can ask. */
export function questionForm({ kind, id }: ShownObject): HtmlValue {
  if (kind.asked === undefined) return "";
  const title = kind.asked === "gate" ? "Who passes?" : "Who gets what?";
  return html`<form class="question" hidden>
<h2>${title}</h2>
<input type="hidden" name="kind" value="${kind.definition.name}"><input type="hidden" name="id" value="${id}">
<div class="user"><label>User <input name="userID" value="42" autocomplete="off"></label>
<label>Email <input name="email" value="ann@example.com" autocomplete="off"></label>
<label>Country <input name="country" value="NZ" autocomplete="off"></label></div>
<label>Users, as JSON: one a line, or a list
<textarea name="users" rows="3" spellcheck="false" autocapitalize="off">{"userID": "42", "email": "ann@example.com", "country": "NZ"}</textarea></label>
<p class="asking"><label>Environment <input name="environment" placeholder="none" autocomplete="off" size="14"></label>
<button>Ask the SDK</button></p>
<div role="status" class="answer" tabindex="-1"></div>
</form>`;
}

/** The most characters of users in one question. */
const mostCharacters = 200_000;

/** The most answers that are shown one by one. */
const mostShown = 200;

/** The question that a body asks, or what is wrong with it. */
function readQuestion(body: string | undefined): Question | { readonly wrong: string } {
  const said = objectFrom(body ?? "") ?? {};
  const kind = shownKind(String(said.kind))?.asked;
  const { id, users, environment } = said;
  if (kind === undefined || typeof id !== "string") return { wrong: "The question names no flag." };
  if (typeof users !== "string" || users.trim() === "")
    return { wrong: 'Give a user, such as {"userID": "42"}.' };
  if (users.length > mostCharacters)
    return {
      wrong: `These are more than ${mostCharacters} characters: feature-console evaluate --users FILE takes any number.`,
    };
  const isNamed = typeof environment === "string" && environment.trim() !== "";
  return { kind, name: id, users, ...(isNamed ? { environment: environment.trim() } : {}) };
}

/** Asks, and says the answers as a part of a page. */
export async function answerTo(ports: PagePorts, body: string | undefined) {
  const question = readQuestion(body);
  if ("wrong" in question) return { status: 400, text: failure(question.wrong).text };
  if (ports.evaluate === undefined) return { status: 501, text: failure(noSdk).text };
  try {
    return { status: 200, text: answersPart(question, await ports.evaluate(question)).text };
  } catch (error) {
    return { status: 422, text: failure(messageOf(error)).text };
  }
}

const noSdk =
  "This console was started without an SDK to ask. feature-console emulate --ui brings one; code gives it as " +
  "startEmulator({ ui: { evaluate } }).";

function failure(text: string) {
  return html`<p class="failure"><bdi>${text}</bdi></p>`;
}

function answersPart(question: Question, answers: readonly Answer[]) {
  if (answers.length === 0) return failure('No user is in this text: give JSON, such as {"userID": "42"}.');
  const passing = answers.filter(({ value }) => value === true).length;
  const more = answers.length - mostShown;
  const count =
    question.kind === "gate" && answers.length > 1
      ? html`<p><strong>${passing} of ${countOf(answers.length, "user")} pass.</strong></p>`
      : "";
  return html`${count}<ul class="answers">${answers.slice(0, mostShown).map(answerItem)}</ul>${
    more > 0 ? html`<p class="quiet">${countOf(more, "more user")} are counted and not listed.</p>` : ""
  }<p class="quiet small">Which users are in a share differs in the real project, which draws with salts of its own; the size of the share does not.</p>`;
}

function answerItem({ user, value, why }: Answer): HtmlValue {
  const verdict =
    typeof value === "boolean"
      ? html`<span class="mark ${value ? "on" : "off"}">${value ? "passes" : "fails"}</span>`
      : html`<code><bdi>${JSON.stringify(value)}</bdi></code>`;
  return html`<li><strong><bdi>${user}</bdi></strong> ${verdict}<br><span class="small"><bdi>${why}</bdi></span></li>`;
}
