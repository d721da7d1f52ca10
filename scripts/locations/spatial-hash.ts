import type { Point } from '../../src/lib/geo.ts'

/** Items around a point: everything in its cell of `cellDegrees` and the eight neighbouring cells. */
export function createSpatialHash<T extends Point>(items: readonly T[], cellDegrees: number): (point: Point) => T[] {
  const cells = new Map<number, T[]>()
  const toRow = (lat: number) => Math.floor((lat + 90) / cellDegrees)
  const columns = Math.ceil(360 / cellDegrees)
  const toColumn = (lon: number) => Math.floor((lon + 180) / cellDegrees) % columns
  const toCell = (row: number, column: number) => row * columns + ((column + columns) % columns)
  for (const item of items) {
    const cell = toCell(toRow(item.lat), toColumn(item.lon))
    const members = cells.get(cell)
    if (members === undefined) cells.set(cell, [item])
    else members.push(item)
  }
  return (point) => {
    const found: T[] = []
    for (let row = -1; row <= 1; row++) {
      for (let column = -1; column <= 1; column++) {
        const members = cells.get(toCell(toRow(point.lat) + row, toColumn(point.lon) + column))
        if (members !== undefined) for (const item of members) found.push(item)
      }
    }
    return found
  }
}
