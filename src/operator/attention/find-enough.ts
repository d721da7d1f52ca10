/** Beyond this, what is looked for is left out rather than the database read through. */
const LOOKED_AT_MAX = 20_000

/**
 * Of what `find` gives, as much as `keep` leaves, up to `most`. Asks for more while too little is left, because what is done
 * with may come before what is not.
 */
export async function findEnough<Found, Kept>(
  most: number,
  find: (wanted: number) => Promise<readonly Found[]>,
  keep: (found: readonly Found[]) => Promise<readonly Kept[]>,
): Promise<readonly Kept[]> {
  for (let wanted = most; ; wanted *= 4) {
    const found = await find(wanted)
    const kept = await keep(found)
    if (kept.length >= most || found.length < wanted || wanted >= LOOKED_AT_MAX) return kept.slice(0, most)
  }
}
