import { expect, test } from "@jest/globals";
import { html, pageText } from "../../src/emulator/web-page";

test("texts become no markup, neither between tags nor in attributes", () => {
  const text = `"><script>alert(1)</script>' & \u202etxt`;
  expect(html`<b title="${text}">${text}</b>`.text).toBe(
    '<b title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39; &amp; \ufffdtxt">' +
      "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39; &amp; \ufffdtxt</b>",
  );
});

test("templates nest, lists are joined, and nothing says nothing", () => {
  const items = ["a", "b"].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${undefined}${7}`.text).toBe("<ul><li>a</li><li>b</li></ul>7");
});

test("a page says that it may ask for nothing, and run its own script alone", () => {
  const page = pageText({ title: "</title>", body: "text", style: "", script: "void 0;" });
  expect(page).toContain("<title>&lt;/title&gt;</title>");
  const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  expect(policy).toContain("default-src &#39;none&#39;");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});
