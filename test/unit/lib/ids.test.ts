import { expect, test } from 'vitest'
import { randomIds } from '../../../src/lib/crypto/ids.ts'

test('ids created together share a prefix, and the rest is random', () => {
  const ids = Array.from({ length: 5_000 }, () => randomIds.prefixed('bkg'))
  for (const id of ids) expect(id).toMatch(/^bkg_[0-9a-hjkmnp-tv-z]{20}$/)
  expect(new Set(ids.map((id) => id.slice(0, 7))).size).toBe(1)
  expectChance(
    ids.map((id) => id.slice(-13)),
    13,
  )
})

/** Expects every symbol in every position about equally often. */
function expectChance(texts: readonly string[], length: number): void {
  expect(new Set(texts).size).toBe(texts.length)
  for (let place = 0; place < length; place += 1) {
    const counts = new Map<string, number>()
    for (const text of texts) counts.set(text.charAt(place), (counts.get(text.charAt(place)) ?? 0) + 1)
    expect(counts.size).toBe(32)
    expect(Math.max(...counts.values())).toBeLessThan(2 * (texts.length / 32))
  }
}
