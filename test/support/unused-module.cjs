/**
 * Stands for modules that packages load and no test needs, half of all that a test would load: what Pulumi's SDK has for serialising
 * functions, automation and traces, and zod's languages. If something asked for a part of one, the test would fail here.
 */
module.exports = new Proxy(
  {},
  {
    get(_, name) {
      if (name === "__esModule" || typeof name === "symbol") return undefined;
      throw new Error(`A test asks for ${name} of a module that jest.config.cjs leaves out`);
    },
  },
);
