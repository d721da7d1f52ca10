/** Answers in the format of Hotelbeds' APIs 1.0, with our own values and texts. */

export type Json = Record<string, unknown>
const auditData = { processTime: '12', timestamp: '2026-11-16 08:00:00.000', environment: '[test]', release: '' }
const LATER = '2027-06-12T23:59:00+02:00'
const BEGUN = '2026-11-15T23:59:00+01:00'

let keys = 0
/** A rate for two adults in one room, free until three days before arrival. Its key is opaque and unique. */
export function rate(net: string, more: Json = {}): Json {
  keys += 1
  return {
    rateKey: `20270615|20270616|W|1|key-${keys}|BB||1~2~0||N@${keys}`,
    rateClass: 'NOR',
    rateType: 'BOOKABLE',
    net,
    allotment: 40,
    paymentType: 'AT_WEB',
    packaging: false,
    boardCode: 'BB',
    boardName: 'BED AND BREAKFAST',
    cancellationPolicies: [{ amount: net, from: LATER }],
    rooms: 1,
    adults: 2,
    children: 0,
    ...more,
  }
}
const nonRefundable = (net: string) => ({ rateClass: 'NRF', cancellationPolicies: [{ amount: net, from: BEGUN }] })
const taxes = (...lines: Json[]) => ({ taxes: { taxes: lines, allIncluded: lines.every((line) => line.included) } })
/** Collected by the hotel, on top of the price. */
const cityTax = (amount: string) => ({
  included: false,
  amount,
  currency: 'EUR',
  type: 'TAX',
  clientAmount: amount,
  clientCurrency: 'EUR',
})
/** Inside the price. */
const vat = (amount: string) => ({ included: true, percent: '10.00', amount, currency: 'EUR', type: 'TAX' })

export const room = (code: string, name: string, rates: Json[]) => ({ code, name, rates })
export const hotel = (code: number, rooms: ReturnType<typeof room>[], currency = 'EUR') => ({
  code,
  name: `Test Hotel ${code}`,
  categoryCode: '4EST',
  destinationCode: 'TST',
  latitude: '39.500000',
  longitude: '2.700000',
  rooms,
  minRate: '1.00',
  maxRate: '999.00',
  currency,
})
type Hotel = ReturnType<typeof hotel>
export const hotels = (...list: Hotel[]) => ({
  auditData,
  hotels: { hotels: list, checkIn: '2027-06-15', checkOut: '2027-06-16', total: list.length },
})

/** An answer without hotels leaves the list out. */
export const noHotels = () => ({ auditData, hotels: { total: 0 } })

const twoSteps = (half: string, whole: string, first: string, second: string) => ({
  cancellationPolicies: [
    { amount: half, from: first },
    { amount: whole, from: second },
  ],
})

/** Sold as not refundable by promotion 073, although its steps begin half a year later. */
const promoted = (net: string, half: string, included: string) =>
  rate(net, {
    boardCode: 'HB',
    ...twoSteps(half, net, '2027-05-31T21:59:00.000Z', '2027-06-14T21:59:00.000Z'),
    ...taxes(cityTax('5.40'), vat(included)),
    promotions: [
      { code: '073', name: 'Cannot be refunded' },
      { code: '042', name: 'Autumn offer', remark: 'Book early' },
    ],
  })

export const TAXED = 501
export const withTaxes = () =>
  hotels(
    hotel(TAXED, [
      room('DBT.ST', 'Double or Twin STANDARD', [
        promoted('120.00', '60.00', '12.00'),
        rate('130.00', {
          ...twoSteps('65.00', '130.00', '2027-06-07T21:59:00.000Z', '2027-06-13T21:59:00.000Z'),
          ...taxes(cityTax('5.40'), vat('13.00')),
        }),
      ]),
      room('APT.C2', 'APARTMENT CAPACITY 2', [promoted('150.00', '75.00', '15.00')]),
    ]),
    hotel(502, [room('DBT.ST', 'Double or Twin STANDARD', [rate('160.00')])]),
  )

/** One key for two equal rooms; the cheaper prices are collected by the hotel itself. */
export const STRICT = 512
export const twoEqualRooms = () =>
  hotels(
    hotel(511, [
      room('DBL.ST', 'DOUBLE STANDARD', [
        rate('300.00', { rooms: 2, boardCode: 'RO' }),
        rate('280.00', { rooms: 2, boardCode: 'RO', paymentType: 'AT_HOTEL' }),
        rate('290.00', { rooms: 2, paymentType: 'AT_HOTEL' }),
      ]),
    ]),
    hotel(STRICT, [
      room('DBL.ST', 'DOUBLE STANDARD', [
        rate('340.00', { rooms: 2, boardCode: 'RO', cancellationPolicies: [{ amount: '340.00', from: BEGUN }] }),
        rate('360.00', { rooms: 2 }),
      ]),
    ]),
  )

const family = { adults: 1, children: 2, childrenAges: '5,6', boardCode: 'RO' }
export const withChildren = () =>
  hotels(
    hotel(521, [
      room('DBL.ST', 'DOUBLE STANDARD', [
        rate('200.00', { ...family, offers: [{ code: '101', name: 'Child discount', amount: '-30.00' }] }),
      ]),
    ]),
    hotel(522, [
      room('DBL.ST', 'DOUBLE STANDARD', [
        rate('106.00', { ...family, offers: [{ code: '102', name: 'Early booking', amount: '-15.00' }] }),
      ]),
    ]),
  )

/** A rate to recheck, and one whose selling price is binding. */
export const BOUND = 531
export const withBindingPrice = () =>
  hotels(
    hotel(
      BOUND,
      [
        room('DBL.ST', 'DOUBLE STANDARD', [
          rate('110.00', {
            rateType: 'RECHECK',
            ...taxes({ included: true, amount: '6.00', currency: 'USD', type: 'TAXESANDFEES' }),
          }),
          rate('120.00', { sellingRate: '140.00', hotelMandatory: true }),
        ]),
      ],
      'USD',
    ),
  )

export const WITHOUT_POLICIES = 541
export const withoutPolicies = () => {
  const { cancellationPolicies: _, ...withoutPolicy } = rate('380.00', {
    rateType: 'RECHECK',
    rooms: 2,
    boardCode: 'RO',
  })
  return hotels(hotel(WITHOUT_POLICIES, [room('DBL.ST', 'DOUBLE STANDARD', [withoutPolicy])], 'USD'))
}

/** Entries that only refer to other dates have no rate key. */
export const onOtherDates = () => {
  const shift = { rateKey: 'another day', rateType: 'BOOKABLE', net: '90.00', checkIn: '2027-06-17' }
  const entry = { paymentType: 'AT_WEB', boardCode: 'RO', rooms: 1, adults: 2, children: 1, childrenAges: '8' }
  return hotels(hotel(542, [room('DBL.SU', 'DOUBLE SUPERIOR', [{ ...entry, shiftRates: [shift] }])]))
}

/** The answer to a price check. */
const check = (checked: Hotel, more: Json = {}) => ({
  auditData,
  hotel: { checkIn: '2027-06-15', checkOut: '2027-06-16', ...checked, ...more },
})
export const twoParties = () => {
  const rates = [
    rate('170.00', { ...nonRefundable('170.00'), ...taxes({ ...cityTax('6.00'), type: undefined }) }),
    rate('170.00', {
      ...nonRefundable('170.00'),
      ...taxes({ ...cityTax('3.00'), type: undefined }),
      adults: 1,
      children: 1,
      childrenAges: '2',
    }),
  ]
  // More expensive rooms are offered in addition.
  const upselling = { rooms: [room('DBT.SU', 'Double or Twin SUPERIOR', [rate('210.00', { rateup: '40.00' })])] }
  return check(hotel(551, [room('DBT.ST', 'Double or Twin STANDARD', rates)]), { totalNet: '340.00', upselling })
}
const oneRate = (net: string, more: Json = {}, currency = 'EUR') =>
  check(hotel(552, [room('DBL.ST', 'DOUBLE STANDARD', [rate(net, { boardCode: 'RO', ...more })])], currency))
export const familyCheck = () => oneRate('200.00', { ...family, ...taxes(cityTax('3.00')) })
export const equalRoomsCheck = () => oneRate('300.00', { rooms: 2, ...taxes(cityTax('12.00')) })
export const discountedCheck = () =>
  oneRate(
    '180.00',
    { children: 1, childrenAges: '8', offers: [{ code: '7', name: 'Long stay', amount: '-20.00' }] },
    'USD',
  )

export const BOOKING = '1-700001'
type BookedRoom = { status: string | undefined; rates: Json[] }
/** Hotelbeds returns references in capitals. */
export function booking(clientReference: string, rooms: Json[], more: Json = {}) {
  const booked = rooms.map((each): Json & BookedRoom => ({
    status: 'CONFIRMED',
    id: 1,
    code: 'DBL.ST',
    name: 'DOUBLE',
    rates: [each],
  }))
  const total = rooms.reduce((sum, { net }) => sum + Number(net), 0)
  return {
    auditData,
    booking: {
      reference: BOOKING,
      clientReference: clientReference.toUpperCase(),
      creationDate: '2026-11-16',
      status: 'CONFIRMED' as string | undefined,
      holder: { name: 'ADA', surname: 'GUEST' },
      hotel: {
        code: 551,
        name: 'Test Hotel',
        checkIn: '2027-06-15',
        checkOut: '2027-06-16',
        rooms: booked,
        totalNet: total.toFixed(2),
        currency: 'EUR',
      } as Json & {
        rooms: BookedRoom[]
      },
      totalNet: total,
      pendingAmount: total,
      currency: 'EUR',
      ...more,
    },
  }
}
export const bookedRate = (net: string, more: Json = {}): Json => ({
  rateClass: 'NOR',
  net,
  paymentType: 'AT_WEB',
  boardCode: 'BB',
  cancellationPolicies: [{ amount: net, from: LATER }],
  rooms: 1,
  adults: 2,
  children: 0,
  ...more,
})
/** Its selling price is binding, and the hotel collects a tax. */
export const boundBooking = (clientReference: string) =>
  booking(clientReference, [
    bookedRate('240.00', {
      sellingRate: '265.00',
      hotelMandatory: true,
      ...taxes({ included: false, amount: '5.40', currency: 'EUR' }),
    }),
  ])
/** Answer to a cancellation, or to a simulated one. */
export const cancelledBooking = (clientReference: string, cancellationAmount: number | string) => {
  const { booking: before } = booking(clientReference, [bookedRate('0.00')])
  return {
    auditData,
    booking: {
      ...before,
      status: 'CANCELLED',
      cancellationReference: 'TESTCANCEL',
      hotel: { ...before.hotel, cancellationAmount },
    },
  }
}
export const bookingList = (...list: { reference: string; clientReference: string; status?: string }[]) => ({
  auditData,
  bookings: { bookings: list.map((entry) => ({ status: 'CONFIRMED', ...entry })), from: 1, to: 25, total: list.length },
})

/** Error of the application: a category, a token, a text. */
export const applicationError = (category: string, message: string) => ({
  auditData,
  error: { code: `${category}-0DE456A558FA420B`, message },
})
/** Error of the gateway. */
export const gatewayErrorBody = (message: string) => ({ error: message })
export const expiredKey = () =>
  applicationError('INVALID_DATA', 'Invalid data. Invalid rateKey: a rateKey only lasts for a while')
export const unknownBookingError = () =>
  applicationError('INVALID_DATA', 'Invalid data. The booking does not exist or belongs to somebody else.')
export const statusOk = () => ({ auditData, status: 'OK' })

const text = (content: string) => ({ content })
const facility = (facilityGroupCode: number, facilityCode: number, more: Json = {}): Json => ({
  facilityGroupCode,
  facilityCode,
  order: 1,
  ...more,
})
const stays = (...beds: [code: number, count: number][]) =>
  beds.map(([code, number], index) => ({
    stayType: 'BED',
    order: String(index + 1),
    roomStayFacilities: [facility(61, code, { number })],
  }))

const roomTypes = () => [
  {
    roomCode: 'DBL.QN-SU',
    roomType: 'DBL',
    characteristicCode: 'QN-SU',
    maxPax: 2,
    roomFacilities: [facility(60, 295, { number: 30, indYesOrNo: true })],
    roomStays: stays([150, 1]),
  },
  {
    roomCode: 'FAM.B2',
    roomType: 'FAM',
    characteristicCode: 'B2',
    maxPax: 4,
    roomFacilities: [facility(60, 295, { number: 50, indYesOrNo: true })],
    roomStays: stays([155, 1], [150, 2]),
  },
]

/** A property in a list: codes only. */
export const listed = () => ({
  code: 6601,
  name: text('The Lantern House'),
  description: text('The Lantern House stands by the river.\r\nIts garden is open all year.'),
  countryCode: 'UK',
  stateCode: '07',
  coordinates: { longitude: -0.1207, latitude: 51.5103 },
  categoryCode: '5EST',
  chainCode: 'LANTN',
  accommodationTypeCode: 'H',
  address: text('River Walk 7'),
  postalCode: 'SE1 9ZZ',
  city: text('LONDON'),
  phones: [
    { phoneNumber: '+442070000002', phoneType: 'PHONEBOOKING' },
    { phoneNumber: '+442070000001', phoneType: 'PHONEHOTEL' },
    { phoneNumber: '+442070000003', phoneType: 'FAXNUMBER' },
  ],
  rooms: roomTypes() as Json[],
  facilities: [
    facility(60, 261, { indLogic: true }),
    facility(70, 550, { indYesOrNo: true, indFee: false }),
    facility(70, 535, { indYesOrNo: false }),
    facility(70, 260, { timeFrom: '15:00:00' }),
    facility(70, 390, { timeTo: '12:00:00' }),
  ] as unknown[],
  images: [
    { imageTypeCode: 'PIS', path: '00/006601/pool_1.jpg', order: 1, visualOrder: 2 },
    { imageTypeCode: 'GEN', path: '00/006601/front_1.jpg', order: 1, visualOrder: 3 },
    { imageTypeCode: 'HAB', path: '00/006601/room_1.jpg', order: 1, visualOrder: 1, roomCode: 'DBL.QN-SU' },
  ] as unknown[],
  wildcards: [{ roomType: 'FAM.B2', roomCode: 'FAM', hotelRoomDescription: text('The Lantern Suite') }] as unknown,
})
export const listedToo = () => ({
  ...listed(),
  code: 6602,
  name: text('Mill Lane Rooms'),
  categoryCode: '4EST',
  chainCode: 'MILLS',
  wildcards: [],
})

/** The same property in its detail: objects with names. */
export const detailed = () => {
  const { countryCode, stateCode, categoryCode, chainCode, accommodationTypeCode, ...rest } = listed()
  return {
    ...rest,
    country: { code: countryCode, isoCode: 'GB', description: text('United Kingdom') },
    state: { code: stateCode, name: 'UNITED KINGDOM' },
    category: { code: categoryCode, description: text('5 STARS') },
    chain: { code: chainCode, description: text('LANTERN HOTELS') },
    accommodationType: { code: accommodationTypeCode, typeMultiDescription: text('Hotel'), typeDescription: 'Hotel' },
    rooms: roomTypes().map((each, index) => ({
      ...each,
      description: index === 0 ? 'DOUBLE SUPERIOR QUEEN BED' : 'FAMILY ROOM TWO BEDROOMS',
    })),
    images: rest.images.map((image) => {
      const { imageTypeCode, ...more } = image as Json
      return { ...more, type: { code: imageTypeCode, description: text('A picture') } }
    }),
  }
}
export const properties = (...list: unknown[]) => ({ auditData, from: 1, to: 100, total: list.length, hotels: list })
/** A single property comes under another key. */
export const singleProperty = () => ({
  auditData,
  hotel: {
    ...detailed(),
    country: { code: 'MX', isoCode: 'MX' },
    phones: [{ phoneNumber: '52 7440000000', phoneType: 'PHONEHOTEL' }],
  },
})

const named = (code: unknown, content: string, more: Json = {}) => ({
  code,
  description: { languageCode: 'ENG', content },
  ...more,
})
/** Lists that map codes to names. */
export const codeLists: Readonly<Record<string, Json>> = {
  facilities: {
    total: 9,
    facilities: [
      named(261, 'Wi-fi', { facilityGroupCode: 60 }),
      named(295, 'Room size (sqm)', { facilityGroupCode: 60 }),
      named(150, 'Double bed 131-150 width', { facilityGroupCode: 61 }),
      named(155, 'King-size bed 150-183 width', { facilityGroupCode: 61 }),
      named(320, 'Car park', { facilityGroupCode: 70 }),
      named(520, '24-hour security', { facilityGroupCode: 70 }),
      named(535, 'Small pets allowed', { facilityGroupCode: 70 }),
      named(550, 'Wi-fi', { facilityGroupCode: 70 }),
      named(363, 'Outdoor freshwater pool', { facilityGroupCode: 73 }),
      named(40, 'Beach', { facilityGroupCode: 40 }),
    ],
  },
  categories: {
    total: 2,
    categories: [named('4EST', '4 STARS', { simpleCode: 4 }), named('5EST', '5 STARS', { simpleCode: 5 })],
  },
  accommodations: {
    total: 1,
    accommodations: [{ code: 'H', typeMultiDescription: text('Hotel'), typeDescription: 'Hotel' }],
  },
  chains: { total: 1, chains: [named('LANTN', 'LANTERN HOTELS')] },
  rooms: { total: 1, rooms: [{ code: 'DBL.QN-SU', description: 'DOUBLE SUPERIOR QUEEN BED' }] },
  countries: {
    total: 1,
    countries: [
      {
        code: 'UK',
        isoCode: 'GB',
        description: text('United Kingdom'),
        states: [{ code: '07', name: 'UNITED KINGDOM' }],
      },
    ],
  },
}
