import type { CancelTerms, Fee, Price } from '../offer.ts'
import { convertMoney, type ExchangeRates } from './exchange.ts'
import type { Money } from './money.ts'

/** Converts the total and each fee, and derives the sums and the base from them so that the parts add up. */
export function convertPrice(price: Price, currency: string, rates: ExchangeRates): Price | undefined {
  if (price.total.currency === currency) return price
  const convert = (money: Money) => convertMoney(money, currency, rates)
  const total = convert(price.total)
  const publicTotal = convert(price.publicTotal)
  const fees = price.fees.flatMap(({ local, ...fee }): Fee[] => {
    // The property's own amount in this currency is exact; `amount` was converted from it.
    if (local?.currency === currency) return [{ ...fee, amount: local }]
    const amount = convert(fee.amount)
    return amount === undefined ? [] : [{ ...fee, amount, ...(local && { local }) }]
  })
  const isDueThere = (fee: Fee) => fee.paidAt === 'property'
  const taxesFees = sumConverted(price.taxesFees, price.fees, fees) ?? convert(price.taxesFees)
  const due = price.dueAtProperty
  const dueAtProperty = sumConverted(due, price.fees.filter(isDueThere), fees.filter(isDueThere)) ?? convert(due)
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

/** Sum of the converted fees; undefined if the original fees did not add up to `whole`. */
function sumConverted(whole: Money, original: readonly Fee[], converted: readonly Fee[]): Money | undefined {
  const sum = (fees: readonly Fee[]) => fees.reduce((minor, { amount }) => minor + amount.minor, 0)
  const [first] = converted
  const isAll = original.length === converted.length && sum(original) === whole.minor
  return isAll && first !== undefined ? { minor: sum(converted), currency: first.amount.currency } : undefined
}

export function convertCancelTerms(terms: CancelTerms, currency: string, rates: ExchangeRates): CancelTerms {
  return {
    ...terms,
    penalties: terms.penalties.map((penalty) => ({
      ...penalty,
      amount: convertMoney(penalty.amount, currency, rates) ?? penalty.amount,
    })),
  }
}
