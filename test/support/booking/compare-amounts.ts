import { expect } from 'vitest'
import { minorDigits } from '../../../src/domain/money/currency.ts'
import type { VendorId } from '../../../src/domain/offer.ts'
import { addDays, dateIn } from '../../../src/lib/time/plain-date.ts'
import type { Booking, Detail, PriceCheck, Room, Summary } from '../../../web/src/api/shapes.ts'
import { buildBookBody, type Checkout } from '../../../web/src/checkout/checkout.ts'
import { bookedCharge, type Charge, chargeOf, dueNow, priceBeforeTaxes } from '../../../web/src/offer/charge.ts'
import { hasTextFees } from '../../../web/src/offer/text-fees.ts'
import { findFirstOffer } from '../../../web/src/property/room-groups.ts'
import { ACCOUNT } from '../app/app.ts'
import { type LedgerApp, ledgerApp } from '../app/ledger-app.ts'
import { type Mailbox, mailThrough, startMailbox } from '../mail/mailbox.ts'

export type AmountCase = {
  readonly vendorId: VendorId
  readonly currency: string
  readonly rooms: number
  readonly conditions: Readonly<Record<string, unknown>>
}

const CONDITIONS = [{}, { free_cancellation: true }, { boards: ['breakfast', 'half_board'] }]

/** Every combination of vendor, two currencies, one and two rooms, with and without conditions. */
export const listAmountCases = (vendorIds: readonly VendorId[]): AmountCase[] =>
  vendorIds.flatMap((vendorId) =>
    ['EUR', 'GBP'].flatMap((currency) =>
      [1, 2].flatMap((rooms) => CONDITIONS.map((conditions) => ({ vendorId, currency, rooms, conditions }))),
    ),
  )

const GUEST = { given: 'Ana', family: 'Costa' }

/** An app whose account sees net prices and whose mails reach the mailbox. */
export async function openAmountsApp() {
  const mailbox = await startMailbox({ hideSTARTTLS: true })
  const app = await ledgerApp({ mail: mailThrough(mailbox) })
  await app.manageAccounts.setSeesNet(ACCOUNT.email, true)
  app.clock.advance(SEES_NET_MS)
  // Reads the vendors' content.
  await app.room()
  return {
    compare: (wanted: AmountCase, nth?: number) => compareAmounts(app, mailbox, wanted, nth),
    async close() {
      await app.close()
      await mailbox.stop()
    },
  }
}

/** Longer than vendors' answers are reused: a list may be as old, and its cheapest room booked since. */
const REUSE_MS = 46_000

/** Longer than permissions are cached. */
const SEES_NET_MS = 1_001

/**
 * Books the first room of a property as the page does. Expects the same amounts in list, property, checkout, booking, mail
 * and the vendor's own record. Returns false if no property has a room for the case.
 */
async function compareAmounts(app: LedgerApp, mailbox: Mailbox, wanted: AmountCase, nth = 0): Promise<boolean> {
  app.clock.advance(REUSE_MS)
  const { searchId, cards } = await searchCards(app, wanted)
  for (const card of cards.slice(nth % 5)) {
    const detail = await readDetail(app, searchId, card.property_id)
    const room = findFirstOffer(detail)
    if (room === undefined || (room.rooms_left ?? 9) < wanted.rooms + 1) continue
    expectListedAmounts(card, detail, room)
    const { checked, booking } = await bookRoom(app, wanted, room)
    const charge = chargeOf(room)
    expect(checked.room && chargeOf(checked.room)).toEqual(charge)
    expect(bookedCharge(booking)).toEqual(charge)
    expect(booking.room.each_room).toEqual(room.each_room)
    expectToAddUp(charge)
    await expectAmountAtVendor(app, booking)
    await expectAmountsInMail(app, mailbox, charge)
    await expectNoAmountInVoucher(app, booking)
    return true
  }
  return false
}

async function searchCards(app: LedgerApp, { vendorId, currency, rooms, conditions }: AmountCase) {
  const places = await app.request({ url: '/api/locations/search?starts_with=Zermatt' })
  const checkIn = addDays(dateIn('UTC', app.clock.now()), 40)
  const payload = {
    destination_id: places.json().data[0].id,
    check_in: checkIn,
    check_out: addDays(checkIn, 2),
    occupancies: Array.from({ length: rooms }, (_, index) => (index === 0 ? { adults: 2 } : { adults: 1 })),
    currency,
    vendors: [vendorId],
    conditions,
    timeout_ms: 15_000,
  }
  const url = '/api/accommodation_searches/search?view=card'
  const { search_id, availability } = (await app.request({ method: 'POST', url, payload })).json().data
  const saved = `/api/accommodation_searches/${search_id}/availability?limit=1000`
  const totals = (found: readonly { total_price: number }[]) => found.map(({ total_price }) => total_price)
  expect(totals((await app.request({ url: saved })).json().data)).toEqual(totals(availability))
  return { searchId: String(search_id), cards: availability as Summary[] }
}

async function readDetail(app: LedgerApp, searchId: string, propertyId: string): Promise<Detail> {
  const query = new URLSearchParams({ search_id: searchId, property_id: propertyId })
  return (await app.request({ url: `/api/accommodation_searches/accommodation?${query}` })).json().accommodation
}

function expectListedAmounts(card: Summary, { overview }: Detail, room: Room): void {
  expect([card.total_price, card.currency]).toEqual([room.total_inclusive, room.currency])
  expect([overview.total_price, overview.currency]).toEqual([card.total_price, card.currency])
  expect(card.converted).toBe(room.converted_from !== null)
  expect(card.fees_in_text).toBe(hasTextFees(room.notices))
}

async function bookRoom(app: LedgerApp, { rooms }: AmountCase, room: Room) {
  const check = await app.request({ url: String(room.booking_info.price_check_uri) })
  const checked: PriceCheck = check.json().data
  const checkout = {
    room: { ...room, ...checked.room },
    termsDigest: checked.terms_digest,
    guests: Array.from({ length: rooms }, () => GUEST),
    contact: { email: 'ana@example.com', phone: '+351 910 000 000', requests: '' },
    id: 'web_amounts',
  } as unknown as Checkout
  const answer = await app.book(buildBookBody(checkout))
  expect(answer.statusCode, answer.body).toBe(201)
  const url = `/api/accommodation/bookings/${answer.json().data.booking_id}`
  return { checked, booking: (await app.request({ url })).json().data as Booking }
}

function expectToAddUp(charge: Charge): void {
  expect(priceBeforeTaxes(charge) + charge.taxesFees).toBeCloseTo(charge.total, 6)
  expect(dueNow(charge) + charge.dueAtProperty).toBeCloseTo(charge.total, 6)
}

const guestPrice = ({ total_price }: Booking): number => total_price
/** Amount in a stand-in's ledger if it is not the guest's price: the net price, or a price without the part for the property. */
const IN_LEDGER: Readonly<Record<VendorId, (booking: Booking) => number>> = {
  hotelbeds: ({ total_price, due_at_property }) => total_price - due_at_property,
  liteapi: ({ net, due_at_property }) => (net?.total ?? 0) - due_at_property,
}

async function expectAmountAtVendor(app: LedgerApp, booking: Booking): Promise<void> {
  const { reference, vendor_id, currency } = booking
  const lines = (await app.ledger()).filter(({ ourReference }) => ourReference === reference)
  const asked = lines.reduce((sum, { total }) => sum + total.minor, 0)
  expect(new Set(lines.map(({ total }) => total.currency))).toEqual(new Set([currency]))
  const amountInLedger = IN_LEDGER[vendor_id] ?? guestPrice
  expect(asked).toBe(Math.round(amountInLedger(booking) * 10 ** (minorDigits(currency) ?? 2)))
}

async function expectAmountsInMail(app: LedgerApp, mailbox: Mailbox, charge: Charge): Promise<void> {
  mailbox.received.length = 0
  await app.deliverMails()
  const text = mailbox.received[0]?.mail.text ?? ''
  const format = (amount: number) =>
    `${charge.currency} ${amount.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
  expect(text).toContain(`Total price: ${format(charge.total)}`)
  if (charge.dueAtProperty > 0) expect(text).toContain(format(charge.dueAtProperty))
}

/** The voucher is for the desk and has no price. */
async function expectNoAmountInVoucher(app: LedgerApp, { booking_id, total_price, notices }: Booking): Promise<void> {
  const url = `/api/accommodation/bookings/${booking_id}/voucher`
  const { body } = await app.request({ url, headers: { accept: 'text/html' } })
  const ownTexts = notices.map(({ text }) => text).join('\n')
  if (!ownTexts.includes(String(total_price))) expect(body).not.toContain(String(total_price))
}
