import { defineRule, titleOf } from "../rule";

/** A job that can decrypt the state of a stack has the values of its keys, and a preview runs the code of a branch. */
export const writeKey = defineRule<object>({
  name: "write-key",
  description: "No key that may write to the console is in a stack that previews can decrypt.",
  level: "mandatory",
  needs: "program",
  parameters: {},
  judge: (object) =>
    object.kind.grantsWrites(object.args)
      ? [
          {
            message: `${titleOf(object)} may write to the console, and whoever can decrypt the state of this stack has its value. Declare it in a stack of its own, whose passphrase no preview has, and disable this rule there.`,
          },
        ]
      : [],
  examples: {
    violated: { kind: "Key", args: { type: "CONSOLE", scopes: ["omni_read_write"] } },
    met: { kind: "Key", args: { type: "CONSOLE", scopes: ["omni_read_only"] } },
  },
});
