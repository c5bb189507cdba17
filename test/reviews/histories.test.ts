import { expect, test } from "@jest/globals";
import type { Transport } from "../../src/provider/client/transport";
import { playHistory } from "./history";

/** Findings of 12 histories, up to one that is looked for. `through`: a fault between the provider and the console. */
async function findings(through?: (transport: Transport) => Transport, until?: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (let seed = 0; seed < 12 && !until?.test(found.at(-1) ?? ""); seed += 1) {
    const { steps, findings: wrong } = await playHistory(seed, 20, through);
    if (wrong.length > 0) found.push(`seed ${seed}: ${[...wrong, ...steps].join("\n")}`);
  }
  return found;
}

test("12 histories: accepted changes apply once, others never, and state says what is live", async () => {
  expect(await findings()).toEqual([]);
});

test("the check finds reviews that are opened twice", async () => {
  const unmarked = (transport: Transport): Transport => ({
    send({ body, ...request }) {
      const mark = /\\n\\n\[pulumi [^\]]*\]/;
      return transport.send(body === undefined ? request : { ...request, body: body.replace(mark, "") });
    },
  });
  const twice = /two open reviews of|has an open review/;
  expect((await findings(unmarked, twice)).at(-1)).toMatch(twice);
});

test("the check finds changes that nobody accepted", async () => {
  const unreviewed = (transport: Transport): Transport => ({
    async send(request) {
      const answer = await transport.send(request);
      const isReview = request.url.endsWith("/reviews") && request.body !== undefined;
      const rules = isReview ? JSON.parse(request.body ?? "").change.rules : undefined;
      const url = request.url.replace(/\/reviews$/, "");
      if (rules !== undefined)
        await transport.send({ ...request, method: "PATCH", url, body: JSON.stringify({ rules }) });
      return answer;
    },
  });
  const unaccepted = /and people accepted/;
  expect((await findings(unreviewed, unaccepted)).at(-1)).toMatch(unaccepted);
});
