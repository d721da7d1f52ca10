import { expect, test } from 'vitest'
import { randomIds } from '../../../src/lib/ids.ts'

test('a reference is twenty symbols that survive upper-casing, and no two are the same', () => {
  const references = Array.from({ length: 5_000 }, () => randomIds.reference())
  expect(new Set(references).size).toBe(references.length)
  for (const reference of references) expect(reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{20}$/)
})

test('ids made together share their beginning, and what follows it is chance', () => {
  const ids = Array.from({ length: 5_000 }, () => randomIds.prefixed('bkg'))
  for (const id of ids) expect(id).toMatch(/^bkg_[0-9a-hjkmnp-tv-z]{20}$/)
  const chances = ids.map((id) => id.slice(-13))
  for (let place = 0; place < 13; place += 1) {
    const counts = new Map<string, number>()
    for (const chance of chances) counts.set(chance.charAt(place), (counts.get(chance.charAt(place)) ?? 0) + 1)
    expect(counts.size).toBe(32)
    expect(Math.max(...counts.values())).toBeLessThan(2 * (5_000 / 32))
  }
})
