import { afterEach, expect, test } from "@jest/globals";
import { verify } from "../../src/tools/verify/verify";
import { type HttpServer, serveHttp } from "../support/http-server";
import { key, portsFor } from "./run";

let server: HttpServer;
let methods: string[];
afterEach(() => server.close());

async function serve(status: number, body: string): Promise<void> {
  methods = [];
  server = await serveHttp((request, response) => {
    methods.push(String(request.method));
    const type = body.startsWith("{") ? "application/json" : "text/html";
    response.writeHead(status, { "content-type": type }).end(body);
  });
}

const page = "<html></html>";
const says = (message: string) => JSON.stringify({ message });
const notJson = "answered 200 with something that is not the console's JSON (text/html). ";
const address = "Check that feature-console:baseUrl is the address of the API";
const noList = "succeeded, but the answer is no list of gates. ";
const other = "Another service answers";
const refusal = "Unsupported API version";
const version = " a console of another version";

test.each<[what: string, status: number, body: string, start: string, then: string]>([
  ["a web page", 200, page, notJson, address],
  ["a web page that is missing", 404, page, "answered 404: no message. ", address],
  ["a JSON API of something else", 200, '{"hello":"world"}', noList, other],
  ["a JSON API that has no such route", 404, says("Not Found"), "answered 404: Not Found. ", other],
  ["a console that is too old", 404, says("Cannot GET /console/v1/gates"), "answered 404: ", version],
  ["a console of another envelope", 200, '{"version":1,"results":[{"id":"a"}]}', "", version],
  ["a console that refuses the version", 400, says(refusal), `answered 400: ${refusal}. `, version],
  ["a redirect", 302, "", "answered 302, a redirect, which is not followed", ""],
  ["a wrong key", 401, says(`An invalid API key was sent. Key: ${key}`), "answered 401: ", "Check the key"],
])("%s ends the run with one clear line, and nothing is written", async (_, status, body, start, then) => {
  await serve(status, body);
  const run = verify({ write: true }, portsFor(server.url));
  const { message } = await run.then(
    () => new Error("it came to its end"),
    (thrown: Error) => thrown,
  );
  expect(message.slice(0, `GET /gates ${start}`.length)).toBe(`GET /gates ${start}`);
  expect(message.slice(`GET /gates ${start}`.length)).toContain(then);
  expect([message.includes("\n"), message.includes(key)]).toEqual([false, false]);
  expect(new Set(methods)).toEqual(new Set(["GET"]));
});
