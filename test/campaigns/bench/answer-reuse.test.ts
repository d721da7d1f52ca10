import { describe, expect, test } from 'vitest'
import { askAt, nothingKept, type Origin, originOfOne, type Reuse } from '../../../bench/traffic-day/answer-reuse.ts'
import { exponential, zipf } from '../../../bench/traffic-day/random.ts'
import { createRandom } from '../../../sandbox/world/hash.ts'

const ALONE: Reuse = { ownS: 45, sharedS: 0, processes: 1, latencyS: 0 }
const NEVER = { askedBeforeS: undefined }

function reusedShare(ratePerSecond: number, reuse: Reuse, count = 40_000): number {
  const random = createRandom(7).next
  let reused = 0
  for (let at = 0; at < count; at += 1) {
    if (originOfOne(random, ratePerSecond, reuse, NEVER) !== 'asked') reused += 1
  }
  return reused / count
}

test('what was asked serves its process, then all of them through Redis, then nobody', () => {
  const reuse = { ownS: 15, sharedS: 30, processes: 2, latencyS: 1 }
  const kept = nothingKept()
  const asked: [at: number, process: number, Origin][] = [
    [0, 0, 'asked'],
    [0.5, 0, 'own'],
    [15.9, 0, 'own'],
    [16, 0, 'shared'],
    [30.9, 1, 'shared'],
    [45.8, 1, 'own'],
    [45.9, 1, 'asked'],
  ]
  for (const [at, process, origin] of asked) expect(askAt(kept, at, process, reuse)).toBe(origin)
})

describe('the share that is reused', () => {
  test.each([0.001, 0.01, 0.05, 0.5, 2])('is λT/(1+λT) in one process at %d a second', (rate) => {
    const expected = (rate * 45) / (1 + rate * 45)
    expect(Math.abs(reusedShare(rate, ALONE) - expected)).toBeLessThan(0.01)
  })

  test('is nothing where nobody else asks', () => {
    expect(reusedShare(0, ALONE, 100)).toBe(0)
  })

  test('falls with every process where there is no Redis, and hardly where there is', () => {
    const spread = { ownS: 45, sharedS: 0, processes: 64, latencyS: 0 }
    const joined = { ownS: 15, sharedS: 30, processes: 64, latencyS: 0 }
    expect(reusedShare(0.1, spread)).toBeLessThan(0.1)
    expect(reusedShare(0.1, joined)).toBeGreaterThan(0.7)
  })

  test('counts who waits for an answer that is under way', () => {
    const random = createRandom(3).next
    expect(originOfOne(random, 0, { ...ALONE, ownS: 0, latencyS: 2 }, { askedBeforeS: 1 })).toBe('own')
    expect(originOfOne(random, 0, { ...ALONE, ownS: 0, latencyS: 2 }, { askedBeforeS: 3 })).toBe('asked')
  })

  test('of a sample is that of a whole stream, played from end to end', () => {
    const reuse = { ownS: 5, sharedS: 10, processes: 3, latencyS: 0.5 }
    const questions = zipf(200, 1)
    const random = createRandom(11).next
    const kept = Array.from({ length: 200 }, nothingKept)
    let [reused, all] = [0, 0]
    for (let at = 0; at < 20_000; at += exponential(random, 4)) {
      const state = kept[questions.draw(random)] ?? nothingKept()
      const origin = askAt(state, at, Math.floor(random() * 3), reuse)
      if (at < 100) continue
      all += 1
      if (origin !== 'asked') reused += 1
    }
    let sampled = 0
    for (let count = 0; count < 20_000; count += 1) {
      const question = questions.draw(random)
      if (originOfOne(random, 4 * questions.shareOf(question), reuse, NEVER) !== 'asked') sampled += 1
    }
    expect(Math.abs(sampled / 20_000 - reused / all)).toBeLessThan(0.015)
  })
})
