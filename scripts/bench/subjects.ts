import shown from "./shown-gate.json";

/**
 * What is compared: this package; a dynamic provider that does nothing; and one that does nothing either, but whose state
 * shows as much of a gate as this package's does. Pulumi's engine and host take time for each value of a state.
 */
export const subjects = ["ours", "floor", "same state"] as const;

/**
 * What is compared with `--native`: the dynamic provider, and the native plugin from two languages, each beside a plugin that does
 * nothing; from the language that costs least, beside one too whose state shows a whole gate.
 */
export const nativeSubjects = [
  ...(["ours", "native", "native floor"] as const),
  ...(["yaml", "yaml floor", "yaml same state"] as const),
] as const;

/** One of those that are compared. */
export type SubjectName = (typeof subjects | typeof nativeSubjects)[number];

/** What a program's gates say: as they are created, and with one field of each changed. */
export type Wording = "first" | "changed";

const ours = `import { Gate } from "pulumi-feature-console";
`;

const native = `import { Gate } from "pulumi-feature-console/native";
`;

const nativeIdle = `import * as pulumi from "@pulumi/pulumi";

class Gate extends pulumi.CustomResource {
  constructor(name: string, args: object) {
    super("idle:index:Gate", name, { key: name, ...args });
  }
}
`;

const idle = `import * as pulumi from "@pulumi/pulumi";

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
`;

const sameState = `import * as pulumi from "@pulumi/pulumi";

const shown = ${JSON.stringify(shown.gate)};

const outputsOf = (inputs: any) => ({
  ...inputs,
  ...shown,
  rules: inputs.rules.map((rule: object) => ({ ...rule, ...${JSON.stringify(shown.rule)} })),
});

const provider: pulumi.dynamic.ResourceProvider = {
  async diff(id, olds, news) {
    return { changes: olds.description !== news.description };
  },
  async create(inputs) {
    return { id: inputs.key, outs: outputsOf(inputs) };
  },
  async read(id, props: any) {
    const { key, name, description, isEnabled, type, tags } = props;
    const rules = props.rules.map(({ id, baseID, ...rule }: any) => rule);
    return { id, props, inputs: { key, name, description, isEnabled, type, tags, rules } };
  },
  async update(id, olds, news) {
    return { outs: outputsOf(news) };
  },
  async delete() {},
};
`;

const gate = `
class Gate extends pulumi.dynamic.Resource {
  constructor(name: string, args: object) {
    super(provider, name, { key: name, ...args });
  }
}
`;

/** The start of a program in TypeScript, or the type of its gates in YAML. */
const starts: Readonly<Record<SubjectName, { readonly typescript: string } | { readonly yaml: string }>> = {
  ours: { typescript: ours },
  floor: { typescript: idle + gate },
  "same state": { typescript: sameState + gate },
  native: { typescript: native },
  "native floor": { typescript: nativeIdle },
  yaml: { yaml: "feature-console:Gate" },
  "yaml floor": { yaml: "idle:Gate" },
  "yaml same state": { yaml: "idle:ShownGate" },
};

/** A program and the file of a project that holds it. */
export interface Program {
  readonly file: "index.ts" | "Pulumi.yaml";
  readonly text: string;
}

/** A program of so many gates; the gates are the same for all, but for `keys`, which begins each key: all subjects share a console. */
export function programOf(subject: SubjectName, keys: string, count: number, wording: Wording): Program {
  const start = starts[subject];
  if ("yaml" in start) return { file: "Pulumi.yaml", text: yamlOf(start.yaml, keys, count, wording) };
  return { file: "index.ts", text: `${start.typescript}${gatesOf(keys, count, wording)}` };
}

function gatesOf(keys: string, count: number, wording: Wording): string {
  return `
for (let index = 0; index < ${count}; index += 1) {
  new Gate(\`${keys}_\${index}\`, {
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

function yamlOf(type: string, keys: string, count: number, wording: Wording): string {
  const gates = Array.from({ length: count }, (_, index) => {
    const key = `${keys}_${index}`;
    return `  ${key}:
    type: ${type}
    properties:
      key: ${key}
      description: The ${wording} wording of gate number ${index}
      isEnabled: true
      type: TEMPORARY
      tags: [checkout, team-${index % 7}]
      rules:
        - name: Staff
          passPercentage: 100
          conditions: [{ type: email, operator: str_contains_any, targetValue: ["@example.com"] }]
        - name: First countries
          passPercentage: 10
          conditions: [{ type: country, operator: any, targetValue: ["NZ", "AU"] }]
`;
  });
  return `name: bench\nruntime: yaml\nresources:\n${gates.join("")}`;
}
