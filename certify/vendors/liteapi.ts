import { type LiteapiConfig, readEnvironment } from '../../src/vendors/liteapi/config.ts'
import { asRecord, asRecords, asText, asTexts, readId, type Wire } from '../../src/vendors/wire/read.ts'
import type { Evidence, Exchange, Review, ReviewPoint } from '../review.ts'
import { findExchanges, findSubject, listBookedSamples } from '../review-evidence.ts'
import {
  cancellationPoint,
  eachBooked,
  lostAnswerPoint,
  managePoint,
  namesPoint,
  numberPoint,
  pricechangePoint,
  pricePoint,
  samplePoints,
  textPoint,
  unavailablePoint,
  voucherPoint,
} from '../review-points.ts'

const readData = ({ answer }: Exchange): Wire => asRecord(asRecord(answer)?.data) ?? {}

/** The last prebook of a sample, which was booked. */
const findPrebook = (evidence: Evidence, sample: string): Wire => {
  const last = findExchanges(evidence, sample, 'price_check').at(-1)
  return last === undefined ? {} : readData(last)
}

const listRates = (prebook: Wire): Wire[] => asRecords(prebook.roomTypes).flatMap((offer) => asRecords(offer.rates))

const findBookingBody = (evidence: Evidence, sample: string): Wire =>
  asRecord(findExchanges(evidence, sample, 'book')[0]?.body) ?? {}

/** The booking as first reported by the vendor. */
function findBooking(evidence: Evidence, sample: string): Wire {
  const calls = [...findExchanges(evidence, sample, 'book'), ...findExchanges(evidence, sample, 'find')]
  return calls.map(readData).find((data) => readId(data.bookingId) !== '') ?? {}
}

const FLOW = 'Workflow'
const SHOWN = 'Data shown'
const AFTER = 'After the booking'

const checkedPoint = eachBooked(
  { id: 'prebook', area: FLOW, title: 'Rates, then a prebook, then the booking of that prebook' },
  (evidence, sample) => {
    const [book] = findExchanges(evidence, sample, 'book')
    const prebookId = asText(findBookingBody(evidence, sample).prebookId)
    const isLast = prebookId !== '' && prebookId === asText(findPrebook(evidence, sample).prebookId)
    return book !== undefined && isLast ? book.file : { wrong: 'something was booked that was not the last prebook' }
  },
)

const referencePoint = eachBooked(
  { id: 'client-reference', area: FLOW, title: 'Each booking has a clientReference of its own' },
  (evidence, sample) => {
    const [book] = findExchanges(evidence, sample, 'book')
    const own = asText(findBookingBody(evidence, sample).clientReference)
    const others = listBookedSamples(evidence).filter((name) => name !== sample)
    const isShared = others.some((name) => findBookingBody(evidence, name).clientReference === own)
    return book !== undefined && own !== '' && !isShared ? book.file : { wrong: 'the reference is missing or shared' }
  },
)

const guestPoint = eachBooked(
  { id: 'guests', area: FLOW, title: 'Exactly one guest per room, and no card of a guest' },
  (evidence, sample) => {
    const [book] = findExchanges(evidence, sample, 'book')
    const { guests, payment } = findBookingBody(evidence, sample)
    const { subject } = findSubject(evidence, sample, 'read')
    const isEach = asRecords(guests).length === asRecords(subject.occupancies).length
    const method = asText(asRecord(payment)?.method)
    if (!isEach) return { wrong: 'the guests are not one per room' }
    return book !== undefined && ['ACC_CREDIT_CARD', 'WALLET', 'CREDIT'].includes(method)
      ? book.file
      : { wrong: `paid by "${method}"` }
  },
)

const sandboxPoint: ReviewPoint = {
  id: 'sandbox',
  area: FLOW,
  title: 'Only the sandbox answered',
  judge({ exchanges }) {
    const marked = exchanges.filter(({ answer }) => asRecord(answer)?.sandbox !== undefined)
    const live = marked.find(({ answer }) => asRecord(answer)?.sandbox === false)
    if (live !== undefined)
      return { missing: `${live.operation} of ${live.sample} was answered by the live environment` }
    return marked.length === 0
      ? { missing: 'no response names its environment' }
      : { files: marked.slice(0, 3).map(({ file }) => file) }
  },
}

const packagePoint = eachBooked(
  { id: 'packages', area: SHOWN, title: 'Package rates are not sold alone' },
  (evidence, sample) => {
    const prebook = findPrebook(evidence, sample)
    const { file } = findSubject(evidence, sample, 'detail')
    const isPackage = prebook.isPackageRate === true || asText(prebook.rateType) === 'package'
    return isPackage ? { wrong: 'a package rate was sold' } : file
  },
)

/** Always GMT, with or without a time. */
function listDeadlines(evidence: Evidence, sample: string): string[] {
  const infos = listRates(findPrebook(evidence, sample)).flatMap((rate) =>
    asRecords(asRecord(rate.cancellationPolicies)?.cancelPolicyInfos),
  )
  const times = infos.map(({ cancelTime }) => asText(cancelTime).replace(' ', 'T')).filter((time) => time !== '')
  return times.map((time) => (time.length === 10 ? `${time}T00:00:00Z` : time.endsWith('Z') ? time : `${time}Z`))
}

function listRemarks(evidence: Evidence, sample: string): string[] {
  const prebook = findPrebook(evidence, sample)
  const ofRates = listRates(prebook).flatMap((rate) => {
    const { hotelRemarks } = asRecord(rate.cancellationPolicies) ?? {}
    return [asText(rate.remarks), asText(hotelRemarks), ...asTexts(hotelRemarks)]
  })
  return [...ofRates, asText(prebook.termsAndConditions)]
}

/** Guest information that only the booking contains. */
const TEXTS = [
  ['mandatoryFees', 'Mandatory fees'],
  ['optionalFees', 'Optional fees'],
  ['knowBeforeYouGo', 'Know before you go'],
  ['hotelRemarks', 'Remarks of the hotel'],
  ['specialRemarks', 'Special remarks'],
  ['checkinInstructions', 'Check-in instructions'],
] as const

const textIn = (value: unknown): string => asText(asRecord(value)?.instructions ?? value)

const textPoints = TEXTS.map(([field, title]) =>
  textPoint(
    { id: field, area: SHOWN, title: `${title}, with the booking and on the voucher` },
    ['read', 'voucher'],
    (evidence, sample) => [textIn(findBooking(evidence, sample)[field])],
  ),
)

/** Full content of a sample's property. */
function findContent(evidence: Evidence, sample: string): Wire {
  const id = asText(findSubject(evidence, sample, 'detail').subject.vendors_property_id)
  const properties = evidence.exchanges.filter(({ operation }) => operation === 'content').map(readData)
  return properties.find((property) => asText(property.id) === id) ?? {}
}

const propertyPoint = textPoint(
  {
    id: 'property-texts',
    area: SHOWN,
    title: 'Important information, policies and check-in of the property, at every step',
  },
  ['detail', 'check', 'read', 'voucher'],
  (evidence, sample) => {
    const content = findContent(evidence, sample)
    const times = asRecord(content.checkinCheckoutTimes)
    const policies = asRecords(content.policies).map(({ description }) => asText(description))
    const checkIn = [...asTexts(times?.instructions), asText(times?.special_instructions)]
    return [asText(content.hotelImportantInformation), ...policies, ...checkIn]
  },
)

/** Both environments have the same hosts, so the key must be a sandbox key. */
const validateSettings = (settings: Readonly<Record<string, string>>): string | undefined =>
  readEnvironment(settings as unknown as LiteapiConfig) === 'sandbox'
    ? undefined
    : 'SERAI_LITEAPI_API_KEY must be a sandbox key (sand_…). With any other key the sample bookings would be real.'

/**
 * LiteAPI publishes no review. These points are assumptions, based on its integration guide and the reviews of other
 * vendors.
 */
export const REVIEW: Review = {
  testHosts: ['api.liteapi.travel', 'book.liteapi.travel'],
  callsPerSecond: 5,
  // Below the limits of a sandbox key, because calls of two windows may arrive within one second.
  settings: { 'limits/searchPerSecond': '1', 'limits/bookingPerSecond': '1', 'limits/contentPerSecond': '1' },
  validateSettings,
  points: [
    checkedPoint,
    referencePoint,
    guestPoint,
    sandboxPoint,
    pricePoint({ id: 'price', area: SHOWN, title: 'Total, taxes, and what the property collects' }),
    cancellationPoint(
      { id: 'cancellation', area: SHOWN, title: 'Cancellation policy in full, in the property’s time' },
      listDeadlines,
    ),
    textPoint(
      { id: 'remarks', area: SHOWN, title: 'Remarks and conditions before booking and on the voucher' },
      ['check', 'read', 'voucher'],
      listRemarks,
    ),
    propertyPoint,
    ...textPoints,
    packagePoint,
    namesPoint({ id: 'names', area: SHOWN, title: 'The guest who arrives is named' }, ({ holder, guests }) =>
      [asRecord(holder) ?? {}, ...asRecords(guests)].map(({ firstName, lastName }) => `${firstName} ${lastName}`),
    ),
    numberPoint({ id: 'booking-id', area: AFTER, title: 'The vendor’s number is shown' }, (answer) =>
      readId(asRecord(answer.data)?.bookingId),
    ),
    managePoint({ id: 'manage', area: AFTER, title: 'Lookup and cancellation by the customer' }, ['find', 'cancel']),
    voucherPoint(
      { id: 'voucher', area: AFTER, title: 'A voucher for the guest, without a price' },
      (evidence, sample) => asText(findContent(evidence, sample).phone),
    ),
    pricechangePoint('Errors'),
    lostAnswerPoint('Errors'),
    unavailablePoint('Errors'),
    ...samplePoints('Sample bookings'),
  ],
}
