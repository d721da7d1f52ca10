import { expect, test } from 'vitest'
import type { Room } from '../../../web/src/api/shapes.ts'
import { findOwnNotices, findSharedNotices } from '../../../web/src/property/shared-notices.ts'

const notice = (text: string, kind = 'policies') => ({ kind, title: '', text, url: null, required_at: ['detail'] })
const room = (vendor_id: string, ...texts: string[]) =>
  ({ vendor_id, notices: [...texts.map((text) => notice(text)), notice('terms', 'vendor_terms')] }) as unknown as Room

test('notices that all rates of a vendor share are shown once, and no notice is lost', () => {
  const rooms = [room('a', 'No lift', 'Deposit'), room('a', 'No lift'), room('b', 'Pool closed')]
  const shared = findSharedNotices(rooms)
  expect(shared.map(({ vendorId, notices }) => [vendorId, notices.map(({ text }) => text)])).toEqual([
    ['a', ['No lift']],
    ['b', ['Pool closed']],
  ])
  expect(rooms.map((rate) => findOwnNotices(rate, shared).map(({ text }) => text))).toEqual([['Deposit'], [], []])
})
