/**
 * How long to wait after the n-th failure: the n-th of these times, and from then on the last. Spread by a fifth, so that a receiver
 * that comes back is not sent everything at once.
 */
export const retryWaits =
  (waitsMs: readonly number[]) =>
  (failures: number, random: () => number): number =>
    Math.round((waitsMs[failures - 1] ?? waitsMs.at(-1) ?? 0) * (0.8 + 0.4 * random()))
