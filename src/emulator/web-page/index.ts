export { Html, type HtmlValue, html } from "./html";
export { pageText } from "./page";
