import { extractText } from 'unpdf'
import { expect, test } from 'vitest'
import { presentBooking } from '../../../src/booking/present/booking.ts'
import type { Notice } from '../../../src/domain/offer.ts'
import { joinNotices, renewNotices } from '../../../src/domain/property/notices.ts'
import { plainLines } from '../../../src/lib/text/clean-markup.ts'
import { presentRoom } from '../../../src/search/present/property-detail.ts'
import { createRoomChoice } from '../../../src/search/room-choice.ts'
import { decodeContent } from '../../../src/vendors/expedia_rapid/content/decode.ts'
import { pickItinerary, toReceipt } from '../../../src/vendors/expedia_rapid/decode-booking.ts'
import { rateNotices as rapidRateNotices, traderNotices } from '../../../src/vendors/expedia_rapid/notices.ts'
import { decodeRemarks } from '../../../src/vendors/hotelbeds/content/remarks.ts'
import { decodeReceipt } from '../../../src/vendors/hotelbeds/decode-booking.ts'
import { rateNotices } from '../../../src/vendors/hotelbeds/notices.ts'
import { documentHtml } from '../../../src/voucher/document-html.ts'
import { documentPdf } from '../../../src/voucher/document-pdf.ts'
import { presentVoucher } from '../../../src/voucher/present.ts'
import { createVoucher } from '../../../src/voucher/voucher.ts'
import { voucherDocument } from '../../../src/voucher/voucher-document.ts'
import { aBooking, anOffer, offerKeys, START } from '../../support/booking/an-offer.ts'
import { describeRecorded, recordedBodies } from '../../support/vendors/recorded-bodies.ts'

/** Collects all texts with these names at any depth. */
function textsUnder(body: unknown, names: readonly string[]): string[] {
  if (Array.isArray(body)) return body.flatMap((item) => textsUnder(item, names))
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) =>
    names.includes(name) && typeof value === 'string' ? [value] : textsUnder(value, names),
  )
}

/** Collects all objects with this name at any depth. */
function recordsUnder(body: unknown, name: string): Record<string, unknown>[] {
  if (Array.isArray(body)) return body.flatMap((item) => recordsUnder(item, name))
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) => [
    ...(key === name ? [value].flat().filter((item) => typeof item === 'object' && item !== null) : []),
    ...recordsUnder(value, name),
  ])
}

const withoutSpaces = (text: string) => text.replace(/\s/g, '')

/** Texts of the room, the booking and each format of the voucher. */
async function renderViews(notices: readonly Notice[]): Promise<Record<string, string>> {
  const parts = {
    keyring: offerKeys,
    rates: { date: '', rates: {} },
    offerId: 'off_1',
    offerTtlMs: 1e6,
    now: START,
    language: 'en',
    roomTypeName: 'Double',
  }
  const { roomName: name, ...offer } = anOffer({ notices })
  const choice = createRoomChoice(parts, offer, { ...offer, name, extras: [] }, undefined, () => undefined)
  if (choice === undefined) throw new Error('no room')
  const frame = { ...offer, checkInTime: '15:00', now: START }
  const booking = aBooking({ state: 'confirmed', notices })
  const voucher = createVoucher(booking)
  const { text } = await extractText(new Uint8Array(await documentPdf(voucherDocument(voucher))), { mergePages: true })
  return {
    detail: presentRoom(choice, frame)
      .notices.map((notice) => notice.text)
      .join('\n'),
    booking: presentBooking(booking, START)
      .notices.map((notice) => notice.text)
      .join('\n'),
    'voucher, JSON': [
      ...presentVoucher(voucher).notices.map((notice) => notice.text),
      presentVoucher(voucher).clause ?? '',
    ].join('\n'),
    'voucher, HTML': documentHtml(voucherDocument(voucher))
      .replaceAll('&amp;', '&')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&apos;', "'")
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"'),
    'voucher, PDF': text,
  }
}

/** Every text must appear in every view; without texts there must be no notices. */
async function expectEverywhere(texts: readonly string[], notices: readonly Notice[]): Promise<void> {
  if (texts.length === 0) expect(notices).toEqual([])
  const places = await renderViews(notices)
  for (const text of texts) {
    const plain = withoutSpaces(plainLines(text))
    for (const [place, shown] of Object.entries(places))
      expect(withoutSpaces(shown).includes(plain), `${place}: ${plain.slice(0, 80)}`).toBe(true)
  }
}

describeRecorded('remarks of recorded bodies', () => {
  const REMARKS = ['rateComments', 'remark']

  test.each(recordedBodies('hotelbeds', /^(availability|checkrates)\.response/))(
    '%s: every remark of a rate appears in all views',
    async (_, body) => {
      const rates = recordsUnder(body, 'rates')
      const texts = [
        ...textsUnder(rates, REMARKS),
        ...recordsUnder(rates, 'promotions').map(({ name }) => String(name)),
      ]
      await expectEverywhere(texts, rateNotices(rates))
    },
  )

  test.each(recordedBodies('hotelbeds', /^booking(-detail)?\.response/))(
    '%s: comments, supplier and VAT number appear in all required views',
    async (_, body) => {
      const receipt = decodeReceipt(body, 'net', Date.parse('2027-01-15T12:00:00Z'))
      const texts = textsUnder(recordsUnder(body, 'rates'), REMARKS)
      const supplier = recordsUnder(body, 'supplier').flatMap(({ name, vatNumber }) => [
        String(name),
        String(vatNumber),
      ])
      expect(supplier.length).toBeGreaterThan(0)
      await expectEverywhere([...texts, ...supplier], joinNotices(receipt?.notices ?? []))
    },
  )

  test.each(recordedBodies('hotelbeds', /^content\.types\.ratecomments/))(
    '%s: every comment is found by its rate references',
    async (_, body) => {
      const remarks = recordsUnder(body, 'rateComments').flatMap(decodeRemarks)
      const texts = textsUnder(body, ['description'])
      expect(texts.length).toBeGreaterThan(0)
      expect([...new Set(remarks.map(({ text }) => text))]).toEqual([...new Set(texts.map(plainLines))])
      for (const { ref } of remarks) expect(ref).toMatch(/^\d+\|\d+\|\d+$/)
    },
  )

  const TEXTS = [
    'mandatory',
    'optional',
    'traveler_service',
    'know_before_you_go',
    'instructions',
    'special_instructions',
  ]

  const hasProperties = (body: unknown) => Object.keys(Object(body)).length > 0
  test.each(recordedBodies('rapid', /^getPropertyContent\.200/).filter(([, body]) => hasProperties(body)))(
    '%s: fees, policies, instructions and payments appear in all views',
    async (_, body) => {
      for (const property of Object.values(Object(body))) {
        const { fees, policies, checkin, onsite_payments } = Object(property)
        const [decoded] = decodeContent({ '1': property }).properties
        const texts = textsUnder([fees, policies, checkin], TEXTS)
        const payments = recordsUnder(onsite_payments, 'types').flatMap((types) => textsUnder(types, ['name']))
        const age = checkin?.min_age === undefined ? [] : [`${checkin.min_age}+`]
        await expectEverywhere([...texts, ...payments, ...age], decoded?.notices ?? [])
      }
    },
  )

  test.each(recordedBodies('rapid', /^(getAvailability|priceCheck)\.200/))(
    '%s: promotions, deposits and traders appear in all views',
    async (_, body) => {
      const rates = [...recordsUnder(body, 'rates'), Object(body)]
      const notices = joinNotices(
        ...rates.map(rapidRateNotices),
        ...recordsUnder(body, 'trader_information').map(traderNotices),
      )
      const texts = [
        ...recordsUnder(body, 'promotions').flatMap((promotions) => textsUnder(promotions, ['description'])),
        ...recordsUnder(body, 'deposits').map(({ value }) => String(value)),
        ...recordsUnder(body, 'refundable_damage_deposit').map(({ value }) => String(value)),
        ...recordsUnder(body, 'traders').flatMap((trader) =>
          textsUnder(trader, ['name', 'business_register_number', 'phone']),
        ),
        ...textsUnder(body, ['right_to_withdraw_message']),
      ]
      await expectEverywhere(texts, notices)
    },
  )

  test.each(recordedBodies('rapid', /^getReservationByItineraryId\.200/))(
    '%s: the receipt contains confirmation numbers and remarks',
    async (_, body) => {
      const itinerary = pickItinerary(body, '', 'https://test.ean.com', START)
      if (itinerary === undefined) return
      const receipt = toReceipt(itinerary)
      const ids = recordsUnder(Object(body).rooms, 'confirmation_id')
      expect(receipt.confirmation?.rooms.map(({ property }) => property)).toEqual(
        Object(body).rooms.map((room: { confirmation_id?: { property?: string } }) => room.confirmation_id?.property),
      )
      expect(ids.length).toBeGreaterThan(0)
      const texts = recordsUnder(Object(body).rooms, 'promotions').flatMap((promotions) =>
        textsUnder(promotions, ['description']),
      )
      await expectEverywhere(texts, renewNotices([], receipt.notices ?? []))
    },
  )
})
