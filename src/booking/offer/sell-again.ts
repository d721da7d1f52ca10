import { penaltyAt } from '../../domain/booking/cancel-policy.ts'
import { worseTerms } from '../../domain/booking/compare-terms.ts'
import { soldOffer } from '../../domain/booking/sold.ts'
import type { ExchangeRates } from '../../domain/money/exchange.ts'
import type { CancelTerms } from '../../domain/offer.ts'
import type { SealedOffer } from '../../domain/sealed-offer.ts'
import { makeSale } from '../../selling/make-sale.ts'

/**
 * The offer as the vendor stands by it now, sold by the terms that were sealed into the one that was shown. Undefined where
 * its price cannot be told any more.
 */
export function sellAgain(
  shown: SealedOffer,
  { sale: _, ...fresh }: SealedOffer,
  now: number,
  rates: ExchangeRates,
): SealedOffer | undefined {
  if (isSameNet(shown, fresh)) return shown.sale === undefined ? fresh : { ...fresh, sale: shown.sale }
  const { stay, market } = fresh
  const sale = makeSale(fresh, shown.sale?.terms ?? { version: 0 }, { stay, currency: market.currency, rates })
  // An offer that was shown without a sale is compared in the vendor's own currency, whatever its rates are.
  if (sale === 'unpriced') return shown.sale === undefined ? fresh : undefined
  if (sale === undefined) return fresh
  const sold = { ...fresh, sale }
  if (worseTerms(shown, fresh, now).length > 0 || sale.price.total.minor > soldOffer(shown).price.total.minor)
    return sold
  return { ...sold, sale: { ...sale, cancel: sale.cancel && noHigherFees(soldOffer(shown), sale.cancel, now) } }
}

const isSameNet = (a: SealedOffer, b: SealedOffer): boolean =>
  JSON.stringify([a.price, a.cancel, a.bounds]) === JSON.stringify([b.price, b.cancel, b.bounds])

/** Where neither the price nor the vendor's terms got worse, a fee must not be higher for the way it is rounded. */
function noHigherFees(shown: Pick<SealedOffer, 'price' | 'cancel'>, terms: CancelTerms, now: number): CancelTerms {
  const penalties = terms.penalties.map((penalty) => {
    const from = Math.max(now, Date.parse(penalty.from) || now)
    const before = penaltyAt(shown.cancel, shown.price.total, from)
    return before.currency === penalty.amount.currency && before.minor < penalty.amount.minor
      ? { ...penalty, amount: before }
      : penalty
  })
  return { ...terms, penalties }
}
