/** How long each of the experiments runs that share the minutes; the others take as long as they need and get none of them. */
export const minutesEach = (minutes: number, chosen: readonly { readonly isTimed: boolean }[]): number =>
  minutes / Math.max(1, chosen.filter(({ isTimed }) => isTimed).length)
