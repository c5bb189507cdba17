/** What is compared: this package, and a dynamic provider that does nothing. */
export const subjects = ["ours", "floor"] as const;

/** One of the two that are compared. */
export type SubjectName = (typeof subjects)[number];

/** What a program's gates say: as they are created, and with one field of each changed. */
export type Wording = "first" | "changed";

const ours = `import { Gate } from "pulumi-feature-console";
`;

const floor = `import * as pulumi from "@pulumi/pulumi";

const provider: pulumi.dynamic.ResourceProvider = {
  async create(inputs) {
    return { id: inputs.key, outs: inputs };
  },
  async read(id, props) {
    return { id, props };
  },
  async update(id, olds, news) {
    return { outs: news };
  },
  async delete() {},
};

class Gate extends pulumi.dynamic.Resource {
  constructor(name: string, args: object) {
    super(provider, name, { key: name, ...args });
  }
}
`;

/** A program of so many gates; the gates are the same for both. */
export function programOf(subject: SubjectName, count: number, wording: Wording): string {
  return `${subject === "ours" ? ours : floor}
for (let index = 0; index < ${count}; index += 1) {
  new Gate(\`gate_\${index}\`, {
    description: \`The ${wording} wording of gate number \${index}\`,
    isEnabled: true,
    type: "TEMPORARY",
    tags: ["checkout", \`team-\${index % 7}\`],
    rules: [
      {
        name: "Staff",
        passPercentage: 100,
        conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
      },
      {
        name: "First countries",
        passPercentage: 10,
        conditions: [{ type: "country", operator: "any", targetValue: ["NZ", "AU"] }],
      },
    ],
  });
}
`;
}
