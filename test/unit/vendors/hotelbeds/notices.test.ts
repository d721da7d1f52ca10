import { expect, test } from 'vitest'
import type { RateRemark, RemarksQuery } from '../../../../src/vendors/contract.ts'
import { readHotels } from '../../../../src/vendors/hotelbeds/decode-availability.ts'
import { decodeReceipt } from '../../../../src/vendors/hotelbeds/decode-booking.ts'
import { decodeRooms } from '../../../../src/vendors/hotelbeds/decode-rooms.ts'
import { parsePartyKey } from '../../../../src/vendors/hotelbeds/parties.ts'
import {
  BOOKING,
  bookedRate,
  booking,
  hotel,
  hotels,
  type Json,
  rate,
  room,
} from '../../../support/vendors/hotelbeds.ts'
import { context, scripted } from './scripted.ts'

const NOW = Date.parse('2026-11-16T08:00:00Z')
const decodeOffers = (more: Json) =>
  decodeRooms(readHotels(hotels(hotel(551, [room('DBL.ST', 'DOUBLE', [rate('100.00', more)])]))), '551', {
    parties: [parsePartyKey('1x2-')],
    pricing: 'net',
    now: NOW,
  })

test('an offer contains promotions with remarks and references to its comments', () => {
  const [offer] = decodeOffers({
    rateCommentsId: '256|24524|3',
    promotions: [
      { code: '042', name: 'Early booking', remark: 'Only with proof of <b>residence</b>' },
      { code: '099', name: 'Welcome drink' },
    ],
  })
  expect(offer?.remarkRefs).toEqual(['256|24524|3'])
  expect(offer?.notices).toEqual([
    {
      kind: 'promotion',
      title: 'Promotions',
      text: 'Early booking: Only with proof of residence\nWelcome drink',
      requiredAt: ['detail', 'checkout', 'voucher'],
    },
  ])
})

test('an offer without remarks has no notices, and an invalid comment reference is ignored', () => {
  const [offer] = decodeOffers({ rateCommentsId: 'a b\n{}', promotions: [{}] })
  expect(offer).not.toHaveProperty('notices')
  expect(offer).not.toHaveProperty('remarkRefs')
})

test("a receipt contains comments, the hotel's numbers and the voucher clause", () => {
  const body = booking('REF', [bookedRate('100.00', { rateComments: 'Kurtaxe vor Ort.' }), bookedRate('90.00')])
  const { hotel: booked } = body.booking
  booked.supplier = { name: 'HOTELS &amp; BEDS S.L.', vatNumber: 'ES000' }
  const [first, second] = booked.rooms
  Object.assign(first ?? {}, { supplierReference: '16923904M-MJ' })
  Object.assign(second ?? {}, { supplierConfirmationCode: ['8813', 8814], supplierReference: '16923904M-MJ' })
  const receipt = decodeReceipt(body, 'net', Date.parse('2027-01-15T12:00:00Z'))
  expect(receipt?.confirmation).toEqual({
    vendor: BOOKING,
    property: '8813, 8814',
    rooms: [{}, { property: '8813, 8814' }],
  })
  expect(receipt?.notices).toMatchObject([
    { kind: 'rate_comment', text: 'Kurtaxe vor Ort.' },
    {
      kind: 'trader',
      requiredAt: ['voucher'],
      text: `Payable through HOTELS & BEDS S.L., acting as agent for the service operating company, details of which can be provided upon request. VAT: ES000 Reference: ${BOOKING}`,
    },
  ])
})

const read = async (query: RemarksQuery, ...bodies: unknown[]) => {
  const { vendor, calls } = scripted(
    bodies.map((body) => ({ body })),
    '2026-11-16T08:00:00Z',
  )
  const remarks: RateRemark[] = []
  for await (const page of vendor.remarks?.(query, context) ?? []) remarks.push(...page.remarks)
  return { remarks, paths: calls.map(({ path }) => path) }
}
const entry = (code: string, text: string) => ({
  incoming: 256,
  hotel: 551,
  code,
  commentsByRates: [
    { rateCodes: [3, 0], comments: [{ dateStart: '2026-01-01', dateEnd: '2027-12-31', description: text }] },
  ],
})

test('the comment feed is read page by page, with one reference for each rate', async () => {
  const { remarks, paths } = await read(
    { kind: 'feed' },
    { from: 1, to: 1000, total: 1001, rateComments: [entry('24524', 'Adults only.')] },
    { from: 1001, to: 2000, total: 1001, rateComments: [entry('24525', '<p>No pets.</p><p>No parties.</p>')] },
  )
  expect(remarks).toMatchObject([
    { ref: '256|24524|3', from: '2026-01-01', until: '2027-12-31', text: 'Adults only.' },
    { ref: '256|24524|0', text: 'Adults only.' },
    { ref: '256|24525|3', text: 'No pets.\nNo parties.' },
    { ref: '256|24525|0', text: 'No pets.\nNo parties.' },
  ])
  expect(paths).toHaveLength(2)
  expect(paths[1]).toMatch(/types\/ratecomments\?.*from=1001&to=2000/)
})

test('comments of single rates are requested by reference and arrival date', async () => {
  const query = { kind: 'refs', refs: ['256|24524|3'], on: '2027-06-15' } as const
  const { remarks, paths } = await read(query, { rateComments: [{ description: 'Adults only.' }, {}] })
  expect(remarks).toEqual([{ ref: '256|24524|3', text: 'Adults only.' }])
  expect(paths[0]).toMatch(/types\/ratecommentdetails\?.*date=2027-06-15&code=256%7C24524%7C3/)
})
