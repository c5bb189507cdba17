import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { jsonText } from "../../src/provider/texts/issue-text";
import { type Review, reviewMarkdown, reviewPage } from "../../src/tools/review";
import { ReviewDesk } from "./desk";

let api: ReviewDesk;
beforeEach(() => {
  api = new ReviewDesk();
});
afterEach(() => api?.close());

const flags = (count: number, description: string) =>
  [...Array(count).keys()].map((n) => `new fc.Gate("flag_${n}", { description: "${description} ${n}" });\n`);
const others = (description: string) => `new fc.Gate("same", {});
new fc.DynamicConfig("limits", { description: "${description}" });
new fc.Tag("staff", { description: "${description}" });
`;

async function applied(count: number): Promise<void> {
  await api.apply(flags(count, "Old").join("") + others("Old"));
  api.write(`${flags(count, "New").join("")}${others("New")}new fc.Gate("new", {});\n`);
}

async function expose(gate: string, times: number): Promise<void> {
  const events = Array(times).fill({ eventName: "statsig::gate_exposure", metadata: { gate } });
  const { status } = await api.emulator.transport.send({
    ...{ method: "POST", url: "http://embedded/v1/log_event", body: JSON.stringify({ events }) },
    headers: { "content-type": "application/json" },
  });
  expect(status).toBeLessThan(300);
}

const countRequests = () => api.emulator.requests.filter(({ path }) => path.endsWith("/exposure_count"));
const exposuresIn = ({ changes }: Review) =>
  Object.fromEntries(changes.map(({ name, exposures }) => [name, exposures]));

test("a report shows the exposures of each changed flag that the console has, in each of its forms", async () => {
  await applied(2);
  await expose("flag_0", 1200);
  api.now += 30 * 3_600_000;
  await expose("flag_0", 34);
  const review = await api.report();
  expect(exposuresIn(review)).toEqual({
    flag_0: { pastDay: 34, past7Days: 1234 },
    ...{ flag_1: { pastDay: 0, past7Days: 0 }, limits: { pastDay: 0, past7Days: 0 } },
    ...{ staff: undefined, new: undefined },
  });
  const busy = "1,234 exposures in the past 7 days, 34 in the past day";
  expect(reviewMarkdown(review)).toContain(busy);
  expect(reviewPage(review)).toContain(busy);
  expect(reviewPage(review)).toContain("no exposures in the past 7 days");
  expect(JSON.parse(jsonText(review)).changes).toContainEqual(
    expect.objectContaining({ name: "flag_0", exposures: { pastDay: 34, past7Days: 1234 } }),
  );
});

test("25 ids are counted in a request, and those of unchanged objects are not", async () => {
  await applied(30);
  const review = await api.report();
  expect(Object.values(exposuresIn(review)).filter((one) => one !== undefined)).toHaveLength(31);
  const asked = countRequests().map(({ query }) => [...new URLSearchParams(query).values()]);
  expect(asked.map((ids) => ids.length)).toEqual([25, 6]);
  expect(asked.flat()).not.toContain("same");
});

test("a key that may not see exposures leaves them out, and the report is complete", async () => {
  await applied(1);
  api.emulator.addFaults([{ times: 1, path: "/exposure_count", status: 403 }]);
  const review = await api.report();
  expect(review).toMatchObject({ console: "asked", notes: [] });
  expect(review.changes.filter(({ exposures }) => exposures !== undefined)).toEqual([]);
  expect(reviewMarkdown(review)).not.toContain("exposures");
});

test("a very large preview is counted with ten requests", async () => {
  await applied(251);
  const review = await api.report();
  expect(countRequests()).toHaveLength(10);
  expect(Object.values(exposuresIn(review)).filter((one) => one !== undefined)).toHaveLength(250);
});
