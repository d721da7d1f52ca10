import type { Board, CancelTerms, OfferRef, Price } from '../../src/domain/offer.ts'
import type { PriceCheck } from '../../src/vendors/contract.ts'
import { anOffer, aPrice, euro } from '../../test/support/booking/an-offer.ts'

/** Everything that a customer agrees to, as the vendor has it. */
export type SoldTerms = { readonly price: Price; readonly cancel: CancelTerms; readonly board: Board }

const fee = (from: string, minor: number) => ({ from, amount: euro(minor) })
const LATE = '2027-02-26T23:59:00+01:00'
const { board } = anOffer()
const terms = (
  minor: number,
  penalties: readonly ReturnType<typeof fee>[],
  more: Partial<SoldTerms> = {},
): SoldTerms => ({
  price: aPrice(minor),
  cancel: { refundable: true, penalties },
  board,
  ...more,
})

/** Possible results of a price check; the first is what the client was shown. */
export const TERMS = {
  as_shown: terms(24_990, [fee(LATE, 12_495)]),
  more_expensive: terms(99_900, [fee(LATE, 49_950)]),
  a_little_more: terms(27_489, [fee(LATE, 13_745)]),
  a_little_more_and_worse: terms(27_489, [fee(LATE, 24_000)]),
  cheaper: terms(20_000, [fee(LATE, 10_000)]),
  fee_higher: terms(24_990, [fee(LATE, 20_000)]),
  fee_sooner: terms(24_990, [fee('2027-02-01T23:59:00+01:00', 12_495)]),
  second_fee: terms(24_990, [fee(LATE, 12_495), fee('2027-02-28T12:00:00+01:00', 24_990)]),
  not_refundable: terms(24_990, [], {
    cancel: { refundable: false, penalties: [fee('2027-01-01T00:00:00Z', 24_990)] },
  }),
  smaller_board: terms(24_990, [fee(LATE, 12_495)], { board: 'room_only' }),
  due_at_property: terms(24_990, [fee(LATE, 12_495)], { price: { ...aPrice(), dueAtProperty: euro(3_000) } }),
} as const satisfies Record<string, SoldTerms>

/** `as_shown` with a margin of a fifth. */
export const SOLD_TERMS = terms(29_988, [fee(LATE, 14_994)])

export type TermsName = keyof typeof TERMS
export const TERMS_NAMES = Object.keys(TERMS) as TermsName[]

/** Name of the terms in an offer reference. */
export const readTermsName = (ref: OfferRef): TermsName => TERMS_NAMES.find((name) => name === ref.terms) ?? 'as_shown'

export function createPriceCheck(name: TermsName, ref: OfferRef, expiresAt: number): PriceCheck {
  return { status: 'available', ...TERMS[name], ref: { ...ref, terms: name }, expiresAt }
}
