import { soldOffer } from '../../domain/booking/apply-sale.ts'
import { penaltyAt } from '../../domain/booking/cancel-policy.ts'
import { findWorseTerms } from '../../domain/booking/compare-terms.ts'
import type { ExchangeRates } from '../../domain/money/exchange.ts'
import type { CancelTerms } from '../../domain/offer.ts'
import type { SealedOffer } from '../../domain/sealed-offer.ts'
import { makeSale } from '../../selling/make-sale.ts'

/** Prices the vendor's current offer by the sale terms of the shown one. Undefined if it cannot be priced. */
export function repriceOffer(
  shown: SealedOffer,
  { sale: _, ...fresh }: SealedOffer,
  now: number,
  rates: ExchangeRates,
): SealedOffer | undefined {
  if (isSameNet(shown, fresh)) return shown.sale === undefined ? fresh : { ...fresh, sale: shown.sale }
  const { stay, market } = fresh
  const sale = makeSale(fresh, shown.sale?.terms ?? { version: 0 }, { stay, currency: market.currency, rates })
  // An offer shown without a sale is compared in the vendor's own currency.
  if (sale === 'unpriced') return shown.sale === undefined ? fresh : undefined
  if (sale === undefined) return fresh
  const sold = { ...fresh, sale }
  if (findWorseTerms(shown, fresh, now).length > 0 || sale.price.total.minor > soldOffer(shown).price.total.minor)
    return sold
  return { ...sold, sale: { ...sale, cancel: sale.cancel && capFees(soldOffer(shown), sale.cancel, now) } }
}

const isSameNet = (a: SealedOffer, b: SealedOffer): boolean =>
  JSON.stringify([a.price, a.cancel, a.bounds]) === JSON.stringify([b.price, b.cancel, b.bounds])

/** If neither price nor terms got worse, rounding must not raise a fee. */
function capFees(shown: Pick<SealedOffer, 'price' | 'cancel'>, terms: CancelTerms, now: number): CancelTerms {
  const penalties = terms.penalties.map((penalty) => {
    const from = Math.max(now, Date.parse(penalty.from) || now)
    const before = penaltyAt(shown.cancel, shown.price.total, from)
    return before.currency === penalty.amount.currency && before.minor < penalty.amount.minor
      ? { ...penalty, amount: before }
      : penalty
  })
  return { ...terms, penalties }
}
