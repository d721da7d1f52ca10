import { expect, test } from 'vitest'
import { readBoard } from '../../../../src/vendors/liteapi/board.ts'
import { encodeAvailability } from '../../../../src/vendors/liteapi/encode.ts'
import {
  HOTEL,
  type Json,
  ladder,
  money,
  OFFER,
  offer,
  rate,
  ratesAnswer,
  STUB,
} from '../../../support/vendors/liteapi.ts'
import { config, context, market, scripted, stay, timezone } from './scripted.ts'

const list = (...answers: Parameters<typeof scripted>[0]) =>
  scripted(answers).vendor.availability({ vendorPropertyIds: [HOTEL], stay, market, timezone }, context)

const rooms = (body: unknown, of = stay) =>
  scripted([{ body }]).vendor.rooms({ vendorPropertyId: HOTEL, stay: of, market, timezone }, context)

const eur = (minor: number) => ({ minor, currency: 'EUR' })

test('the price is exactly the retail price less the commission', async () => {
  const [room] = await rooms(ratesAnswer(offer([rate({ retail: 429.01, commission: 24.27 })])))
  expect(room?.price).toMatchObject({ total: eur(404_74), base: eur(404_74), dueAtProperty: eur(0) })
  const noisy = await rooms(ratesAnswer(offer([rate({ retail: 249.89999999999998, commission: 0.1 })])))
  expect(noisy[0]?.price.total).toEqual(eur(249_80))
  const yen = rate({
    more: { commission: [money(1500, 'JPY')], retailRate: { total: [money(42500, 'JPY')], taxesAndFees: null } },
  })
  const [tokyo] = await rooms(
    ratesAnswer(
      offer([rate()], {
        rates: [{ ...yen, cancellationPolicies: { refundableTag: 'NRFN' } }],
        offerRetailRate: money(42500, 'JPY'),
      }),
    ),
  )
  expect(tokyo?.price.total).toEqual({ minor: 41_000, currency: 'JPY' })
})

test('a commission with too many decimals is rounded down, so that net is never too low', async () => {
  const [room] = await rooms(ratesAnswer(offer([rate({ retail: 100, commission: 3.3333 })])))
  expect(room?.price.total).toEqual(eur(96_67))
})

test('a price with too many decimals is rounded up, in yen too', async () => {
  const [room] = await rooms(ratesAnswer(offer([rate({ retail: 100.001, commission: 0 })])))
  expect(room?.price.total).toEqual(eur(100_01))
  const taxes = [{ included: false, description: 'City tax', ...money(199.5, 'JPY') }]
  const step = { cancelTime: '2027-05-20 00:00:00', type: 'amount', ...money(12_468.45, 'JPY') }
  const policies = { cancelPolicyInfos: [step], refundableTag: 'RFN' }
  const yen = {
    ...rate({ policies }),
    commission: [money(123.45, 'JPY')],
    retailRate: { total: [money(12_468.45, 'JPY')], taxesAndFees: taxes },
  }
  const body = ratesAnswer(offer([], { rates: [yen], offerRetailRate: money(12_468.45, 'JPY') }))
  const [tokyo] = await rooms(body)
  expect(tokyo?.price).toMatchObject({ base: { minor: 12_346 }, dueAtProperty: { minor: 200, currency: 'JPY' } })
  expect(tokyo?.cancel?.penalties).toMatchObject([{ amount: { minor: 12_346, currency: 'JPY' } }])
})

test.each([
  ['EUR', 'EUR'],
  ['JPY', 'JPY'],
  // Not supported by the vendor.
  ['CHF', 'USD'],
  ['KWD', 'USD'],
])('prices for a guest who pays in %s are requested in %s', async (wanted, asked) => {
  const { vendor, calls } = scripted([{ status: 204 }, { status: 204 }])
  const query = { stay, market: { ...market, currency: wanted }, timezone }
  await vendor.availability({ vendorPropertyIds: [HOTEL], ...query }, context)
  await vendor.rooms({ vendorPropertyId: HOTEL, ...query }, context)
  expect(calls.map(({ body }) => (body as Json).currency)).toEqual([asked, asked])
})

test('taxes that are not included are due at the property in their own currency', async () => {
  const taxes = [
    { included: true, description: 'VAT', ...money(7) },
    { included: false, description: 'City tax', ...money(1600, 'JPY') },
    { included: false, description: 'Service', ...money(2.5) },
  ]
  const [room] = await rooms(ratesAnswer(offer([rate({ taxes })])))
  expect(room?.price).toEqual({
    total: eur(112_50),
    base: eur(93_00),
    taxesFees: eur(19_50),
    fees: [
      { label: 'VAT', amount: eur(7_00), paidAt: 'booking' },
      { label: 'City tax', amount: eur(10_00), paidAt: 'property', local: { minor: 1600, currency: 'JPY' } },
      { label: 'Service', amount: eur(2_50), paidAt: 'property' },
    ],
    dueAtProperty: eur(12_50),
    publicTotal: eur(112_50),
  })
})

test('an offer with a property fee that cannot be converted is not sold', async () => {
  const taxes = [{ included: false, description: 'City tax', ...money(1600, 'XAF') }]
  expect(await rooms(ratesAnswer(offer([rate({ taxes })])))).toEqual([])
  expect(await list({ body: ratesAnswer(offer([rate({ taxes })])) })).toMatchObject({ offers: [], dropped: 1 })
})

test('the suggested selling price plus property fees is the lower bound', async () => {
  const taxes = [{ included: false, description: 'City tax', ...money(5) }]
  const body = ratesAnswer(offer([rate({ taxes })]))
  expect((await rooms(body))[0]?.bounds).toEqual({ min: eur(115_00) })
  expect((await list({ body })).offers[0]?.bounds).toEqual({ min: eur(115_00) })
})

test('a list contains a dearer rate if it may be sold for less', async () => {
  const suggesting = (retail: number, lowest: number) =>
    offer([rate({ retail })], { suggestedSellingPrice: money(lowest) })
  const { offers } = await list({ body: ratesAnswer(suggesting(101, 150), suggesting(111, 120), suggesting(121, 130)) })
  expect(offers).toMatchObject([{ total: eur(100_00) }, { total: eur(110_00), bounds: { min: eur(120_00) } }])
  expect((await list({ body: ratesAnswer(offer(), offer([rate({ retail: 111 })])) })).offers).toHaveLength(1)
})

test('stubs are counted as dropped; package, member and property-collected rates are skipped without a count', async () => {
  const dear = offer([rate({ retail: 301 })])
  const body = ratesAnswer(
    STUB,
    offer([rate({ retail: 50 })], { rateType: 'package' }),
    { ...offer(), offerId: '' },
    dear,
    offer([rate()], { paymentTypes: ['PROPERTY_PAY'] }),
    offer([rate({ retail: 40 })], { loyaltyMembershipIdRequired: true }),
  )
  expect(await list({ body })).toMatchObject({ offers: [{ vendorPropertyId: HOTEL, total: eur(300_00) }], dropped: 2 })
  expect(await rooms(body)).toMatchObject([{ price: { total: eur(300_00) } }])
})

test('a list requests four rates of each property for each room, in one call', async () => {
  const packaged = Array.from({ length: 4 }, () => offer([rate()], { rateType: 'package' }))
  const { vendor, calls } = scripted([{ body: ratesAnswer(...packaged) }, { status: 204 }])
  const query = { vendorPropertyIds: [HOTEL], stay, market }
  expect(await vendor.availability(query, context)).toEqual({ offers: [], dropped: 0 })
  const rooms = [...stay.occupancies, { adults: 1, childrenAges: [4] }]
  await vendor.availability({ ...query, stay: { ...stay, occupancies: rooms } }, context)
  const asked = calls.map(({ body }) => (body as Json).maxRatesPerHotel)
  expect(asked).toEqual([4 * stay.occupancies.length, 4 * rooms.length])
})

test.each([
  ['204', { status: 204 }],
  ['an error in a 200', { body: { error: { code: 2001, message: 'no availability found' } } }],
  [
    'unknown ids',
    { status: 400, body: { error: { code: 4000, message: 'bad request', description: 'hotel ids not found' } } },
  ],
])('nothing for sale, reported as %s, is an empty answer', async (_, reply) => {
  expect(await list(reply)).toEqual({ offers: [], dropped: 0 })
})

test.each([
  [{ error: { code: 4002, message: 'wrong input' } }, 'refused'],
  [{ error: { code: 5000, message: 'unable to process' } }, 'unavailable'],
  [{ data: {} }, 'malformed'],
])('any other error in a 200 is a failure: %j', async (body, fault) => {
  await expect(list({ body })).rejects.toMatchObject({ fault, effect: 'none' })
})

test('a stream is read event by event, and parts of a property are merged', async () => {
  const events = [
    { rates: [{ hotelId: HOTEL, roomTypes: [offer([rate({ retail: 201 })])] }] },
    {
      rates: [
        { hotelId: 'lp3', roomTypes: [offer([rate({ retail: 151 })])] },
        { hotelId: HOTEL, roomTypes: [offer()] },
      ],
    },
    { hotels: [{ id: HOTEL }, { id: 'lp4' }] },
  ]
  const { offers } = await list({ body: events })
  expect(offers.map(({ vendorPropertyId, total }) => [vendorPropertyId, total.minor])).toEqual([
    [HOTEL, 100_00],
    ['lp3', 150_00],
  ])
  await expect(list({ body: [{ error: { code: 5000 } }] })).rejects.toMatchObject({ fault: 'malformed' })
})

test('prices are read from objects and lists', async () => {
  const body = ratesAnswer(offer([rate()], { offerRetailRate: [money(101)], suggestedSellingPrice: [money(110)] }))
  expect(await list({ body })).toMatchObject({ offers: [{ total: eur(100_00), bounds: { min: eur(110_00) } }] })
})

test('an offer is dropped if a room is missing or its rooms do not add up to its price', async () => {
  const two = { ...stay, occupancies: [...stay.occupancies, { adults: 1, childrenAges: [5] }] }
  const second = rate({ retail: 51, more: { occupancyNumber: 2 } })
  expect(await rooms(ratesAnswer(offer([rate(), second]), offer([rate()])), two)).toHaveLength(1)
  expect(await rooms(ratesAnswer(offer([rate()], { offerRetailRate: money(120) })))).toEqual([])
})

test('an offer of several rooms has their total price, total penalties and common board', async () => {
  const two = { ...stay, occupancies: [...stay.occupancies, { adults: 1, childrenAges: [] }] }
  const fed = { boardType: 'BI', boardName: 'Breakfast' }
  const first = rate({ policies: ladder(['2027-05-20 00:00:00', 101]), more: fed })
  const second = rate({
    retail: 51,
    policies: ladder(['2027-05-10 00:00:00', 25.5], ['2027-05-25 00:00:00', 51]),
    more: { occupancyNumber: 2, mappedRoomId: 78 },
  })
  const [room] = await rooms(ratesAnswer(offer([second, first])), two)
  expect(room).toMatchObject({
    sleeps: 4,
    board: 'room_only',
    roomId: '77',
    roomIds: ['77', '78'],
    price: { total: eur(150_00) },
  })
  expect(room?.cancel?.penalties.map(({ amount }) => amount.minor)).toEqual([25_00, 125_00, 150_00])
})

test('the reference contains the whole offer id, and an unmapped room gets its id from its name', async () => {
  const [room] = await rooms(ratesAnswer(offer([rate({ more: { mappedRoomId: null } })])))
  expect(room).toMatchObject({ roomId: 'double-room-room-only', ref: { offerId: OFFER, hotel: HOTEL } })
  expect(JSON.parse(JSON.stringify(room?.ref))).toEqual(room?.ref)
})

test.each([
  ['BI', 'Breakfast Included', 'breakfast'],
  ['BB1', 'Continental', 'some_meals'],
  ['BB2', 'Continental', 'breakfast'],
  ['BI', 'Breakfast for 1', 'some_meals'],
  ['BDI', '', 'half_board'],
  ['LDI', 'Lunch and dinner', 'some_meals'],
  ['XX', 'Tapas every evening', 'some_meals'],
  ['XX', 'Room only', 'room_only'],
])('the board %s "%s" is %s', async (boardType, boardName, board) => {
  expect(await rooms(ratesAnswer(offer([rate({ more: { boardType, boardName } })])))).toMatchObject([{ board }])
})

test.each(['breakfast', 'half_board', 'full_board', 'all_inclusive'] as const)(
  'a list requests %s by all its codes',
  async (kind) => {
    const known = ['RO', 'BI', 'BB', 'HB', 'FB', 'AI', 'DI', 'LI', 'BDI', 'BLI', 'LDI']
    const query = { vendorPropertyIds: [HOTEL], stay, market, conditions: { boards: [kind] } }
    const { boardType } = encodeAvailability(config, query).body as { boardType: string }
    const expected = known.filter((code) => readBoard({ boardType: code }) === kind)
    expect(boardType.split(',')).toEqual(expect.arrayContaining(expected))
    expect(known.filter((code) => boardType.split(',').includes(code)).sort()).toEqual(expected.sort())
  },
)

test('a rate without a board is not sold', async () => {
  expect(await rooms(ratesAnswer(offer([rate({ more: { boardType: '', boardName: '' } })])))).toEqual([])
})

test('remarks become notices, perks and promotions become extras', async () => {
  const more = { remarks: '<p>A deposit of 50 USD</p>', perks: [{ perkId: 1, name: 'Late check-out' }] }
  const [room] = await rooms(ratesAnswer(offer([rate({ more })])))
  expect(room).toMatchObject({
    notices: [{ kind: 'rate_comment', text: 'A deposit of 50 USD' }],
    extras: ['Late check-out'],
  })
})

test('a search request contains guests and margin, and is streamed', async () => {
  const { vendor, calls } = scripted([{ status: 204 }])
  const many = { ...stay, occupancies: [...stay.occupancies, { adults: 1, childrenAges: [9, 4] }] }
  await vendor.availability({ vendorPropertyIds: [HOTEL, '17', 'lp3'], stay: many, market }, context)
  expect(calls).toMatchObject([
    {
      path: '/v3.0/hotels/rates',
      body: {
        hotelIds: [HOTEL, 'lp3'],
        guestNationality: 'DE',
        currency: 'EUR',
        occupancies: [
          { adults: 2, children: [] },
          { adults: 1, children: [9, 4] },
        ],
        margin: 1,
        stream: true,
      },
    },
  ])
})
