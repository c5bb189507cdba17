/**
 * JavaScript of the page of a review: opens the change of a link, shows what the filter asks for. "/" goes to the search, Escape
 * empties it.
 */
export const pageScript = `
const openLinked = () => {
  const change = document.getElementById(location.hash.slice(1));
  if (change?.matches(".change") !== true) return;
  change.hidden = false;
  change.open = true;
  change.scrollIntoView();
};
addEventListener("hashchange", openLinked);
openLinked();

const filter = document.querySelector(".filter");
if (filter !== null) {
  const changes = [...document.querySelectorAll(".change")].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
  }));
  const risks = [...document.querySelectorAll(".risks button")];
  const { text, kind, owner } = filter.querySelector("form").elements;
  const show = () => {
    const words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const levels = risks.filter((one) => one.ariaPressed === "true").map(({ value }) => value);
    let count = 0;
    for (const { element, text: all } of changes) {
      const chosen = [kind, owner].every(({ name, value }) => value === "" || value === "=" + element.dataset[name]);
      const isOfRisk = levels.length === 0 || levels.includes(element.dataset.risk);
      element.hidden = !(chosen && isOfRisk && words.every((word) => all.includes(word)));
      if (!element.hidden) count += 1;
    }
    filter.querySelector("output").value = count.toLocaleString("en-US") + " of " + changes.length.toLocaleString("en-US") + " shown";
  };
  for (const one of risks) {
    one.disabled = false;
    one.addEventListener("click", () => {
      one.ariaPressed = String(one.ariaPressed !== "true");
      show();
    });
  }
  filter.addEventListener("input", show);
  filter.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.closest("input, select")) {
      event.preventDefault();
      filter.open = true;
      text.focus();
    } else if (event.key === "Escape" && event.target === text) {
      text.value = "";
      show();
    }
  });
  filter.hidden = false;
  show();
}
`;
