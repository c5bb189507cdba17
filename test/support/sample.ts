/** True in `npm run prove -- cases`: tests that play a sample of their cases in `npm test` play all of them. */
export const playsAll: boolean = process.env.FEATURE_CONSOLE_TEST_ALL === "1";

/** One of the settings in `npm test`, the next for each case, and all of them in `npm run prove -- cases`. */
export const inTurn = <T>(settings: readonly T[], at: number): readonly T[] =>
  playsAll ? settings : settings.slice(at % settings.length, (at % settings.length) + 1);

/** A number of cases in `npm test`, and in `npm run prove -- cases`. */
export const caseCount = (sample: number, all: number): number => (playsAll ? all : sample);
