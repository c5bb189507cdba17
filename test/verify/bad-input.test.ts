import { afterEach, expect, test } from "@jest/globals";
import { verify } from "../../src/tools/verify";
import { type HttpServer, serveHttp } from "../support/http-server";
import { key, portsFor } from "./run";

let server: HttpServer;
let methods: string[];
afterEach(() => server.close());

/** A service that answers every request alike. */
async function serve(status: number, type: string, body: string): Promise<void> {
  methods = [];
  server = await serveHttp((request, response) => {
    methods.push(String(request.method));
    response.writeHead(status, { "content-type": type }).end(body);
  });
}

const json = "application/json";
const cases: readonly [what: string, status: number, type: string, body: string, message: RegExp][] = [
  [
    "a web page",
    200,
    "text/html",
    "<html></html>",
    /^GET \/gates answered 200 with something that is not the console's JSON \(text\/html\)\. Check that feature-console:baseUrl is the address of the API/,
  ],
  [
    "a web page that is missing",
    404,
    "text/html",
    "<html></html>",
    /^GET \/gates answered 404: no message\. Check that feature-console:baseUrl is the address of the API/,
  ],
  [
    "a JSON API of something else",
    200,
    json,
    '{"hello":"world"}',
    /^GET \/gates succeeded, but the answer is no list of gates\. Another service answers/,
  ],
  [
    "a JSON API that has no such route",
    404,
    json,
    '{"message":"Not Found"}',
    /^GET \/gates answered 404: Not Found\. Another service answers/,
  ],
  [
    "a console that is too old for the routes",
    404,
    json,
    '{"message":"Cannot GET /console/v1/gates"}',
    /^GET \/gates answered 404: .* a console of another version/,
  ],
  [
    "a console of another envelope",
    200,
    json,
    '{"version":1,"results":[{"id":"a"}]}',
    /a console of another version/,
  ],
  [
    "a console that refuses the version",
    400,
    json,
    '{"message":"Unsupported API version"}',
    /^GET \/gates answered 400: Unsupported API version\. .* a console of another version/,
  ],
  ["a redirect", 302, "text/html", "", /^GET \/gates answered 302, a redirect, which is not followed/],
  [
    "a wrong key",
    401,
    json,
    `{"message":"An invalid API key was sent. Key: ${key}"}`,
    /^GET \/gates answered 401: .*Check the key/,
  ],
];

test.each(cases)(
  "%s ends the run with one clear line, and nothing is written",
  async (_, status, type, body, message) => {
    await serve(status, type, body);
    const error = await verify({ write: true }, portsFor(server.url)).catch(
      (thrown: unknown) => thrown as Error,
    );
    expect(error).toBeInstanceOf(Error);
    const text = (error as Error).message;
    expect(text).toMatch(message);
    expect([text.includes("\n"), text.includes(key)]).toEqual([false, false]);
    expect(new Set(methods)).toEqual(new Set(["GET"]));
  },
);
