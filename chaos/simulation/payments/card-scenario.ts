import fc from 'fast-check'
import { CHOICE_MAX } from '../choices.ts'
import { type Scenario, type Step, scenarios } from '../scenario.ts'
import { type CardScenario, DASHBOARD_ACTS, GUEST_ACTS, OPERATOR_ACTS } from './card-step.ts'

const pickFrom = <T>(...values: T[]) => fc.constantFrom(...values)
const process = pickFrom(0, 0, 1)
/** Of the account that pays by card. */
const paid = pickFrom(0, 0, 0, 1)
const offer = pickFrom(0, 0, 0, 1, 2)
const waitMs = pickFrom(0, 10, 1_000, 12_000, 45_000)

const single: fc.Arbitrary<Step[]> = fc
  .oneof(
    fc.record({
      do: pickFrom('pay' as const),
      process,
      waitMs,
      offer: paid,
      isSimulated: pickFrom(false, false, true),
      acceptsMore: fc.boolean(),
    }),
    fc.record({ do: pickFrom('guest' as const), process, waitMs, offer: paid, act: pickFrom(...GUEST_ACTS) }),
    fc.record({ do: pickFrom('look' as const), process, waitMs, offer: paid }),
    fc.record({ do: pickFrom('release' as const), process, waitMs, offer: paid }),
    fc.record({ do: pickFrom('drive' as const), process, waitMs }),
    fc.record({
      ...{ do: pickFrom('notify' as const), process, waitMs, nth: fc.nat(7), times: pickFrom(1, 1, 2) },
      isForged: pickFrom(false, false, true),
    }),
    fc.record({ do: pickFrom('settle' as const), process, waitMs }),
    fc.record({ do: pickFrom('crash' as const), process, waitMs }),
    fc.record({
      do: pickFrom('cancel' as const),
      process,
      waitMs: pickFrom(1_000, 12_000, 45_000),
      nth: pickFrom(0, 0, 1),
    }),
    fc.record({
      ...{ do: pickFrom('book' as const), process, waitMs, offer },
      ...{ key: pickFrom('none' as const, 'k1' as const), body: pickFrom(0, 0, 1, 2) },
      paymentOf: pickFrom(undefined, undefined, 0),
    }),
  )
  .map((step) => [step])

/** At the provider's console, and rarely: most runs must end without a person. */
const dashboard = fc
  .record({
    ...{ do: pickFrom('dashboard' as const), process, waitMs, nth: pickFrom(0, 0, 1) },
    act: pickFrom(...DASHBOARD_ACTS),
  })
  .map((step): Step[] => [step])

const operatorAct = { nth: pickFrom(0, 0, 1), act: pickFrom(...OPERATOR_ACTS) }
/** An operator acts after minutes, when an abandoned request has either arrived or failed. */
const operator = fc
  .record({ do: pickFrom('operator' as const), process, waitMs: pickFrom(120_000, 600_000), ...operatorAct })
  .map((step): Step[] => [step])

const notice = fc.record({
  ...{ do: pickFrom('notify' as const), process, waitMs: pickFrom(0, 10, 1_000), nth: fc.nat(3) },
  ...{ times: pickFrom(1, 1, 2), isForged: pickFrom(false, false, true) },
})

/** In the place of another offer: the simulated copy of the same one. */
const SIMULATED_COPY = -1

type Misuse = { process: number; bookMs: number; misuseOffer: number; offer: number }
const misuse = ({ process, bookMs, misuseOffer, offer }: Misuse): Step => ({
  ...{ do: 'book', process, waitMs: bookMs, paymentOf: offer },
  ...(misuseOffer === SIMULATED_COPY ? { offer, isSimulated: true } : { offer: misuseOffer }),
  ...{ key: 'none', body: 0 },
})

/** A client that pays, then books, and perhaps cancels. */
const checkout: fc.Arbitrary<Step[]> = fc
  .record({
    offer: paid,
    process,
    other: process,
    isSimulated: pickFrom(false, false, false, false, true),
    acceptsMore: pickFrom(false, false, true),
    act: pickFrom('confirms' as const, 'confirms' as const, 'confirms' as const, ...GUEST_ACTS),
    thinkMs: pickFrom(20_000, 20_000, 45_000, 30 * 60_000),
    notices: fc.array(notice, { maxLength: 2 }),
    bookMs: pickFrom(0, 10, 5_000),
    key: pickFrom('none' as const, 'none' as const, 'k1' as const, 'k2' as const),
    body: pickFrom(0, 0, 0, 2),
    /** Another tab checks the price and books with the same payment, or gives the payment back. */
    otherTab: pickFrom('none' as const, 'none' as const, 'check' as const, 'release' as const),
    tabMs: pickFrom(0, 10, 900),
    /** A client sends the payment with another offer: of the same account, of another one, or a simulated one. */
    misuse: pickFrom('none' as const, 'none' as const, 'none' as const, 'before' as const, 'after' as const),
    misuseOffer: pickFrom(1, 2, SIMULATED_COPY, SIMULATED_COPY),
    cancels: pickFrom(false, true, true),
    cancelMs: pickFrom(1_000, 12_000, 45_000, 600_000),
  })
  .map(({ offer, process, other, isSimulated, acceptsMore, ...plan }): Step[] => [
    { do: 'pay', process, waitMs: 0, offer, isSimulated, acceptsMore },
    // The client repeats its request, and gets the same payment.
    { do: 'pay', process: other, waitMs: 25_000, offer, isSimulated: false, acceptsMore },
    { do: 'guest', process, waitMs: plan.thinkMs, offer, act: plan.act },
    ...plan.notices,
    ...(plan.misuse === 'before' ? [misuse({ ...plan, process, offer })] : []),
    { do: 'book', process: other, waitMs: plan.bookMs, offer, key: plan.key, body: plan.body },
    ...(plan.otherTab === 'none' ? [] : [{ do: plan.otherTab, process, waitMs: plan.tabMs, offer }]),
    ...(plan.misuse === 'after' ? [misuse({ ...plan, process, offer })] : []),
    ...(plan.cancels ? [{ do: 'cancel' as const, process: other, waitMs: plan.cancelMs, nth: 0 }] : []),
  ])

const flows = fc.oneof(
  { weight: 6, arbitrary: single },
  { weight: 3, arbitrary: checkout },
  { weight: 1, arbitrary: dashboard },
  { weight: 1, arbitrary: operator },
)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const cards: fc.Arbitrary<CardScenario> = fc.record({
  traits: fc.record({
    holdMs: pickFrom(7 * DAY_MS, 3 * DAY_MS),
    naturallyOnce: pickFrom(true, true, false),
    silentForMs: fc.oneof(
      { weight: 20, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: pickFrom(3 * HOUR_MS, 26 * HOUR_MS) },
    ),
  }),
  hasSale: fc.boolean(),
  calm: fc.subarray(['store' as const, 'vendor' as const]),
  // With a fee above half of the price, a refund can be made twice.
  cancelFeeMinor: pickFrom(100, 15_000),
  vendorSilentForMs: pickFrom(0, 0, 36 * 60_000),
  operator: fc.array(fc.record(operatorAct), { maxLength: 3 }),
  reviewAfterMs: pickFrom(0, 30 * HOUR_MS, 10 * DAY_MS, 10 * DAY_MS),
  provider: fc.array(fc.nat(CHOICE_MAX), { maxLength: 60, size: 'max' }),
  providerFocus: fc.oneof(fc.constant(0), fc.nat(999)),
})

/** Scenarios in which the first account pays by card. */
export const cardScenarios: fc.Arbitrary<Scenario> = fc
  .tuple(scenarios, cards, checkout, fc.array(flows, { maxLength: 5, size: 'max' }))
  .map(([scenario, card, first, others]) => ({
    ...scenario,
    cards: card,
    // In half of the worlds only the other parts fail, so that more bookings reach their end.
    store: card.calm.includes('store') ? [] : scenario.store,
    vendor: card.calm.includes('vendor') ? [] : scenario.vendor,
    // An operator resolves bookings of a vendor that was silent for too long.
    traits: { ...scenario.traits, silentForMs: card.vendorSilentForMs, cancelFeeMinor: card.cancelFeeMinor },
    // Other changes do not concern the payment.
    changes: scenario.changes.filter(({ kind }) => kind === 'cancels'),
    steps: [...first, ...others.flat()],
  }))
