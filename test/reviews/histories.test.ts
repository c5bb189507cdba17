import { expect, test } from "@jest/globals";
import type { Transport } from "../../src/provider/client/transport";
import { type History, playHistory } from "./history";

async function play(count: number, planted?: (transport: Transport) => Transport): Promise<History[]> {
  const histories: History[] = [];
  for (let seed = 0; seed < count; seed += 1) histories.push(await playHistory(seed, 20, planted));
  return histories;
}

const changeIn = (body: string | undefined): { readonly rules?: unknown } =>
  body === undefined ? {} : (JSON.parse(body) as { change: { rules?: unknown } }).change;

const wrong = (histories: readonly History[]) => histories.filter(({ findings }) => findings.length > 0);

test("40 histories: accepted changes apply once, others never, and state says what is live", async () => {
  expect(wrong(await play(40))).toEqual([]);
});

test("the check finds reviews that are opened twice", async () => {
  const unmarked = (transport: Transport): Transport => ({
    send: (request) =>
      transport.send(
        request.body === undefined
          ? request
          : { ...request, body: request.body.replace(/\\n\\n\[pulumi [^\]]*\]/, "") },
      ),
  });
  expect(wrong(await play(40, unmarked)).flatMap(({ findings }) => findings)).toContainEqual(
    expect.stringMatching(/two open reviews of|has an open review/),
  );
});

test("the check finds changes that nobody accepted", async () => {
  const unreviewed = (transport: Transport): Transport => ({
    send: async (request) => {
      const { rules } = request.url.endsWith("/reviews") ? changeIn(request.body) : {};
      const answer = await transport.send(request);
      const change = {
        method: "PATCH" as const,
        url: request.url.replace(/\/reviews$/, ""),
        body: JSON.stringify({ rules }),
      };
      if (rules !== undefined) await transport.send({ ...request, ...change });
      return answer;
    },
  });
  expect(wrong(await play(40, unreviewed)).flatMap(({ findings }) => findings)).toContainEqual(
    expect.stringContaining("and people accepted"),
  );
});
