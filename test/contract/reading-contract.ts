import { expect, test } from 'vitest'
import type { BookingChange } from '../../sandbox/server/booking-changes.ts'
import { compareReceipt } from '../../src/booking/compare-receipt.ts'
import type { Booking } from '../../src/domain/booking/booking.ts'
import type { RoomOffer } from '../../src/domain/offer.ts'
import type { Stay } from '../../src/domain/stay.ts'
import { addDays, dateIn, type PlainDate } from '../../src/lib/time/plain-date.ts'
import type { BookOrder, ListedBooking, Receipt } from '../../src/vendors/contract.ts'
import { VendorError } from '../../src/vendors/vendor-error.ts'
import { aBooking, aProperty } from '../support/booking/an-offer.ts'
import type { Steps } from './contract-steps.ts'

const DAY_MS = 86_400_000
const CHANGES: readonly (readonly [BookingChange, code: string])[] = [
  ['other_hotel', 'property_differs'],
  ['other_dates', 'dates_differ'],
  ['drop_room', 'rooms_differ'],
  ['cancel_room', 'room_cancelled'],
  ['reprice', 'price_differs'],
  ['other_guest', 'guests_differ'],
]

/** Reading bookings again, for every vendor. Only the fields that a vendor reports are compared. */
export function readingContract(steps: Steps): void {
  const { context, search, listRooms, anOrder, createLookup, find } = steps
  const twoRooms = (): Stay => ({
    ...steps.bench.stay,
    occupancies: [
      { adults: 2, childrenAges: [] },
      { adults: 1, childrenAges: [7] },
    ],
  })

  test('an unchanged booking is read as it was booked, whatever its terms, today and later', async () => {
    for (const stay of [steps.bench.stay, twoRooms()]) {
      let number = 0
      for await (const booking of bookings(stay)) {
        const { reference } = booking
        for (const days of [0, 20, 36]) {
          steps.bench.clock.advance(days * DAY_MS)
          const receipt = await find(reference)
          const { differs } = compareReceipt(booking, receipt ?? gone, steps.bench.clock.now())
          steps.bench.clock.advance(-days * DAY_MS)
          expect({ reference, days, differs }).toEqual({ reference, days, differs: [] })
        }
        number += 1
        if (number === 12) break
      }
      expect(number).toBe(12)
    }
  }, 60_000)

  if (steps.can('change_bookings')) {
    const possible = CHANGES.filter(([change]) => change !== 'cancel_room' || steps.can('cancel_rooms'))
    test.each(possible)('after %s the booking is read with the discrepancy %s', async (change, code) => {
      const booking = await makeBooking(twoRooms())
      expect(steps.bench.changeBooking(booking.reference, change)).toBe(true)
      const receipt = (await find(booking.reference)) ?? gone
      const found = compareReceipt(booking, receipt, steps.bench.clock.now()).differs.map(
        (difference) => difference.code,
      )
      expect(found).toContain(code)
      if (change === 'cancel_room') expect(receipt.roomStates?.filter((state) => state === 'cancelled')).toHaveLength(1)
    })

    test('a booking cancelled by the vendor is read as cancelled, and a vanished one is not found', async () => {
      const order = await anOrder('READING0CANCELLED001')
      const { vendorReference } = await steps.bench.vendor.book(order, context())
      const lookup = { ...createLookup(order.reference), vendorReference }
      expect(steps.bench.changeBooking(order.reference, 'cancel')).toBe(true)
      expect(await steps.bench.vendor.find(lookup, context())).toMatchObject({ state: 'cancelled' })
      steps.bench.changeBooking(order.reference, 'vanish')
      expect(await steps.bench.vendor.find(lookup, context())).toBeUndefined()
    })
  }

  if (steps.can('list_cancelled'))
    test('the list of cancelled bookings contains exactly those, by our references', async () => {
      const { vendor, stay } = steps.bench
      const orders: BookOrder[] = []
      for (const reference of ['READING0LISTED000001', 'READING0LISTED000002']) {
        const order = await anOrder(reference)
        await vendor.book(order, context())
        orders.push(order)
      }
      const reference = orders[0]?.reference ?? ''
      expect(steps.bench.changeBooking(reference, 'cancel')).toBe(true)
      const listed: ListedBooking[] = []
      const days = { from: stay.checkIn, to: stay.checkOut }
      for await (const page of vendor.listCancelled?.(days, context()) ?? []) listed.push(...page)
      expect(listed).toMatchObject([{ reference, state: 'cancelled' }])
    })

  if (steps.can('list_bookings'))
    test('the list of bookings contains all that were made on a day, in any state, with the vendor’s references', async () => {
      const { vendor, clock } = steps.bench
      const references = ['READING0LISTED000001', 'READING0LISTED000002']
      const made: Receipt[] = []
      for (const reference of references) made.push(await vendor.book(await anOrder(reference), context()))
      steps.bench.changeBooking(references[0] ?? '', 'cancel')
      const today = dateIn('UTC', clock.now())
      const list = async (day: PlainDate) => {
        const listed: ListedBooking[] = []
        for await (const page of vendor.listBookings?.({ from: day, to: day }, context()) ?? []) listed.push(...page)
        return listed
      }
      expect(await list(today)).toMatchObject([
        { reference: references[0], vendorReference: made[0]?.vendorReference, state: 'cancelled' },
        { reference: references[1], vendorReference: made[1]?.vendorReference, state: 'confirmed' },
      ])
      expect(await list(addDays(today, -2))).toEqual([])
    })

  if (steps.can('amend'))
    test('an amended booking is read with its new guests and no other change', async () => {
      const { vendor } = steps.bench
      const booking = await makeBooking(twoRooms())
      const guests = [
        { givenName: 'Grace', familyName: 'Hopper' },
        { givenName: 'Mary', familyName: 'Jackson' },
      ]
      await vendor.amend?.(
        createLookup(booking.reference),
        { guests, specialRequests: 'A quiet room', stay: booking.stay, acceptsPrice: () => true },
        context(),
      )
      const contact = { email: '', phone: '' }
      const persons = { ...booking.persons, guests: guests.map((guest) => ({ ...guest, ...contact })) }
      const receipt = (await find(booking.reference)) ?? gone
      expect(compareReceipt({ ...booking, persons }, receipt, steps.bench.clock.now()).differs).toEqual([])
      expect(compareReceipt(booking, receipt, steps.bench.clock.now()).differs).toMatchObject([
        { code: 'guests_differ' },
      ])
    })

  async function makeBooking(stay: Stay): Promise<Booking> {
    for await (const booking of bookings(stay)) return booking
    throw new Error('nothing is for sale')
  }

  /** Lazily books everything that is for sale. */
  async function* bookings(stay: Stay): AsyncGenerator<Booking> {
    const { offers } = await search(steps.bench.propertyIds, stay)
    let number = 0
    for (const { vendorPropertyId } of offers) {
      for (const offer of (await listRooms(vendorPropertyId, stay)).slice(0, 3)) {
        number += 1
        const reference = `READING${stay.occupancies.length}X${String(number).padStart(11, '0')}`
        const booking = await booked(offer, stay, vendorPropertyId, reference).catch(unlessSoldOut)
        if (booking !== undefined) yield booking
      }
    }
  }

  async function booked(offer: RoomOffer, stay: Stay, vendorPropertyId: string, reference: string) {
    const check = await steps.bench.vendor.priceCheck(offer.ref, context())
    if (check.status === 'sold_out') return undefined
    const guests = stay.occupancies.map((_, room) => ({ givenName: `Ada${'abcdefgh'[room]}`, familyName: 'Guest' }))
    const { email } = createLookup(reference)
    const order: BookOrder = {
      ref: check.ref,
      reference,
      guests,
      contact: { email, phone: '+33612345678' },
      specialRequests: '',
      stay,
    }
    const receipt = await steps.bench.vendor.book(order, context())
    expect(receipt.state).toBe('confirmed')
    return aBooking({
      reference,
      state: 'confirmed',
      vendorReference: receipt.vendorReference,
      property: { ...aProperty, vendorPropertyId },
      room: { roomId: offer.roomId, name: offer.name, beds: offer.beds, board: check.board ?? offer.board },
      stay,
      price: check.price,
      cancel: check.cancel ?? offer.cancel,
      persons: {
        guests: guests.map((guest) => ({ ...guest, email, phone: '' })),
        contact: order.contact,
        specialRequests: '',
      },
    })
  }
}

/** The last room may be sold out for a stay of two rooms. */
function unlessSoldOut(error: unknown): undefined {
  if (!(error instanceof VendorError) || error.fault !== 'sold_out') throw error
}

const gone: Receipt = { state: 'cancelled', vendorReference: '' }
