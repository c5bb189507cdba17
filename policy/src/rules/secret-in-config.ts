import { pathText } from "pulumi-feature-console/facts";
import { defineRule, type Finding, titleOf } from "../rule";
import { looksSecret } from "../secrets";

interface Parameters {
  readonly except: readonly string[];
  readonly entropy: number;
}

/** Values of configs reach every application, many of them in browsers and on phones. */
export const secretInConfig = defineRule<Parameters>({
  name: "secret-in-config",
  description: "No value that applications get looks like a key or a password.",
  level: "mandatory",
  needs: "program",
  parameters: {
    except: {
      type: "array",
      items: { type: "string" },
      description: 'Places that are all right, as the message names them: "defaultValue.publicKey".',
      default: [],
    },
    entropy: {
      type: "number",
      minimum: 0,
      maximum: 8,
      description:
        "Words of 24 characters and more, with letters and digits, count from so many bits a character.",
      default: 4.2,
    },
  },
  judge(object, { except, entropy }): Finding[] {
    const places = object.kind
      .valueTexts(object.args)
      .filter(({ text }) => looksSecret(text, entropy))
      .map(({ path }) => pathText(path))
      .filter((place) => !except.includes(place));
    return places.map((place) => ({
      message: `${titleOf(object)}: ${place} looks like a key or a password, and every application gets it. Keep it where secrets are kept; if it is none, add the place to \`except\`.`,
    }));
  },
  examples: {
    violated: {
      kind: "DynamicConfig",
      args: { defaultValue: { maps: { url: "https://shop:correct-horse@maps.example.com" } } },
    },
    met: { kind: "DynamicConfig", args: { defaultValue: { maps: { url: "https://maps.example.com" } } } },
  },
});
