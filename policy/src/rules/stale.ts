import { defineRule, type Finding, titleOf } from "../rule";

interface Parameters {
  readonly except: readonly string[];
}

/** What the console says of an object that is not stale. */
const fresh = "NONE";

/** What the console calls stale is told again with each preview, until it goes. */
export const stale = defineRule<Parameters>({
  name: "stale",
  description: "Nothing that the console calls stale stays in the program.",
  level: "advisory",
  needs: "state",
  parameters: {
    except: {
      type: "array",
      items: { type: "string" },
      description: "Reasons of the console that do not count, such as STALE_NO_RULES.",
      default: [],
    },
  },
  judge(object, { except }): Finding[] {
    const reason = object.before?.typeReason;
    if (typeof reason !== "string" || reason === fresh || !/^[A-Z_]+$/.test(reason)) return [];
    if (except.includes(reason)) return [];
    return [
      {
        message: `${titleOf(object)} is stale: the console returns ${reason}. Take it out of the code that asks for it and then out of the program, or declare it \`type: "PERMANENT"\`.`,
      },
    ];
  },
  examples: {
    violated: { kind: "Gate", before: { typeReason: "STALE_PROBABLY_LAUNCHED" }, args: {} },
    met: { kind: "Gate", before: { typeReason: "NONE" }, args: {} },
  },
});
