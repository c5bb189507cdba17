import { type Looks, lookWhile } from "../emulator/sdk/looks";
import { openBench } from "./bench";

const gates = 40;
const program = `
const write = new pulumi.Config().requireNumber("write");
for (let index = 0; index < ${gates}; index += 1)
  new fc.Gate(\`gate_\${index}\`, {
    rules: Array.from({ length: 20 }, (_, rule) => ({
      name: \`r\${rule}\`,
      passPercentage: write / 100,
      conditions: [{ type: "public" as const }],
    })),
  });
`;

/** Looks while `pulumi up` changes the same gates again and again: the gates of a document are never more than one update apart. */
export async function lookAtUpdates(clients: number, updates: number): Promise<Looks> {
  const bench = await openBench();
  let current = 0;
  const up = async (): Promise<void> => {
    current += 1;
    await bench.stack.setConfig("packed:write", String(current));
    await bench.stack.up({ timeoutMs: 600_000 });
  };
  try {
    await bench.write(program);
    await up();
    return await lookWhile(
      bench.emulator.url,
      clients,
      (writes) => (isOfOneUpdate(writes, current) ? undefined : `no state of an update: ${writes.join(" ")}`),
      async () => {
        for (let update = 0; update < updates; update += 1) await up();
      },
    );
  } finally {
    await bench.close();
  }
}

/** An update writes side by side, so that any of its gates may be ahead of the others, by one update. */
function isOfOneUpdate(writes: readonly number[], newest: number): boolean {
  const [first, last] = [Math.min(...writes), Math.max(...writes)];
  return writes.length === gates && last <= newest && last - first <= 1;
}
