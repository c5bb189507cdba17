import { expect, test } from "@jest/globals";
import { lockHolders, withLock } from "../../src/tools/stack/stack-lock";

const locked =
  "error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with `pulumi cancel`.\n" +
  "  file:///state/.pulumi/locks/1.json: created by dev@laptop (pid 4711) at 2026-01-02T03:04:05Z\n";

/** A `pulumi` that answers an import in turn, and notes what it was asked. */
function answering(answers: readonly { status: number; stderr: string }[]) {
  const asked: string[] = [];
  const left = [...answers];
  return {
    asked,
    pulumi: (args: readonly string[]) => {
      asked.push(args.join(" "));
      const answer = args[0] === "cancel" ? { status: 0, stderr: "" } : left.shift();
      return Promise.resolve({ status: 1, stderr: "", ...answer, stdout: "" });
    },
  };
}
const done = { status: 0, stderr: "" };
const refused = { status: 255, stderr: locked };
const ports = { sleep: () => Promise.resolve(), report: () => undefined };

test("who holds a lock is read from what Pulumi says", () => {
  expect(lockHolders(locked)).toEqual([{ host: "laptop", pid: 4711 }]);
  expect(lockHolders("error: something else")).toEqual([]);
});

test("a lock that a killed process left is taken away", async () => {
  const { asked, pulumi } = answering([refused, done]);
  await expect(
    withLock(pulumi, "dev", ["import"], { ...ports, isAlive: () => false }),
  ).resolves.toMatchObject(done);
  expect(asked).toEqual(["import", "cancel --yes --stack dev", "import"]);
});

test("a process that still runs is waited for, and its lock is never taken away", async () => {
  const { asked, pulumi } = answering([refused, refused, done]);
  await expect(withLock(pulumi, "dev", ["import"], { ...ports, isAlive: () => true })).resolves.toMatchObject(
    done,
  );
  expect(asked).toEqual(["import", "import", "import"]);
});

test("a lock that cannot be taken away is told, and not tried for ever", async () => {
  const { asked, pulumi } = answering([refused, refused]);
  const result = await withLock(pulumi, "dev", ["import"], { ...ports, isAlive: () => false });
  expect(result).toMatchObject(refused);
  expect(asked).toEqual(["import", "cancel --yes --stack dev", "import"]);
});
