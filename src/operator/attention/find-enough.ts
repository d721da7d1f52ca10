/** Stops here rather than reading the whole table. */
const SCANNED_MAX = 20_000

/** Returns up to `limit` of the found items that pass `keep`, and finds more while there are too few. */
export async function findEnough<Found, Kept>(
  limit: number,
  find: (wanted: number) => Promise<readonly Found[]>,
  keep: (found: readonly Found[]) => Promise<readonly Kept[]>,
): Promise<readonly Kept[]> {
  for (let wanted = limit; ; wanted *= 4) {
    const found = await find(wanted)
    const kept = await keep(found)
    if (kept.length >= limit || found.length < wanted || wanted >= SCANNED_MAX) return kept.slice(0, limit)
  }
}
