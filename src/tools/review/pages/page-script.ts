/** JavaScript of the page of a review: shows what the filter asks for. "/" goes to the search, Escape empties it. */
export const pageScript = `
const filter = document.querySelector(".filter");
if (filter !== null) {
  const changes = [...document.querySelectorAll(".change")].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
  }));
  const { text, risk, kind, owner, shown } = filter.elements;
  const choices = [risk, kind, owner];
  const show = () => {
    const words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const { element, text: all } of changes) {
      const chosen = choices.every(({ name, value }) => value === "" || value === "=" + element.dataset[name]);
      element.hidden = !(chosen && words.every((word) => all.includes(word)));
      if (!element.hidden) count += 1;
    }
    shown.value = count.toLocaleString("en-US") + " of " + changes.length.toLocaleString("en-US") + " shown";
  };
  filter.addEventListener("input", show);
  filter.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.closest("input, select")) {
      event.preventDefault();
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
