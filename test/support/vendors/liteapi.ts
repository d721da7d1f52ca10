/** Bodies in LiteAPI's format, written for these tests. */
export type Json = Record<string, unknown>

export const HOTEL = 'lp2a'
export const OFFER = `OFFER${'A'.repeat(1100)}`
export const BOOKING = 'bK3_x-9Qz'

const list = (amount: number, currency = 'EUR') => [{ amount, currency }]
export const money = (amount: number, currency = 'EUR') => ({ amount, currency })

type RateOptions = {
  readonly retail?: number
  readonly commission?: number
  readonly taxes?: unknown
  readonly policies?: unknown
  readonly more?: Json
}

export const ladder = (...steps: readonly (readonly [time: string, amount: number])[]) => ({
  cancelPolicyInfos: steps.map(([cancelTime, amount]) => ({
    cancelTime,
    amount,
    currency: 'EUR',
    type: 'amount',
    timezone: 'GMT',
  })),
  hotelRemarks: [],
  refundableTag: 'RFN',
})

export const rate = ({ retail = 101, commission = 1, taxes = null, policies, more = {} }: RateOptions = {}): Json => ({
  rateId: 'RATE1',
  occupancyNumber: 1,
  name: 'Double Room - Room Only',
  maxOccupancy: 2,
  adultCount: 2,
  childCount: 0,
  boardType: 'RO',
  boardName: 'Room Only',
  remarks: '',
  priceType: 'commission',
  commission: list(commission),
  retailRate: { total: list(retail), suggestedSellingPrice: list(retail + 9), initialPrice: null, taxesAndFees: taxes },
  cancellationPolicies: policies ?? ladder(['2027-05-30 02:00:00', retail]),
  mappedRoomId: 77,
  ...more,
})

export const offer = (rates: readonly Json[] = [rate()], more: Json = {}): Json => {
  const total = rates.reduce(
    (sum, { retailRate }) => sum + (((retailRate as Json).total as Json[])[0]?.amount as number),
    0,
  )
  return {
    roomTypeId: 'T1',
    offerId: OFFER,
    supplier: 'nuitee',
    supplierId: 2,
    rates,
    offerRetailRate: money(total),
    suggestedSellingPrice: money(total + 9 * rates.length),
    offerInitialPrice: money(total),
    priceType: 'commission',
    rateType: 'standard',
    ...more,
  }
}

export const STUB: Json = {
  roomTypeId: 'T9',
  rates: [
    {
      rateId: '',
      occupancyNumber: 0,
      boardType: '',
      boardName: '',
      commission: null,
      retailRate: { total: null, taxesAndFees: null },
      cancellationPolicies: { cancelPolicyInfos: null, hotelRemarks: null },
    },
  ],
  offerRetailRate: money(5),
  rateType: 'standard',
}

export const ratesAnswer = (...roomTypes: readonly Json[]): Json => ({
  data: [{ hotelId: HOTEL, roomTypes }],
  guestLevel: 0,
  sandbox: true,
})

export const prebook = (rates: readonly Json[] = [rate()], more: Json = {}): Json => ({
  data: {
    prebookId: 'pR3b00kId',
    offerId: OFFER,
    hotelId: HOTEL,
    checkin: '2027-06-01',
    checkout: '2027-06-03',
    currency: 'EUR',
    price: rates.reduce(
      (sum, { retailRate }) => sum + (((retailRate as Json).total as Json[])[0]?.amount as number),
      0,
    ),
    commission: rates.length,
    termsAndConditions: '',
    roomTypes: [{ rates }],
    suggestedSellingPrice: money(120),
    priceDifferencePercent: 0,
    cancellationChanged: false,
    boardChanged: false,
    paymentTypes: ['NUITEE_PAY', 'WALLET'],
    ...more,
  },
  guestLevel: 0,
  sandbox: true,
})

export const booking = (clientReference: string, more: Json = {}): Json => ({
  bookingId: BOOKING,
  clientReference,
  status: 'CONFIRMED',
  hotelConfirmationCode: '',
  checkin: '2027-06-01',
  checkout: '2027-06-03',
  hotel: { hotelId: HOTEL, name: 'Aurora' },
  bookedRooms: [
    { roomType: { roomTypeId: '', name: 'Double Room' }, boardType: 'RO', rate: { rateId: '' }, amount: 100 },
  ],
  price: 101,
  commission: 1,
  currency: 'EUR',
  sandbox: 1,
  ...more,
})

export const errorAnswer = (status: number, code: number, message = 'message', description?: string) => ({
  status,
  body: { error: { code, message, ...(description !== undefined && { description }) } },
})
