const { appendFileSync, readFileSync } = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const { TestEnvironment } = require("jest-environment-node");

/**
 * Jest's environment for Node.js with a plain global object. Jest puts a proxy in its place, to empty it after each file, and every
 * `Object` or `JSON` in the code goes through that: an eighth of the time of all tests. Where `npm test` asks for it, notes what each
 * test file costs.
 */
module.exports = class extends TestEnvironment {
  #file;
  #before = processorSeconds();

  constructor(config, context) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    this.#file = context.testPath;
    // As users have it: Jest asks for a hundred lines of each error's stack, and no test reads them.
    this.global.Error.stackTraceLimit = 10;
  }

  async teardown() {
    await super.teardown();
    const notes = process.env.FEATURE_CONSOLE_TEST_COSTS;
    if (notes === undefined) return;
    const { own, started } = processorSeconds();
    const cost = {
      file: path.relative(process.cwd(), this.#file).replaceAll(path.sep, "/"),
      ownSeconds: own - this.#before.own,
      startedSeconds: started - this.#before.started,
    };
    appendFileSync(notes, `${JSON.stringify(cost)}\n`);
  }
};

/** Hundredths of a second are the unit in which Linux counts. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time of this worker, and of all processes that it has started and seen the end of; 0 where the system does not tell. */
function processorSeconds() {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
    return { own, started: (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND };
  } catch {
    return { own, started: 0 };
  }
}
