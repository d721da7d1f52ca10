/** Vendors count the rooms of one kind. A number below the rooms asked for would contradict the total. */
export const isScarce = (count: number | null, rooms: number): count is number =>
  count !== null && count >= rooms && count <= 5
