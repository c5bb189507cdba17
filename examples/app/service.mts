import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { StatsigServer } from "statsig-node";

// Everything that differs between a laptop and production is in the environment.
const { STATSIG_SERVER_KEY, STATSIG_API, STATSIG_ENVIRONMENT, STATSIG_POLL_MS, PORT } = process.env;
if (!STATSIG_SERVER_KEY) throw new Error("Set STATSIG_SERVER_KEY to a server key of the project.");

const statsig = new StatsigServer(STATSIG_SERVER_KEY, {
  environment: { tier: STATSIG_ENVIRONMENT ?? "production" },
  ...(STATSIG_API ? { api: STATSIG_API } : {}),
  ...(STATSIG_POLL_MS ? { rulesetsSyncIntervalMs: Number(STATSIG_POLL_MS) } : {}),
});
await statsig.initializeAsync();

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "/", "http://localhost");
  const user = { userID: searchParams.get("user") ?? "", email: searchParams.get("email") ?? "" };
  const answer = {
    newCheckout: statsig.checkGate(user, "new_checkout"),
    maxItems: statsig.getConfig(user, "shop_limits").get("maxItems", 20),
    buttonColour: statsig.getLayer(user, "checkout_page").get("buttonColour", "blue"),
  };
  response.setHeader("content-type", "application/json").end(`${JSON.stringify(answer)}\n`);
});
server.listen(Number(PORT ?? 8080), "127.0.0.1");
await once(server, "listening");
console.log(`service: http://127.0.0.1:${(server.address() as AddressInfo).port}/?user=ada`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);

/** Answers what was asked and sends the events that are left. */
async function stop(): Promise<void> {
  server.close();
  await statsig.shutdownAsync();
}
