/** Answers in the format of Rapid 3.0, with our own values and texts. */

const money = (value: string, currency: string) => ({ value, currency })
/** Billed in euros, requested in dollars. */
const charge = (eur: string, usd: string) => ({
  billable_currency: money(eur, 'EUR'),
  request_currency: money(usd, 'USD'),
})
const nights = (count: number, base: string, tax: string, currency: string) =>
  Array.from({ length: count }, () => [
    { type: 'base_rate', ...money(base, currency) },
    { type: 'tax_and_service_fee', ...money(tax, currency) },
  ])

export const PROPERTY_ID = '70001'

/** The rate of `availability`; a function, so that every test may change its own. */
const aRate = () => ({
  id: 'rate-21',
  status: 'available',
  available_rooms: 7,
  refundable: true as boolean | undefined,
  current_refundability: 'refundable',
  merchant_of_record: 'expedia',
  amenities: { '3001': { id: '3001', name: 'Late check-out' } } as object,
  links: { payment_options: { method: 'GET', href: `/v3/properties/${PROPERTY_ID}/payment-options?token=pay` } },
  bed_groups: {
    '501': {
      id: '501',
      description: '1 Large Double Bed',
      links: {
        price_check: {
          method: 'GET',
          href: `/v3/properties/${PROPERTY_ID}/rooms/room-11/rates/rate-21?token=check`,
          expires: '2027-02-01T00:30:00.000Z',
        },
      },
      configuration: [{ type: 'DoubleBed', size: 'Double', quantity: 1 }],
    },
  } as object,
  cancel_penalties: [
    {
      currency: 'USD',
      start: '2027-02-12T11:59:00.000-08:00',
      // Rapid's own examples have windows that end where they begin.
      end: '2027-02-12T11:59:00.000-08:00',
      amount: '12.00',
    },
  ] as object[] | undefined,
  nonrefundable_date_ranges: [{ start: '2029-05-05', end: '2029-05-05' }],
  occupancy_pricing: {
    '2': {
      nightly: nights(2, '175.00', '25.00', 'EUR') as unknown,
      totals: {
        inclusive: charge('400.00', '440.00'),
        exclusive: charge('350.00', '385.00'),
        property_inclusive: charge('412.00', '453.20'),
        strikethrough: charge('380.00', '418.00'),
        property_inclusive_strikethrough: charge('450.00', '495.00'),
        gross_profit: charge('20.00', '22.00'),
        property_fees: charge('12.00', '13.20'),
      } as object,
      fees: {
        mandatory_fee: charge('5.00', '5.50'),
        resort_fee: charge('4.00', '4.40'),
        mandatory_tax: charge('3.00', '3.30'),
      } as object,
    },
    // Rapid sometimes omits the all-in total.
    '1-7,10': {
      nightly: nights(2, '135.00', '15.00', 'EUR') as unknown,
      totals: {
        inclusive: charge('300.00', '330.00'),
        exclusive: charge('270.00', '297.00'),
        strikethrough: charge('280.00', '308.00'),
        property_fees: charge('9.00', '9.90'),
      } as object,
      fees: { mandatory_fee: charge('9.00', '9.90') } as object,
    },
  },
})
export type Rate = ReturnType<typeof aRate>

/** One property with one room and one rate. */
export const availability = (change: (rate: Rate) => void = () => {}, roomName = 'Garden Room') => {
  const rate = aRate()
  change(rate)
  return [
    {
      property_id: PROPERTY_ID,
      status: 'available',
      score: 5,
      rooms: [{ id: 'room-11', room_name: roomName, rates: [rate] }],
    },
  ]
}

const bookLink = { method: 'POST', href: '/v3/itineraries?token=book', expires: '2027-02-01T00:40:00.000Z' }

export const priceCheck = (more: object = {}) => ({
  status: 'available',
  occupancy_pricing: {
    '2': {
      nightly: nights(1, '180.00', '20.00', 'EUR'),
      totals: { inclusive: charge('200.00', '220.00'), exclusive: charge('180.00', '198.00') },
      fees: { mandatory_fee: charge('4.00', '4.40') },
    },
  },
  card_on_file_limit: money('300.00', 'USD'),
  links: { book: bookLink },
  ...more,
})

/** An unusual answer: an occupancy that was not requested, `nightly` as an object, fees in a third currency. */
export const oddPriceCheck = () => ({
  status: 'price_changed',
  occupancy_pricing: {
    '777': {
      nightly: { type: 'base_rate', ...money('95.00', 'USD') },
      totals: {
        inclusive: { billable_currency: money('190.00', 'USD'), request_currency: money('190.00', 'USD') },
        property_fees: { billable_currency: money('7.00', 'GBP'), request_currency: money('9.00', 'USD') },
      },
    },
  },
  links: { additional_rates: { method: 'GET', href: '/v3/properties/70001/availability?token=more' }, book: bookLink },
})

export const ITINERARY_ID = '8012345678901'
export const REFERENCE = 'SERAIREFERENCE000001'

export const created = (
  links: object = { retrieve: { method: 'GET', href: `/v3/itineraries/${ITINERARY_ID}?token=read` } },
) => ({
  itinerary_id: ITINERARY_ID,
  links,
})
const link = (method: string, token: string) => ({ method, href: `/v3/itineraries/${ITINERARY_ID}?token=${token}` })
export const createdOnHold = () =>
  created({ retrieve: link('GET', 'read'), resume: link('PUT', 'resume'), cancel: link('DELETE', 'cancel') })
export const createdChallenged = () => ({
  ...created({
    complete_payment_session: { method: 'PUT', href: `/v3/itineraries/${ITINERARY_ID}/payment-sessions?token=bank` },
  }),
  encoded_challenge_config: 'e30=',
})
export const heldItinerary = () => ({
  itinerary_id: ITINERARY_ID,
  creation_date_time: '2027-01-20T14:07:26.681Z',
  links: { resume: link('PUT', 'resume'), cancel: link('DELETE', 'cancel') },
})
/** Rapid's whole answer for a short while after the booking. */
export const notReady = () => ({ itinerary_id: ITINERARY_ID, creation_date_time: '2027-01-20T14:07:26.681Z' })

const billed = (value: string) => ({ billable_currency: money(value, 'USD') })

const bookedRoom = (status = 'booked', place = 0) => ({
  id: `90000000${place}`,
  confirmation_id: { expedia: '4400000001', property: 'INN-77' },
  checkin: '2027-09-21',
  checkout: '2027-09-23',
  number_of_adults: 2,
  given_name: 'Ada',
  family_name: 'Guest',
  status,
  smoking: false,
  rate: {
    id: 'rate-21',
    merchant_of_record: 'expedia',
    refundable: true,
    // A refund is negative, sometimes as text.
    cancel_refund: { amount: -60.5, currency: 'USD' } as unknown,
    cancel_penalties: [
      {
        start: '2027-01-01T01:01:01.000-08:00',
        end: '2027-12-12T01:01:01.000-08:00',
        amount: '120.50',
        currency: 'USD',
      },
    ],
    nonrefundable_date_ranges: [{ start: '2029-05-05', end: '2029-05-05' }],
    pricing: {
      nightly: nights(2, '135.00', '15.00', 'USD'),
      totals: { inclusive: billed('300.00'), exclusive: billed('270.00'), property_fees: billed('25.00') },
      fees: { mandatory_fee: billed('5.00'), resort_fee: billed('12.00'), mandatory_tax: billed('8.00') },
    },
  } as object,
  links: {
    cancel: { method: 'DELETE', href: `/v3/itineraries/${ITINERARY_ID}/rooms/key-${place}?token=t${place}` },
  } as object,
})

/** A booking with a room of each state. */
export const itinerary = (...states: string[]) => ({
  itinerary_id: ITINERARY_ID,
  property_id: PROPERTY_ID,
  links: { cancel: link('DELETE', 'cancel') },
  email: 'ada.guest@example.com',
  rooms: (states.length === 0 ? ['booked'] : states).map(bookedRoom),
  creation_date_time: '2027-01-20T14:07:26.681Z',
  affiliate_reference_id: REFERENCE,
})

/** A degraded answer (206) omits some fields. */
export const degradedItinerary = () => {
  const whole = itinerary()
  return {
    ...whole,
    impacted_fields: ['/rooms/0/rate/cancel_penalties', '/rooms/0/rate/cancel_refund'],
    rooms: whole.rooms.map((room) => {
      const { cancel_penalties: _, cancel_refund: __, ...rate } = room.rate as Record<string, unknown>
      return { ...room, rate }
    }),
  }
}

/** An error body; with `nested`, the reasons are inside. */
export const error = (type: string, ...nested: string[]) => ({
  type,
  message: 'A text for people.',
  ...(nested.length > 0 && { errors: nested.map((each) => ({ type: each, message: 'A text for people.' })) }),
})
export const invalid = (...types: string[]) => error('invalid_input', ...types)
/** Rapid echoes the headers and adds its own time. */
export const unauthenticated = (serverTimestamp: number) => ({
  ...error('request_unauthenticated'),
  fields: [
    { name: 'apikey', type: 'header', value: 'abcdefg' },
    { name: 'timestamp', type: 'header', value: serverTimestamp },
    { name: 'servertimestamp', type: 'server', value: serverTimestamp },
  ],
})

const picture = (letter: string) => ({ method: 'GET', href: `https://pictures.example/70001/lobby_${letter}.jpg` })
export const images = () => [
  {
    caption: 'Lobby',
    hero_image: true,
    category: 3,
    links: { '70px': picture('t'), '200px': picture('s'), '350px': picture('b'), '1000px': picture('z') },
  },
]

export const contentProperty = () => ({
  property_id: PROPERTY_ID,
  name: 'The Harbour Inn',
  address: {
    line_1: '4 Quay Street',
    line_2: 'Building B',
    city: 'Portsmouth',
    state_province_code: 'NH',
    state_province_name: 'New Hampshire',
    postal_code: '03801',
    country_code: 'US',
    obfuscation_required: false,
  },
  ratings: {
    property: { rating: '3.5', type: 'Star' },
    guest: {
      count: 1204,
      overall: '4.4',
      cleanliness: '4.5',
      service: '4.2',
      comfort: '4.3',
      condition: '4.1',
      location: '4.9',
      amenities: '3.9',
      recommendation_percent: '91%',
    },
  },
  location: {
    coordinates: { latitude: 43.077123, longitude: -70.757456 },
    obfuscated_coordinates: { latitude: 43.08, longitude: -70.76 },
    obfuscation_required: false,
  },
  phone: '1-603-555-0142',
  category: { id: '1', name: 'Hotel' },
  checkin: { begin_time: '3:00 PM', end_time: '11:00 PM', min_age: 18 },
  checkout: { time: '11:00 AM' },
  attributes: { pets: { '51': { id: '51', name: 'Pets allowed' }, '2809': { id: '2809', name: 'Dogs only' } } },
  amenities: {
    '9': { id: '9', name: 'Fitness facilities' },
    '2820': { id: '2820', name: 'Number of indoor pools - 1', value: 1 },
  },
  images: images(),
  rooms: {
    '8101': {
      id: '8101',
      name: 'Harbour Room',
      descriptions: { overview: '<strong>2 twin beds</strong><br />Looks over the <b>harbour</b>.<br />' },
      amenities: { '130': { id: '130', name: 'Refrigerator' } },
      images: images(),
      bed_groups: { '501': { id: '501', description: '2 Twin Beds' } },
      area: { square_meters: 21, square_feet: 226 },
      occupancy: { max_allowed: { total: 3, children: 2, adults: 2 } },
    },
  },
  descriptions: {
    headline: 'On the old quay',
    rooms: 'Twelve rooms, each with a view of the water.',
    location: 'Two minutes from the ferry.',
  },
  chain: { id: '90', name: 'Coast Group' },
  brand: { id: '91', name: 'Harbour Inns' },
})

/** A property whose address may not be shown before booking. */
export const hiddenProperty = () => {
  const open = contentProperty()
  return {
    ...open,
    address: { ...open.address, obfuscation_required: true },
    location: { ...open.location, obfuscation_required: true },
    chain: { id: '0', name: 'Independent' },
    brand: { id: '0', name: 'Independent' },
  }
}

export const contentAnswer = (...properties: { property_id: string }[]) =>
  Object.fromEntries(properties.map((property) => [property.property_id, property]))
