/** Linear interpolation in a table sorted by its first column. */
export function interpolateLinear(table: readonly (readonly [number, number])[], x: number): number {
  let [x0, y0] = table[0] ?? [0, 0]
  for (const [x1, y1] of table) {
    if (x <= x1) return x1 === x0 ? y1 : y0 + ((y1 - y0) * (x - x0)) / (x1 - x0)
    x0 = x1
    y0 = y1
  }
  return y0
}
