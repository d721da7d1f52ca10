import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scoreProperties } from '../../../scripts/score/score-properties.ts'
import { labelledWorld, readPlaces } from '../../support/sandbox/labelled-world.ts'

// A third of the places keeps this fast; bench/matching.ts measures all of them, 14,000 pairs.
const places = readPlaces(readFileSync(new URL('./fixtures/places.tsv', import.meta.url), 'utf8')).filter(
  (_, row) => row % 3 === 0,
)

test('property matching reaches precision 0.995 and recall 0.95 on thousands of pairs with look-alikes', () => {
  const { right, wrong, unlabelled, missed, twins } = scoreProperties(labelledWorld(places))
  expect(right).toBeGreaterThan(4_000)
  // Every pair in this world is labelled, so any other join is wrong.
  expect(right / (right + wrong.length + unlabelled.length)).toBeGreaterThanOrEqual(0.995)
  expect(right / (right + missed.length)).toBeGreaterThanOrEqual(0.95)
  expect(twins).toBeGreaterThan(10)
}, 60_000)
