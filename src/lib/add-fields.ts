/** Adds the numeric fields of two records. Other fields are taken from the first. */
export const addFields = <T extends object>(a: T, b: Partial<T>): T => {
  const sums = Object.entries(a).map(([name, value]) => [
    name,
    typeof value === 'number' ? value + Number(Reflect.get(b, name) ?? 0) : value,
  ])
  return Object.fromEntries(sums)
}
