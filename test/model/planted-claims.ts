import type { PlantedBug } from "./planted";

/** Mistakes about whose an object is, where several stacks, backends and checkouts have to do with one console. */
export const plantedClaims: readonly PlantedBug[] = [
  {
    name: "a removal asks no journal whether another stack has adopted the object",
    seed: 55,
    patches: [
      {
        file: "provider/engine/delete.ts",
        find: "takenSince: taker !== undefined,",
        replace: "takenSince: false,",
      },
    ],
    breaks: ["a removal leaves what another stack has adopted since"],
  },
  {
    name: "stacks of one name in two backends are one",
    seed: 68,
    patches: [
      {
        file: "provider/pulumi/process.ts",
        find: "stackMark({ name: this.stack, backend: this.backend() })",
        replace: "this.stack",
      },
    ],
    breaks: [
      "what another stack or a person holds is not taken into state",
      "what another stack or a person holds is left alone",
    ],
  },
  {
    name: "nobody reads the archive reason",
    seed: 304,
    patches: [
      {
        file: "provider/engine/claims/evidence.ts",
        find: "if (mayBeSameStack(archiver.stack, stack))",
        replace: "if (mayBeSameStack(archiver.stack, stack) && false)",
      },
    ],
    breaks: ["what a stack archived comes back from any checkout"],
  },
];
