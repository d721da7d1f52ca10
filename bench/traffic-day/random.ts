/** Numbers in [0, 1). */
export type Random = () => number

/** Waiting time until the next of events that come at `rate`. */
export const exponential = (random: Random, rate: number): number => -Math.log(1 - random()) / rate

/** Median times e^(spread × a normal number): how latencies look. */
export function logNormal(random: Random, median: number, spread: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return median * Math.exp(spread * normal)
}

/** Draws an index by weight, and knows each one's share. */
type Weighted = { draw(random: Random): number; shareOf(index: number): number }

export function weighted(weights: readonly number[]): Weighted {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const upTo = new Float64Array(weights.length)
  let sum = 0
  for (const [index, weight] of weights.entries()) {
    sum += weight / total
    upTo[index] = sum
  }
  return {
    draw(random) {
      const at = random()
      let low = 0
      let high = upTo.length - 1
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((upTo[middle] ?? 1) > at) high = middle
        else low = middle + 1
      }
      return low
    },
    shareOf: (index) => (weights[index] ?? 0) / total,
  }
}

/** The first is asked for most, the n-th 1/n^skew as often. */
export const zipf = (count: number, skew: number): Weighted =>
  weighted(Array.from({ length: count }, (_, index) => 1 / (index + 1) ** skew))
