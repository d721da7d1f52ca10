/** Wait after the n-th failure; the last entry repeats. ±20 % jitter spreads the retries to a receiver that recovers. */
export const createBackoff =
  (waitsMs: readonly number[]) =>
  (failures: number, random: () => number): number =>
    Math.round((waitsMs[failures - 1] ?? waitsMs.at(-1) ?? 0) * (0.8 + 0.4 * random()))
