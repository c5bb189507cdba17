/** True in `npm run prove -- cases`: tests that play a sample of their cases in `npm test` play all of them. */
export const playsAll: boolean = process.env.FEATURE_CONSOLE_TEST_ALL === "1";

/** A number of cases in `npm test`, and in `npm run prove -- cases`. */
export const sampleOf = (sample: number, all: number): number => (playsAll ? all : sample);
