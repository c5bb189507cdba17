/** A smaller case that is wrong in the same way: parts of it go as long as it is. */
export async function shrink<Case>(
  whole: Case,
  smaller: (from: Case) => Iterable<Case>,
  isWrong: (one: Case) => Promise<boolean>,
): Promise<Case> {
  for (const next of smaller(whole)) if (await isWrong(next)) return shrink(next, smaller, isWrong);
  return whole;
}
