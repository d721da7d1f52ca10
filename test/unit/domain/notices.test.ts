import { expect, test } from 'vitest'
import type { Notice } from '../../../src/domain/offer.ts'
import {
  createNotice,
  hashNotice,
  joinNotices,
  NOTICE_TEXT_MAX,
  renewNotices,
} from '../../../src/domain/property/notices.ts'

const notice = (kind: Notice['kind'], text: string): Notice => ({ kind, title: kind, text, requiredAt: ['voucher'] })
const comment = notice('rate_comment', 'City tax is paid on arrival.')
const fees = notice('fees', 'Resort fee: 20 a night.')

test('an empty text gives no notice, and an overlong one is truncated with an ellipsis', () => {
  expect(createNotice('fees', 'Fees', '')).toBeUndefined()
  const long = createNotice('fees', 'Fees', 'x'.repeat(3 * NOTICE_TEXT_MAX))
  expect(long?.text).toHaveLength(NOTICE_TEXT_MAX + 1)
  expect(long?.text.endsWith('…')).toBe(true)
})

test('every text is kept once, in order of appearance', () => {
  expect(joinNotices([comment, undefined], [fees, { ...comment }])).toEqual([comment, fees])
})

test('if one notice contains another of its kind, only the longer one is kept, whichever came first', () => {
  const longer = { ...comment, text: `2x Double. ${comment.text}` }
  expect(joinNotices([comment], [longer])).toEqual([longer])
  expect(joinNotices([longer], [comment])).toEqual([longer])
})

test('the same text of another kind is another notice', () => {
  const asPolicy = { ...comment, kind: 'policies' } as const
  expect(joinNotices([comment], [asPolicy])).toEqual([comment, asPolicy])
})

test('a vendor’s new notices replace those of their kind, and other kinds are kept', () => {
  const now = notice('rate_comment', 'No city tax in winter.')
  expect(renewNotices([comment, fees], [now])).toEqual([now, fees])
  expect(renewNotices([comment, fees], [])).toEqual([comment, fees])
})

test('the key of a notice depends on everything that a person reads', () => {
  const key = hashNotice(comment)
  expect(hashNotice({ ...comment })).toBe(key)
  for (const changed of [
    { ...comment, text: `${comment.text} ` },
    { ...comment, title: 'Other' },
    { ...comment, url: 'https://vendor.example' },
    { ...comment, kind: 'fees' as const },
  ])
    expect(hashNotice(changed)).not.toBe(key)
})
