/**
 * JavaScript of the page: parts with `data-live` follow the console, a form asks the SDK. "/" goes to the search. Every text comes
 * as markup that the server has escaped, and is taken out of a document in which nothing runs.
 */
export const pageScript = `
const usualWait = 2000;
const parsed = (text) => new DOMParser().parseFromString(text, "text/html");
const connection = document.querySelector("#connection");
let tag = "";
let wait = usualWait;

const follow = (next) => {
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = next.querySelector('[data-live="' + part.dataset.live + '"]');
    if (other === null) continue;
    const opened = [...part.querySelectorAll("details")];
    for (const [at, one] of other.querySelectorAll("details").entries()) one.open = opened[at]?.open === true;
    if (other.innerHTML === part.innerHTML) continue;
    const held = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    part.replaceChildren(...other.childNodes);
    if (held !== null) [...part.querySelectorAll("a")].find((link) => link.getAttribute("href") === held)?.focus();
  }
};

const look = async () => {
  if (!document.hidden) {
    try {
      const answer = await fetch(location.pathname + location.search, { headers: tag === "" ? {} : { "if-none-match": tag }, cache: "no-store" });
      if (answer.status === 200) {
        tag = answer.headers.get("etag") ?? "";
        follow(parsed(await answer.text()));
      }
      wait = usualWait;
      connection.textContent = answer.status === 404 ? "This is not in the console any more." : "";
    } catch {
      wait = Math.min(wait * 2, 30000);
      connection.textContent = "The console does not answer: it may have been stopped. This is what it showed last.";
    }
  }
  setTimeout(look, wait);
};
setTimeout(look, usualWait);

const form = document.querySelector(".question");
if (form !== null) {
  const answer = form.querySelector(".answer");
  const button = form.querySelector("button");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    answer.textContent = "Asking the SDK \\u2026";
    try {
      const { kind, id, users, environment } = form.elements;
      const body = { kind: kind.value, id: id.value, users: users.value, environment: environment.value };
      const reply = await fetch("/ui/evaluate", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      answer.replaceChildren(...parsed(await reply.text()).body.childNodes);
    } catch {
      answer.textContent = "The console does not answer: it may have been stopped.";
    }
    button.disabled = false;
  });
  const { users } = form.elements;
  const fields = [...form.querySelectorAll(".user input")];
  const user = () => {
    try {
      const value = JSON.parse(users.value);
      return Array.isArray(value) ? {} : Object(value);
    } catch {
      return {};
    }
  };
  form.querySelector(".user").addEventListener("input", ({ target: { name, value } }) => {
    users.value = JSON.stringify({ ...user(), [name]: value === "" ? undefined : value });
  });
  users.addEventListener("input", () => {
    for (const field of fields) field.value = user()[field.name] ?? "";
  });
  users.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.hidden = false;
}

document.addEventListener("keydown", (event) => {
  const search = document.querySelector("input[type=search]");
  if (event.key === "/" && search !== null && !event.target.closest("input, textarea")) {
    event.preventDefault();
    search.focus();
  }
});
`;
