import { expect, test } from 'vitest'
import { namespacedKey } from '../../../src/booking/replay-answer.ts'
import { readGuests } from '../../../src/booking/routes/read-booking.ts'
import { estimatePercentile } from '../../../src/operator/vendors/latency.ts'
import { readTarget } from '../../../src/webhooks/webhook-target.ts'

test.each(['\u200d', '\u3164', '\u061c', '\u00ad', '\u180e', '\u034f', '\u{e0041}\u{e007f}', ' \u200d '])(
  'a name of invisible characters only is refused: %j',
  (name) => {
    expect(() => readGuests([{ given_name: name, family_name: 'Hopper' }])).toThrow()
    expect(readGuests([{ given_name: `A${name.trim()}b`, family_name: 'Hopper' }])).toHaveLength(1)
  },
)

test('a real idempotency key never equals the stored form of a simulated one', () => {
  const keys = ['X', 'simulated X', 'real X', 'real simulated X', 'simulated real X']
  const stored = keys.flatMap((key) => [namespacedKey(key, true), namespacedKey(key, false)])
  expect(new Set(stored).size).toBe(stored.length)
})

test.each(['https://example.com/a\nb', 'https://example.com/\r\nx', 'https://exa\tmple.com/', ' https://example.com/'])(
  'a webhook URL with white space or control characters is refused: %j',
  (url) => {
    expect(readTarget(url, false)).toMatchObject({ code: 'invalid_url' })
  },
)

test('percentiles never fall, even if several buckets have the same bound', () => {
  const buckets = [10, 1, 30, 2, 7].map((calls) => ({ upToMs: 100, calls }))
  const values = [0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99].map((share) => estimatePercentile(buckets, share) ?? 0)
  expect(values).toEqual(values.toSorted((a, b) => a - b))
})
