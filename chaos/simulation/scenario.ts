import fc from 'fast-check'
import { anOffer, bookingInfoOf } from '../../test/support/booking/an-offer.ts'
import { CHOICE_MAX } from './choices.ts'
import { CHANGES, type Change } from './scripted-changes.ts'
import type { Traits } from './scripted-vendor.ts'

export type Step = { readonly process: number; readonly waitMs: number } & (
  | { readonly do: 'book'; readonly offer: number; readonly key: 'none' | 'k1' | 'k2'; readonly body: number }
  /** Checks the price first and books what the check found, with its digest. */
  | { readonly do: 'check'; readonly offer: number }
  | { readonly do: 'cancel'; readonly nth: number }
  | { readonly do: 'settle' }
  /** Reads bookings again at the vendor, as far as they are due. */
  | { readonly do: 'read' }
  | { readonly do: 'crash' }
)

/** Everything that is random in one run. */
export type Scenario = {
  readonly traits: Traits
  readonly patienceMs: number
  /** What the key of the first account may book in a day; undefined: the account books without a key. */
  readonly budgetMinor: number | undefined
  /** The clock errors of the two processes. */
  readonly skewMs: readonly [number, number]
  readonly steps: readonly Step[]
  /** What the vendor changes of its own accord, so long after the first step, in its n-th booking. */
  readonly changes: readonly { readonly afterMs: number; readonly nth: number; readonly what: Change }[]
  readonly store: readonly number[]
  readonly vendor: readonly number[]
  readonly storeFocus: number
  readonly vendorFocus: number
}

const NEVER_EXPIRES = Date.parse('2037-01-01T00:00:00Z')
/** Two offers of one account for the same kind of room, one of another account. */
const OFFERS = [
  anOffer({ offerId: 'off_1', expiresAt: NEVER_EXPIRES }),
  anOffer({ offerId: 'off_2', expiresAt: NEVER_EXPIRES }),
  anOffer({ offerId: 'off_3', accountId: 'acc_2', expiresAt: NEVER_EXPIRES }),
].map((offer) => ({ offer, info: bookingInfoOf(offer) }))

/** What stands beside the offer: nothing, a request, a price that is accepted, terms that were never offered. */
const BESIDE = [
  {},
  { special_requests: 'A quiet room' },
  { accept_price_up_to: 300 },
  { terms_digest: 'trm1_of_another_room' },
] as const

export function offerOf(step: Step & { do: 'book' | 'check' }) {
  const { offer, info } = OFFERS[step.offer] ?? OFFERS[0] ?? never()
  return { account: { id: offer.accountId, name: 'Ada Lovelace', email: 'ada@example.com' }, offer, info }
}

export function bodyOf(step: Step & { do: 'book' }) {
  const { account, offer, info } = offerOf(step)
  const body = { ...info, ...BESIDE[step.body] }
  return { account, body, offerId: offer.offerId, key: step.key === 'none' ? offer.offerId : step.key }
}

const never = (): never => {
  throw new Error('there is no such offer')
}

const among = <T>(...values: T[]) => fc.constantFrom(...values)

const waitMs = among(0, 0, 0, 1, 10, 1_000, 3_000, 5_000, 12_000, 45_000)
const process = among(0, 0, 1)
const book = fc.record({
  do: among('book' as const),
  process,
  waitMs,
  offer: among(0, 0, 0, 1, 2),
  key: among('none' as const, 'none' as const, 'k1' as const, 'k1' as const, 'k2' as const),
  body: among(0, 0, 0, 0, 1, 2, 3),
})
const check = fc.record({ do: among('check' as const), process, waitMs, offer: among(0, 0, 1) })
const cancel = fc.record({
  do: among('cancel' as const),
  process,
  waitMs: among(1_000, 12_000, 12_000, 45_000),
  nth: among(0, 0, 0, 1),
})
const settle = fc.record({ do: among('settle' as const), process, waitMs })
const crash = fc.record({ do: among('crash' as const), process, waitMs })

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
    absenceIsFinal: among(true, true, false),
    bookTimeoutMs: fc.constant(10_000),
    visibilityLagMs: among(0, 6_000, 6_000, 20_000, 120_000),
    rooms: among(1, 2, 3),
    silentForMs: fc.oneof(
      { weight: 30, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.constant(36 * 60_000) },
    ),
  }),
  patienceMs: among(15_000, 1_000),
  // For one booking, for one that has become more expensive, for two.
  budgetMinor: among(undefined, undefined, 26_000, 31_000, 60_000),
  skewMs: among([0, 0] as const, [0, 0] as const, [2_000, -2_000] as const, [-2_000, 2_000] as const),
  steps: fc.tuple(book, fc.array(step, { maxLength: 5, size: 'max' })).map(([first, others]) => [first, ...others]),
  changes: fc.array(fc.record({ afterMs: among(...CHANGES_AFTER_MS), nth: among(0, 0, 1), what: among(...CHANGES) }), {
    maxLength: 3,
  }),
  store: choices(50),
  vendor: choices(40),
  storeFocus: focus,
  vendorFocus: focus,
})
