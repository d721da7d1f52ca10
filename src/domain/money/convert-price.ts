import type { CancelTerms, Fee, Price } from '../offer.ts'
import { convertMoney, type ExchangeRates } from './exchange.ts'
import type { Money } from './money.ts'

/**
 * Converted parts are made to add up again: the total and each fee are converted, sums of fees are added up again where
 * the vendor's did, and the base is what remains.
 */
export function priceIn(price: Price, currency: string, rates: ExchangeRates): Price | undefined {
  if (price.total.currency === currency) return price
  const convert = (money: Money) => convertMoney(money, currency, rates)
  const total = convert(price.total)
  const publicTotal = convert(price.publicTotal)
  const fees = price.fees.flatMap(({ local, ...fee }): Fee[] => {
    // The amount that the property asks for in this currency is exact; the other one was converted from it.
    if (local?.currency === currency) return [{ ...fee, amount: local }]
    const amount = convert(fee.amount)
    return amount === undefined ? [] : [{ ...fee, amount, ...(local && { local }) }]
  })
  const onSpot = (fee: Fee) => fee.paidAt === 'property'
  const taxesFees = sumAnew(price.taxesFees, price.fees, fees) ?? convert(price.taxesFees)
  const due = price.dueAtProperty
  const dueAtProperty = sumAnew(due, price.fees.filter(onSpot), fees.filter(onSpot)) ?? convert(due)
  if (total === undefined || taxesFees === undefined || dueAtProperty === undefined || publicTotal === undefined)
    return undefined
  return {
    total,
    taxesFees,
    base: { minor: total.minor - taxesFees.minor, currency },
    dueAtProperty,
    publicTotal: publicTotal.minor > total.minor ? publicTotal : total,
    fees,
  }
}

/** The converted fees' sum, where the vendor's fees were all of `whole`. */
function sumAnew(whole: Money, own: readonly Fee[], converted: readonly Fee[]): Money | undefined {
  const sum = (fees: readonly Fee[]) => fees.reduce((minor, { amount }) => minor + amount.minor, 0)
  const [first] = converted
  const isAll = own.length === converted.length && sum(own) === whole.minor
  return isAll && first !== undefined ? { minor: sum(converted), currency: first.amount.currency } : undefined
}

export function cancelIn(terms: CancelTerms, currency: string, rates: ExchangeRates): CancelTerms {
  return {
    ...terms,
    penalties: terms.penalties.map((penalty) => ({
      ...penalty,
      amount: convertMoney(penalty.amount, currency, rates) ?? penalty.amount,
    })),
  }
}
