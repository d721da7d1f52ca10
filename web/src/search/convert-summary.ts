import type { Summary } from '../api/shapes.ts'

/** Amount of each currency per euro. */
type Rates = Readonly<Record<string, number>>

/** The same property in another currency. Undefined without an exchange rate. */
export function convertSummary(property: Summary, currency: string, rates: Rates): Summary | undefined {
  const [from, to] = [rates[property.currency], rates[currency]]
  if (property.currency === currency) return property
  if (from === undefined || to === undefined) return undefined
  const scale = 10 ** countDecimals(currency)
  const convert = (amount: number) => Math.round((amount / from) * to * scale) / scale
  const { free_cancellation: free } = property
  return {
    ...property,
    currency,
    converted: true,
    total_price: convert(property.total_price),
    public_price: convert(property.public_price),
    ...(free && { free_cancellation: { ...free, total_price: convert(free.total_price) } }),
  }
}

const countDecimals = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
