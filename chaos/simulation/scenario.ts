import fc from 'fast-check'
import { readLineage, type SealedOffer } from '../../src/domain/sealed-offer.ts'
import { anOffer, sealBookingInfo } from '../../test/support/booking/an-offer.ts'
import { CHOICE_MAX } from './choices.ts'
import type { CardScenario, CardStep } from './payments/card-step.ts'
import { CHANGES, type Change } from './scripted-changes.ts'
import { SOLD_TERMS } from './scripted-terms.ts'
import type { Traits } from './scripted-vendor.ts'

export type Step = { readonly process: number; readonly waitMs: number } & (
  | {
      readonly do: 'book'
      readonly offer: number
      readonly key: 'none' | 'k1' | 'k2'
      readonly body: number
      /** Names the payment of this offer instead of its own. */
      readonly paymentOf?: number | undefined
      /** Books the simulated copy of the offer. */
      readonly isSimulated?: boolean
    }
  /** Checks the price first and books the result of the check, with its digest. */
  | { readonly do: 'check'; readonly offer: number }
  | { readonly do: 'cancel'; readonly nth: number }
  | { readonly do: 'settle' }
  /** Reads due bookings again at the vendor. */
  | { readonly do: 'read' }
  | { readonly do: 'crash' }
  | CardStep
  /** The database returns to its state before one of the last steps. */
  | { readonly do: 'lose'; readonly steps: number }
)

/** Everything that is random in one run. */
export type Scenario = {
  readonly traits: Traits
  readonly patienceMs: number
  /** Daily budget of the first account's key; undefined if the account books without a key. */
  readonly budgetMinor: number | undefined
  /** Clock errors of the two processes. */
  readonly skewMs: readonly [number, number]
  readonly steps: readonly Step[]
  /** Changes that the vendor makes on its own to its n-th booking, relative to the first step. */
  readonly changes: readonly { readonly afterMs: number; readonly nth: number; readonly kind: Change }[]
  readonly store: readonly number[]
  readonly vendor: readonly number[]
  readonly storeFocus: number
  readonly vendorFocus: number
  /** The first account pays by card. */
  readonly cards?: CardScenario
}

const NEVER_EXPIRES = Date.parse('2037-01-01T00:00:00Z')
/** Two offers of one account for the same kind of room, and one of another account. */
const OFFERS = [
  anOffer({ offerId: 'off_1', expiresAt: NEVER_EXPIRES }),
  anOffer({ offerId: 'off_2', expiresAt: NEVER_EXPIRES }),
  anOffer({ offerId: 'off_3', accountId: 'acc_2', expiresAt: NEVER_EXPIRES }),
].map((offer) => ({ offer, info: sealBookingInfo(offer) }))

/** The same offers, sold with a margin of a fifth. */
const SOLD_OFFERS = OFFERS.map(({ offer }) => {
  const { price, cancel } = SOLD_TERMS
  const sold = { ...offer, sale: { terms: { version: 1, percent: 20 }, net: offer.price.total, price, cancel } }
  return { offer: sold, info: sealBookingInfo(sold) }
})

/** Simulated copies for the same rooms. */
const simulate = ({ offer }: { offer: SealedOffer }) => {
  const copy = { ...offer, simulated: true, offerId: `simulated_${offer.offerId}`, lineage: readLineage(offer) }
  return { offer: copy, info: sealBookingInfo(copy) }
}
const SIMULATED = { offers: OFFERS.map(simulate), sold: SOLD_OFFERS.map(simulate) }

/** Additional fields: none, a request, an accepted price, a digest of terms that were never offered. */
const EXTRA_FIELDS = [
  {},
  { special_requests: 'A quiet room' },
  { accept_price_up_to: 300 },
  { terms_digest: 'trm1_of_another_room' },
] as const

export function selectOffer(step: { readonly offer: number; readonly isSimulated?: boolean }, hasSale = false) {
  const { offers: plain, sold } = step.isSimulated === true ? SIMULATED : { offers: OFFERS, sold: SOLD_OFFERS }
  const offers = hasSale ? sold : plain
  const { offer, info } = offers[step.offer] ?? offers[0] ?? never()
  return { account: { id: offer.accountId, name: 'Ada Lovelace', email: 'ada@example.com' }, offer, info }
}

export function createBookBody(step: Step & { do: 'book' }, { hasSale = false, paymentId = '' } = {}) {
  const { account, offer, info } = selectOffer(step, hasSale)
  const body = { ...info, ...EXTRA_FIELDS[step.body], ...(paymentId !== '' && { payment_id: paymentId }) }
  return { account, body, offerId: offer.offerId, key: step.key === 'none' ? offer.offerId : step.key }
}

const never = (): never => {
  throw new Error('the offer does not exist')
}

const pickFrom = <T>(...values: T[]) => fc.constantFrom(...values)

const waitMs = pickFrom(0, 0, 0, 1, 10, 1_000, 3_000, 5_000, 12_000, 45_000)
const process = pickFrom(0, 0, 1)
const book = fc.record({
  do: pickFrom('book' as const),
  process,
  waitMs,
  offer: pickFrom(0, 0, 0, 1, 2),
  key: pickFrom('none' as const, 'none' as const, 'k1' as const, 'k1' as const, 'k2' as const),
  body: pickFrom(0, 0, 0, 0, 1, 2, 3),
})
const check = fc.record({ do: pickFrom('check' as const), process, waitMs, offer: pickFrom(0, 0, 1) })
const cancel = fc.record({
  do: pickFrom('cancel' as const),
  process,
  waitMs: pickFrom(1_000, 12_000, 12_000, 45_000),
  nth: pickFrom(0, 0, 0, 1),
})
const settle = fc.record({ do: pickFrom('settle' as const), process, waitMs })
const crash = fc.record({ do: pickFrom('crash' as const), process, waitMs })

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: book },
  { weight: 1, arbitrary: check },
  { weight: 3, arbitrary: cancel },
  { weight: 2, arbitrary: settle },
  { weight: 1, arbitrary: crash },
)

const choices = (maxLength: number) => fc.array(fc.nat(CHOICE_MAX), { maxLength, size: 'max' })

/** Before and between the readings after ten minutes and a day. */
const CHANGES_AFTER_MS = [6_000, 60_000, 9 * 60_000, 10 * 60_000 + 30_000, 3_600_000, 20 * 3_600_000]

const focus = fc.oneof(fc.constant(0), fc.nat(999))

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  traits: fc.record({
    deduplicates: fc.boolean(),
    absenceIsFinal: pickFrom(true, true, false),
    bookTimeoutMs: fc.constant(10_000),
    visibilityLagMs: pickFrom(0, 6_000, 6_000, 20_000, 120_000),
    rooms: pickFrom(1, 2, 3),
    silentForMs: fc.oneof(
      { weight: 30, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.constant(36 * 60_000) },
    ),
  }),
  patienceMs: pickFrom(15_000, 1_000),
  // Enough for one booking, for one with a higher price, or for two.
  budgetMinor: pickFrom(undefined, undefined, 26_000, 31_000, 60_000),
  skewMs: pickFrom([0, 0] as const, [0, 0] as const, [2_000, -2_000] as const, [-2_000, 2_000] as const),
  steps: fc.tuple(book, fc.array(step, { maxLength: 5, size: 'max' })).map(([first, others]) => [first, ...others]),
  changes: fc.array(
    fc.record({ afterMs: pickFrom(...CHANGES_AFTER_MS), nth: pickFrom(0, 0, 1), kind: pickFrom(...CHANGES) }),
    {
      maxLength: 3,
    },
  ),
  store: choices(50),
  vendor: choices(40),
  storeFocus: focus,
  vendorFocus: focus,
})

const bookOnce = fc.record({ process, waitMs, offer: pickFrom(0, 0, 1, 2) })
const lose = fc.record({ do: pickFrom('lose' as const), process, waitMs, steps: pickFrom(1, 1, 2, 3) })

/** Each client sends one request, with a key or without, and repeats only that. */
const KEYS = ['k1', 'k2', 'k1'] as const
const stepsWithLoss = fc
  .tuple(fc.boolean(), bookOnce, fc.array(fc.oneof(bookOnce, bookOnce, settle, crash, lose), { maxLength: 4 }), lose)
  .map(([isKeyed, first, others, last]): Step[] =>
    [first, ...others, last].map((each) =>
      'do' in each ? each : { ...each, do: 'book', body: 0, key: isKeyed ? (KEYS[each.offer] ?? 'k1') : 'none' },
    ),
  )

/** Scenarios in which the database loses commits. The vendor changes nothing on its own, and nothing is cancelled. */
export const lossScenarios: fc.Arbitrary<Scenario> = fc.tuple(scenarios, stepsWithLoss).map(([scenario, steps]) => ({
  ...scenario,
  ...{ steps, changes: [], budgetMinor: undefined },
  // Clients repeat their requests once the vendor can be asked and shows what it has.
  traits: { ...scenario.traits, silentForMs: 0, visibilityLagMs: 0 },
}))
