const BLOCK_BITS = 5
const BLOCK = 1 << BLOCK_BITS

/** Position of the greatest value in `[from, to)`; the leftmost of equals. The range must not be empty. */
export type RangeMaximum = (from: number, to: number) => number

/**
 * Answers "where is the best score between here and there" in constant time: blocks of 32 are scanned, and a
 * sparse table over the block winners covers whatever lies between. Repeating it on the two halves beside each
 * winner lists a range best first without ever sorting it, which is why "san" costs no more than "sanremo".
 */
export function createRangeMaximum(values: Uint16Array, table = winnersOfBlocks(values)): RangeMaximum {
  function scan(from: number, to: number): number {
    let best = from
    let bestValue = values[from] as number
    for (let i = from + 1; i < to; i++) {
      const value = values[i] as number
      if (value > bestValue) {
        best = i
        bestValue = value
      }
    }
    return best
  }

  const better = (a: number, b: number): number => ((values[b] as number) > (values[a] as number) ? b : a)

  return function rangeMaximum(from, to) {
    const firstBlock = (from + BLOCK - 1) >> BLOCK_BITS
    const lastBlock = to >> BLOCK_BITS
    if (firstBlock >= lastBlock) return scan(from, to)
    const level = 31 - Math.clz32(lastBlock - firstBlock)
    const row = table[level] as Uint32Array
    let best = better(row[firstBlock] as number, row[lastBlock - (1 << level)] as number)
    const blocksStart = firstBlock << BLOCK_BITS
    const blocksEnd = lastBlock << BLOCK_BITS
    if (from < blocksStart) best = better(scan(from, blocksStart), best)
    if (blocksEnd < to) best = better(best, scan(blocksEnd, to))
    return best
  }
}

/** The sparse table: for each power of two, where the best of that many blocks is. */
export function winnersOfBlocks(values: Uint16Array): Uint32Array[] {
  const blocks = values.length >> BLOCK_BITS
  const first = new Uint32Array(blocks)
  for (let block = 0; block < blocks; block++) {
    let best = block << BLOCK_BITS
    for (let i = best + 1; i < (block + 1) << BLOCK_BITS; i++) {
      if ((values[i] as number) > (values[best] as number)) best = i
    }
    first[block] = best
  }
  const table = [first]
  for (let width = 2; width <= blocks; width *= 2) {
    const below = table.at(-1) as Uint32Array
    const row = new Uint32Array(blocks - width + 1)
    for (let block = 0; block < row.length; block++) {
      const left = below[block] as number
      const right = below[block + width / 2] as number
      row[block] = (values[right] as number) > (values[left] as number) ? right : left
    }
    table.push(row)
  }
  return table
}
