/** Duration of each timed experiment; the others are not limited and do not use the minutes. */
export const minutesEach = (minutes: number, chosen: readonly { readonly isTimed: boolean }[]): number =>
  minutes / Math.max(1, chosen.filter(({ isTimed }) => isTimed).length)
