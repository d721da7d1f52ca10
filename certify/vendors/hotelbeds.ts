import { asRecord, asRecords, asText, readCode, type Wire } from '../../src/vendors/wire/read.ts'
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

const ratesIn = (hotel: unknown): Wire[] => asRecords(asRecord(hotel)?.rooms).flatMap((room) => asRecords(room.rates))

/** Rates of the last price check of a sample. Checking several rates takes several calls. */
function checkedRates(evidence: Evidence, sample: string): Wire[] {
  const { subject } = findSubject(evidence, sample, 'check')
  const keys = bookedKeys(evidence, sample)
  const rates = findExchanges(evidence, sample, 'price_check').flatMap(({ answer }) => ratesIn(asRecord(answer)?.hotel))
  return subject === undefined ? [] : rates.filter(({ rateKey }) => keys.includes(asText(rateKey)))
}

const keysIn = ({ body }: Exchange): string[] => asRecords(asRecord(body)?.rooms).map(({ rateKey }) => asText(rateKey))

const bookedKeys = (evidence: Evidence, sample: string): string[] =>
  findExchanges(evidence, sample, 'book').flatMap(keysIn)

const bookingsIn = (evidence: Evidence, sample: string): Wire[] =>
  evidence.exchanges
    .filter((entry) => entry.sample === sample)
    .map(({ answer }) => asRecord(asRecord(answer)?.booking))
    .filter((booking) => booking !== undefined)

/** Phone number in the content of a sample's hotel. */
function findPhone(evidence: Evidence, sample: string): string {
  const code = asText(findSubject(evidence, sample, 'detail').subject.vendors_property_id)
  const hotels = evidence.exchanges
    .filter(({ operation }) => operation === 'content')
    .flatMap(({ answer }) => asRecords(asRecord(answer)?.hotels))
  const phones = hotels.filter((hotel) => readCode(hotel.code) === code).flatMap((hotel) => asRecords(hotel.phones))
  return asText(phones[0]?.phoneNumber)
}

const SHOWN = '3 Data shown'
const FLOW = '2 Workflow'

const hasRateType = (type: string, key: string, exchanges: readonly Exchange[]): boolean =>
  exchanges
    .flatMap(({ answer }) => asRecords(asRecord(asRecord(answer)?.hotels)?.hotels))
    .flatMap(ratesIn)
    .some((rate) => asText(rate.rateKey) === key && rate.rateType === type)

function isRecheck(checks: readonly Exchange[], earlier: readonly Exchange[]): boolean {
  return checks
    .slice(-1)
    .flatMap(keysIn)
    .some((key) => hasRateType('RECHECK', key, earlier))
}

const contentPoint: ReviewPoint = {
  id: 'content',
  area: '1 Content',
  title: 'Content comes from our own copy: none is read while a customer searches, checks or books',
  judge({ exchanges }) {
    const content = exchanges.filter(({ class: callClass }) => callClass === 'content')
    // Rate comments are fetched after the customer was answered.
    const late = content.find(({ sample, operation }) => sample !== 'content' && operation !== 'rate_comments')
    if (content.length === 0) return { missing: 'no content was read' }
    return late === undefined
      ? { files: content.slice(0, 3).map(({ file }) => file) }
      : { missing: `content was read at ${late.step} of ${late.sample}` }
  },
}

const checkedFirst = eachBooked(
  { id: 'checked', area: FLOW, title: 'Availability, then checkrates, then the booking of what was checked' },
  (evidence, sample) => {
    const [book] = findExchanges(evidence, sample, 'book')
    const rates = checkedRates(evidence, sample)
    const keys = bookedKeys(evidence, sample)
    return book !== undefined && keys.length > 0 && keys.every((key) => rates.some(({ rateKey }) => rateKey === key))
      ? book.file
      : { wrong: 'a rate was booked that was not checked' }
  },
)

const recheckPoint: ReviewPoint = {
  id: 'sample-recheck',
  area: '6 Sample bookings',
  title: 'A RECHECK rate, one rate a call',
  judge(evidence) {
    const checks = findExchanges(evidence, 'recheck', 'price_check')
      .filter(({ step }) => step === 'check')
      .slice(-1)
    const isOne = checks.every((check) => keysIn(check).length === 1)
    return isRecheck(checks, findExchanges(evidence, 'recheck', 'rooms')) &&
      isOne &&
      listBookedSamples(evidence).includes('recheck')
      ? { files: [...checks, ...findExchanges(evidence, 'recheck', 'book')].map(({ file }) => file) }
      : { missing: 'no RECHECK rate was checked and booked' }
  },
}

/** Rates that may be sold only inside a package are not booked. */
const packagePoint = eachBooked(
  { id: 'packaging', area: SHOWN, title: 'Package rates are not sold alone' },
  (evidence, sample) => {
    const { file } = findSubject(evidence, sample, 'detail')
    const sold = checkedRates(evidence, sample).find(({ packaging }) => packaging === true)
    return sold === undefined ? file : { wrong: 'a package rate was sold' }
  },
)

const tolerancePoint = eachBooked(
  { id: 'tolerance', area: FLOW, title: 'The booking contains our reference and allows no other price' },
  (evidence, sample) => {
    const [book] = findExchanges(evidence, sample, 'book')
    const body = asRecord(book?.body)
    return book !== undefined && body?.tolerance === 0 && asText(body.clientReference) !== ''
      ? book.file
      : { wrong: 'clientReference or tolerance is missing' }
  },
)

const clausePoint = textPoint(
  { id: 'clause', area: '4 Voucher', title: 'The mandatory clause with supplier, VAT number and reference' },
  ['voucher'],
  (evidence, sample) =>
    bookingsIn(evidence, sample)
      .slice(0, 1)
      .flatMap((booking) => {
        const supplier = asRecord(asRecord(booking.hotel)?.supplier)
        return [
          `Payable through ${asText(supplier?.name)}, acting as agent for the service operating company, details of which can be provided upon request`,
          `VAT: ${asText(supplier?.vatNumber)} Reference: ${asText(booking.reference)}`,
        ]
      }),
)

const listDeadlines = (evidence: Evidence, sample: string): string[] =>
  checkedRates(evidence, sample).flatMap((rate) =>
    asRecords(rate.cancellationPolicies).flatMap(({ from }) => asText(from) || []),
  )

/** The review demands mutual TLS; without it, every sample booking would be refused. */
const validateSettings = ({ bookingOrigin, certificatePath }: Readonly<Record<string, string>>): string | undefined =>
  bookingOrigin === 'https://api-mtls.test.hotelbeds.com' && certificatePath !== undefined
    ? undefined
    : 'Set SERAI_HOTELBEDS_BOOKING_ORIGIN=https://api-mtls.test.hotelbeds.com and the client certificate.'

/** Requirements that Hotelbeds checks before it issues live keys, by its six areas. */
export const REVIEW: Review = {
  testHosts: ['api-mtls.test.hotelbeds.com', 'api.test.hotelbeds.com'],
  // Availability and checkrates are under /hotels and /checkrates.
  needsCertificate: (_, path) => path.startsWith('/hotel-api/1.0/bookings'),
  validateSettings,
  settings: {},
  isRecheck,
  points: [
    contentPoint,
    checkedFirst,
    tolerancePoint,
    pricePoint({ id: 'price', area: SHOWN, title: 'Prices, taxes, and what is paid at the hotel' }),
    cancellationPoint(
      { id: 'cancellation', area: SHOWN, title: 'Cancellation policy, in the hotel’s time' },
      listDeadlines,
    ),
    textPoint(
      { id: 'rate-comments', area: SHOWN, title: 'Rate comments before booking and on the voucher' },
      ['check', 'read', 'voucher'],
      (evidence, sample) => checkedRates(evidence, sample).map(({ rateComments }) => asText(rateComments)),
    ),
    textPoint(
      { id: 'promotions', area: SHOWN, title: 'Promotions' },
      ['detail', 'check', 'read', 'voucher'],
      (evidence, sample) =>
        checkedRates(evidence, sample).flatMap((rate) => asRecords(rate.promotions).map(({ name }) => asText(name))),
    ),
    packagePoint,
    namesPoint({ id: 'names', area: SHOWN, title: 'The guest who arrives is named' }, ({ holder, rooms }) => [
      ...[asRecord(holder) ?? {}, ...asRecords(rooms).flatMap((room) => asRecords(room.paxes))].map(
        ({ name, surname }) => `${name} ${surname}`,
      ),
    ]),
    voucherPoint(
      { id: 'voucher', area: '4 Voucher', title: 'Hotel, address, phone, guests, dates, room, board; no price' },
      findPhone,
    ),
    clausePoint,
    numberPoint({ id: 'reference', area: '4 Voucher', title: 'The vendor’s reference' }, (answer) =>
      readCode(asRecord(answer.booking)?.reference),
    ),
    lostAnswerPoint('5 Time-outs and retries'),
    unavailablePoint('5 Time-outs and retries'),
    pricechangePoint('6 Sample bookings'),
    managePoint({ id: 'manage', area: '6 Sample bookings', title: 'Lookup and cancellation by the customer' }, [
      'cancel',
    ]),
    ...samplePoints('6 Sample bookings', recheckPoint),
  ],
}
