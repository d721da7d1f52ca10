import { asEntries, asList, asRecord, asRecords, asText, readId, type Wire } from '../../src/vendors/wire/read.ts'
import type { Evidence, Exchange, Review, ReviewPoint } from '../review.ts'
import { findExchanges, findSubject, listBookedSamples, type Place } from '../review-evidence.ts'
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

const EVERYWHERE: readonly Place[] = ['detail', 'check', 'read', 'voucher']
const FROM_CHECK: readonly Place[] = ['check', 'read', 'voucher']

/** Rapid's content for the property of a sample, as it was sent. */
function findContent(evidence: Evidence, sample: string): Wire {
  const id = asText(findSubject(evidence, sample, 'detail').subject.vendors_property_id)
  const answers = evidence.exchanges.filter(({ operation }) => operation === 'content').map(({ answer }) => answer)
  // The list response contains fewer fields than that of a single property.
  return Object.assign({}, ...answers.map((answer) => asRecord(asRecord(answer)?.[id])))
}

const findCheck = (evidence: Evidence, sample: string): Wire =>
  asRecord(findExchanges(evidence, sample, 'price_check').at(-1)?.answer) ?? {}

/** The shopped rate whose price-check link was followed. */
function findRate(evidence: Evidence, sample: string): Wire {
  const path = findExchanges(evidence, sample, 'price_check').at(-1)?.path ?? '-'
  const rates = findExchanges(evidence, sample, 'rooms')
    .flatMap(({ answer }) => asRecords(answer))
    .flatMap((property) => asRecords(property.rooms))
    .flatMap((room) => asRecords(room.rates))
  return rates.find((rate) => JSON.stringify(rate.bed_groups).includes(path)) ?? {}
}

/** One point for each content text that must be shown, with its group of fields. */
const CONTENT: readonly (readonly [
  id: string,
  title: string,
  group: string,
  read: (group: Wire) => readonly unknown[],
])[] = [
  ['fees-mandatory', 'Mandatory fees', 'fees', ({ mandatory }) => [mandatory]],
  ['fees-optional', 'Optional fees', 'fees', ({ optional }) => [optional]],
  ['policies', 'Know before you go', 'policies', ({ know_before_you_go: rules }) => [rules]],
  ['check-in', 'Check-in instructions', 'checkin', ({ instructions }) => [instructions]],
  ['check-in-special', 'Special check-in instructions', 'checkin', ({ special_instructions: text }) => [text]],
  ['min-age', 'Minimum age', 'checkin', ({ min_age: age }) => [minAge(age)]],
  [
    'onsite-payments',
    'Payments accepted at the property',
    'onsite_payments',
    ({ types }) => asEntries(types).map(([, type]) => asRecord(type)?.name),
  ],
]
const minAge = (age: unknown) => (typeof age === 'number' && age > 0 ? `${age}+` : '')

const CONDITIONS = 'Booking conditions'

/** A text that is not requested would look like a missing one. */
const asksFor = ({ exchanges }: Evidence, group: string): boolean =>
  exchanges.some(({ operation, path }) => operation === 'content' && path.includes(`include=${group}&`))

const contentPoints = CONTENT.map(([id, title, group, read]): ReviewPoint => {
  const point = textPoint({ id, area: CONDITIONS, title }, EVERYWHERE, (evidence, sample) =>
    read(asRecord(findContent(evidence, sample)[group]) ?? {}).map(asText),
  )
  return {
    ...point,
    judge: (evidence) =>
      asksFor(evidence, group) ? point.judge(evidence) : { missing: `the content is requested without ${group}` },
  }
})

const conditionPoints: ReviewPoint[] = [
  ...contentPoints,
  textPoint({ id: 'promotions', area: CONDITIONS, title: 'Promotions' }, EVERYWHERE, (evidence, sample) => {
    const promotions = asRecord(findRate(evidence, sample).promotions)
    const given = [promotions?.deal, ...asEntries(promotions?.value_adds).map(([, value]) => value)]
    return given.map((entry) => asText(asRecord(entry)?.description))
  }),
  textPoint({ id: 'deposits', area: CONDITIONS, title: 'Deposits' }, EVERYWHERE, (evidence, sample) => {
    const rate = findRate(evidence, sample)
    const amounts = [rate.refundable_damage_deposit, ...asList(rate.deposits)].map(asRecord)
    return amounts.flatMap((entry) => (entry === undefined ? [] : `${entry.value} ${entry.currency}`))
  }),
  textPoint(
    { id: 'trader', area: CONDITIONS, title: 'Trader information (European Union)' },
    FROM_CHECK,
    (evidence, sample) =>
      asRecords(asRecord(findCheck(evidence, sample).trader_information)?.traders).flatMap(
        ({ name, business_register_number: number }) => [asText(name), asText(number)],
      ),
  ),
]

/** Next to the book button, so it must be in the response that the checkout uses. */
const termsPoint = eachBooked(
  { id: 'terms-link', area: 'Display', title: 'Link to the supplier’s terms and conditions (GR2)' },
  (evidence, sample) => {
    const { subject, file } = findSubject(evidence, sample, 'check')
    const links = asRecords(subject.notices).filter(
      ({ kind, url }) => kind === 'vendor_terms' && /^https:/.test(asText(url)),
    )
    return links.length > 0 ? file : { wrong: 'no link' }
  },
)

const taxesTextPoint = eachBooked(
  { id: 'taxes-text', area: 'Display', title: 'The prescribed text beside “Taxes and fees” (BP5)' },
  (evidence, sample) => {
    const lacking = (['detail', 'check'] as const).find((place) =>
      asRecords(findSubject(evidence, sample, place).subject.notices).every(
        ({ title, text }) => title !== 'Taxes and fees' || asText(text) === '',
      ),
    )
    return lacking === undefined
      ? findSubject(evidence, sample, 'check').file
      : { wrong: `${lacking} has no such text` }
  },
)

const header = ({ headers }: Exchange, name: string) => headers[name] ?? ''
const JOURNEY: readonly string[] = ['search', 'price_check', 'book']

const sessionPoint = eachBooked(
  { id: 'session', area: 'Requests', title: 'One Customer-Session-Id for a customer’s whole journey' },
  (evidence, sample) => {
    const listSessions = (name: string) =>
      evidence.exchanges
        .filter((entry) => entry.sample === name && JOURNEY.includes(entry.class))
        .map((entry) => header(entry, 'customer-session-id'))
    const own = new Set(listSessions(sample))
    const others = listBookedSamples(evidence).filter((name) => name !== sample)
    const isShared = others.flatMap(listSessions).some((session) => own.has(session))
    const [book] = findExchanges(evidence, sample, 'book')
    return book !== undefined && own.size === 1 && !own.has('') && !isShared
      ? book.file
      : { wrong: 'the session changes during the journey or is shared' }
  },
)

const addressPoint = eachBooked(
  { id: 'customer-ip', area: 'Requests', title: 'The customer’s address in Customer-Ip' },
  (evidence, sample) => {
    const calls = evidence.exchanges.filter((entry) => entry.sample === sample && JOURNEY.includes(entry.class))
    const mismatch = calls.find((entry) => header(entry, 'customer-ip') !== evidence.customerIp)
    return mismatch === undefined && calls[0] !== undefined ? calls[0].file : { wrong: 'a call has another address' }
  },
)

const SHOPPING: readonly string[] = ['search', 'price_check']

const testPoint = eachBooked(
  { id: 'test-header', area: 'Requests', title: 'Test bookings carry the Test header, shopping does not' },
  (evidence, sample) => {
    const [book] = findExchanges(evidence, sample, 'book')
    const shopped = evidence.exchanges.filter((entry) => entry.sample === sample && SHOPPING.includes(entry.class))
    if (shopped.some((entry) => header(entry, 'test') !== '')) return { wrong: 'a search or check has the header' }
    return book !== undefined && header(book, 'test') !== '' ? book.file : { wrong: 'the booking lacks the header' }
  },
)

const listDeadlines = (evidence: Evidence, sample: string): string[] =>
  asRecords(findRate(evidence, sample).cancel_penalties).flatMap((penalty) => asText(penalty.start) || [])

/** Requirements that Expedia checks before it issues live keys. */
export const REVIEW: Review = {
  testHosts: ['test.ean.com'],
  settings: { testHeader: 'standard' },
  points: [
    termsPoint,
    pricePoint({
      id: 'price',
      area: 'Display',
      title: 'Taxes and fees in one line, paid now and at the property (BP5)',
    }),
    taxesTextPoint,
    cancellationPoint(
      { id: 'cancellation', area: 'Display', title: 'Cancellation policy in full, in the property’s time' },
      listDeadlines,
    ),
    ...conditionPoints,
    namesPoint({ id: 'names', area: 'Requests', title: 'The guest who arrives is named' }, ({ rooms }) =>
      asRecords(rooms).map(({ given_name: given, family_name: family }) => `${given} ${family}`),
    ),
    sessionPoint,
    addressPoint,
    testPoint,
    numberPoint({ id: 'itinerary', area: 'After the booking', title: 'The itinerary number is shown' }, (answer) =>
      readId(answer.itinerary_id),
    ),
    managePoint({ id: 'manage', area: 'After the booking', title: 'Lookup and cancellation by the customer' }, [
      'retrieve',
      'cancel',
    ]),
    voucherPoint(
      { id: 'voucher', area: 'After the booking', title: 'A voucher for the guest, without a price' },
      (evidence, sample) => asText(findContent(evidence, sample).phone),
    ),
    pricechangePoint('Errors'),
    lostAnswerPoint('Errors'),
    unavailablePoint('Errors'),
    ...samplePoints('Sample bookings'),
  ],
}
