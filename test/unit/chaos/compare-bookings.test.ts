import { describe, expect, test } from 'vitest'
import type { ListedBooking } from '../../../chaos/crash/api-client.ts'
import { compareBookings, type Records } from '../../../chaos/crash/compare-bookings.ts'
import type { LedgerEntry } from '../../../sandbox/server/ledger.ts'

describe('the comparison of bookings', () => {
  const entry = {
    vendorReference: 'V1',
    ourReference: 'R1',
    status: 'confirmed',
    holder: 'Crash Qa',
  } as LedgerEntry
  const booking: ListedBooking = {
    booking_id: 'bkg_1',
    status: 'confirmed',
    vendor_id: 'hotelbeds',
    vendor_reference: 'V1',
    reference: 'R1',
    client_reference: 'Qa',
    cancellation: null,
  }
  const answer = { status: 201, text: JSON.stringify({ data: { booking_id: 'bkg_1' } }) }
  const sound: Records = {
    intents: [{ name: 'Qa', answers: [answer, answer] }],
    bookings: [booking],
    ledgers: { hotelbeds: [entry] },
    absenceIsNotFinal: ['hotelbeds'],
  }

  const policy = {
    cancelation: 'free',
    penalties: [{ from: '2099-01-01T00:00:00Z', until: null, amount: 50 }],
  }
  const shown = { chargedIn: 'EUR', total: 100, due: 0, board: 'breakfast', policy }
  const asShown: ListedBooking = {
    ...booking,
    total_price: 100,
    currency: 'EUR',
    due_at_property: 0,
    room: { board: 'breakfast' },
    cancel_policy: policy,
  }
  const agreed: Records = { ...sound, intents: [{ name: 'Qa', answers: [answer], shown }], bookings: [asShown] }

  test.each<[string, Partial<ListedBooking>]>([
    ['part of it due at the property', { due_at_property: 10 }],
    ['a smaller board', { room: { board: 'room_only' } }],
    ['nothing refundable', { cancel_policy: { cancelation: 'none', penalties: [] } }],
    [
      'a fee that is higher one day',
      { cancel_policy: { ...policy, penalties: policy.penalties.map((penalty) => ({ ...penalty, amount: 51 })) } },
    ],
  ])('terms that are worse than shown are found: %s', (_name, change) => {
    expect(compareBookings(agreed)).toEqual([])
    const lines = compareBookings({ ...agreed, bookings: [{ ...asShown, ...change }] })
    expect(lines.map((line) => line.split(':')[0])).toEqual(['WORSE'])
  })

  test('consistent records have no findings', () => {
    expect(compareBookings(sound)).toEqual([])
  })

  test.each<[string, string, Partial<Records>]>([
    ['one reference booked twice', 'DOUBLED', { ledgers: { hotelbeds: [entry, { ...entry, vendorReference: 'V2' }] } }],
    [
      'one guest booked under two references',
      'DOUBLED',
      { ledgers: { hotelbeds: [entry, { ...entry, vendorReference: 'V2', ourReference: 'R2' }] } },
    ],
    ['one intent with two bookings of ours', 'DOUBLED', { bookings: [booking, { ...booking, booking_id: 'bkg_2' }] }],
    ['a vendor booking that is unknown to us', 'ORPHAN', { bookings: [] }],
    ['a vendor booking that we report as rejected', 'LOST', { bookings: [{ ...booking, status: 'rejected' }] }],
    ['a cancellation that the vendor does not have', 'LOST', { bookings: [{ ...booking, status: 'cancelled' }] }],
    ['a different vendor reference', 'LOST', { bookings: [{ ...booking, vendor_reference: 'V9' }] }],
    ['a confirmation that no vendor has', 'PHANTOM', { ledgers: { hotelbeds: [] } }],
    ['a booking that stays in doubt', 'STUCK', { bookings: [{ ...booking, status: 'in_doubt' }] }],
    [
      'a needless review',
      'STUCK',
      { ledgers: {}, absenceIsNotFinal: [], bookings: [{ ...booking, status: 'needs_review' }] },
    ],
    [
      'a replay that differs',
      'REPLAY',
      { intents: [{ name: 'Qa', answers: [answer, { ...answer, text: `${answer.text} ` }] }] },
    ],
    [
      'a refusal of a confirmed booking',
      'UNTRUE',
      { intents: [{ name: 'Qa', answers: [{ status: 409, text: '{"booking_id":"bkg_1"}' }] }] },
    ],
  ])('inconsistent bookings are found: %s', (_name, kind, change) => {
    expect(compareBookings({ ...sound, ...change }).map((line) => line.split(':')[0])).toContain(kind)
  })
})
