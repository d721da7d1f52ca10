import { entriesOf, idOf, listOf, recordOf, recordsOf, textOf, type Wire } from '../../src/vendors/wire/read.ts'
import type { Evidence, Exchange, Review, ReviewPoint } from '../review.ts'
import { booked, exchangesOf, type Place, subjectAt } from '../review-evidence.ts'
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

/** What Rapid's content said of the property of a sample, as it was sent. */
function contentOf(evidence: Evidence, sample: string): Wire {
  const id = textOf(subjectAt(evidence, sample, 'detail').subject.vendors_property_id)
  const answers = evidence.exchanges.filter(({ operation }) => operation === 'content').map(({ answer }) => answer)
  // A list is read with less than the property itself.
  return Object.assign({}, ...answers.map((answer) => recordOf(recordOf(answer)?.[id])))
}

const checkOf = (evidence: Evidence, sample: string): Wire =>
  recordOf(exchangesOf(evidence, sample, 'price_check').at(-1)?.answer) ?? {}

/** The rate that was checked, as it was shopped: its link is the one that was followed. */
function rateOf(evidence: Evidence, sample: string): Wire {
  const path = exchangesOf(evidence, sample, 'price_check').at(-1)?.path ?? '-'
  const rates = exchangesOf(evidence, sample, 'rooms')
    .flatMap(({ answer }) => recordsOf(answer))
    .flatMap((property) => recordsOf(property.rooms))
    .flatMap((room) => recordsOf(room.rates))
  return rates.find((rate) => JSON.stringify(rate.bed_groups).includes(path)) ?? {}
}

/** One point for each text of the content that has to be shown, and the group of fields that it is in. */
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
    ({ types }) => entriesOf(types).map(([, type]) => recordOf(type)?.name),
  ],
]
const minAge = (age: unknown) => (typeof age === 'number' && age > 0 ? `minimum age to check in is ${age}` : '')

const CONDITIONS = 'Booking conditions'

/** A text that is not asked for never comes, which would look as if there were none. */
const asksFor = ({ exchanges }: Evidence, group: string): boolean =>
  exchanges.some(({ operation, path }) => operation === 'content' && path.includes(`include=${group}&`))

const contentPoints = CONTENT.map(([id, title, group, read]): ReviewPoint => {
  const point = textPoint({ id, area: CONDITIONS, title }, EVERYWHERE, (evidence, sample) =>
    read(recordOf(contentOf(evidence, sample)[group]) ?? {}).map(textOf),
  )
  return {
    ...point,
    judge: (evidence) =>
      asksFor(evidence, group) ? point.judge(evidence) : { missing: `the content is read without its ${group}` },
  }
})

const conditionPoints: ReviewPoint[] = [
  ...contentPoints,
  textPoint({ id: 'promotions', area: CONDITIONS, title: 'Promotions' }, EVERYWHERE, (evidence, sample) => {
    const promotions = recordOf(rateOf(evidence, sample).promotions)
    const given = [promotions?.deal, ...entriesOf(promotions?.value_adds).map(([, value]) => value)]
    return given.map((one) => textOf(recordOf(one)?.description))
  }),
  textPoint({ id: 'deposits', area: CONDITIONS, title: 'Deposits' }, EVERYWHERE, (evidence, sample) => {
    const rate = rateOf(evidence, sample)
    const amounts = [rate.refundable_damage_deposit, ...listOf(rate.deposits)].map(recordOf)
    return amounts.flatMap((one) => (one === undefined ? [] : `${one.value} ${one.currency}`))
  }),
  textPoint(
    { id: 'trader', area: CONDITIONS, title: 'Trader information (European Union)' },
    FROM_CHECK,
    (evidence, sample) =>
      recordsOf(recordOf(checkOf(evidence, sample).trader_information)?.traders).flatMap(
        ({ name, business_register_number: number }) => [textOf(name), textOf(number)],
      ),
  ),
]

/** Beside the button that books, so in the answer that the checkout is made of. */
const termsPoint = eachBooked(
  { id: 'terms-link', area: 'Display', title: 'Link to the supplier’s terms and conditions (GR2)' },
  (evidence, sample) => {
    const { subject, file } = subjectAt(evidence, sample, 'check')
    const links = recordsOf(subject.notices).filter(
      ({ kind, url }) => kind === 'vendor_terms' && /^https:/.test(textOf(url)),
    )
    return links.length > 0 ? file : { wrong: 'no link' }
  },
)

const header = ({ headers }: Exchange, name: string) => headers[name] ?? ''
const JOURNEY: readonly string[] = ['search', 'price_check', 'book']

const sessionPoint = eachBooked(
  { id: 'session', area: 'Requests', title: 'One Customer-Session-Id for a customer’s whole journey' },
  (evidence, sample) => {
    const sessionsOf = (name: string) =>
      evidence.exchanges
        .filter((one) => one.sample === name && JOURNEY.includes(one.class))
        .map((one) => header(one, 'customer-session-id'))
    const own = new Set(sessionsOf(sample))
    const others = booked(evidence).filter((name) => name !== sample)
    const isShared = others.flatMap(sessionsOf).some((session) => own.has(session))
    const [book] = exchangesOf(evidence, sample, 'book')
    return book !== undefined && own.size === 1 && !own.has('') && !isShared
      ? book.file
      : { wrong: 'the session differs on its way, or is shared' }
  },
)

const addressPoint = eachBooked(
  { id: 'customer-ip', area: 'Requests', title: 'The customer’s address in Customer-Ip' },
  (evidence, sample) => {
    const calls = evidence.exchanges.filter((one) => one.sample === sample && JOURNEY.includes(one.class))
    const odd = calls.find((one) => header(one, 'customer-ip') !== evidence.customerIp)
    return odd === undefined && calls[0] !== undefined ? calls[0].file : { wrong: 'a call has another address' }
  },
)

const testPoint = eachBooked(
  { id: 'test-header', area: 'Requests', title: 'Test bookings carry the Test header' },
  (evidence, sample) => {
    const [book] = exchangesOf(evidence, sample, 'book')
    return book !== undefined && header(book, 'test') !== '' ? book.file : { wrong: 'the booking carries none' }
  },
)

const deadlinesOf = (evidence: Evidence, sample: string): string[] =>
  recordsOf(rateOf(evidence, sample).cancel_penalties).flatMap((penalty) => textOf(penalty.start) || [])

/** What Expedia looks at before it gives live keys. */
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
    cancellationPoint(
      { id: 'cancellation', area: 'Display', title: 'Cancellation policy in full, in the property’s time' },
      deadlinesOf,
    ),
    ...conditionPoints,
    namesPoint({ id: 'names', area: 'Requests', title: 'The guest who arrives is named' }, ({ rooms }) =>
      recordsOf(rooms).map(({ given_name: given, family_name: family }) => `${given} ${family}`),
    ),
    sessionPoint,
    addressPoint,
    testPoint,
    numberPoint({ id: 'itinerary', area: 'After the booking', title: 'The itinerary number is told' }, (answer) =>
      idOf(answer.itinerary_id),
    ),
    managePoint({ id: 'manage', area: 'After the booking', title: 'Look-up and cancellation by the customer' }, [
      'retrieve',
      'cancel',
    ]),
    voucherPoint(
      { id: 'voucher', area: 'After the booking', title: 'A voucher for the guest, without a price' },
      (evidence, sample) => textOf(contentOf(evidence, sample).phone),
    ),
    pricechangePoint('Errors'),
    lostAnswerPoint('Errors'),
    unavailablePoint('Errors'),
    ...samplePoints('Sample bookings'),
  ],
}
