import { useEffect, useState } from 'react'
import { useI18n } from '../../i18n/i18n.tsx'
import type { Facets } from './facets.ts'
import { type Filters, parseTypedAmount } from './filters.ts'

type Props = { filters: Filters; facets: Facets; currency: string; onFilters(filters: Filters): void }

/** Histogram of prices with fields for the lowest and highest price. */
export function PriceFilter({ filters, facets, currency, onFilters }: Props) {
  const { t } = useI18n()
  const { lowest, highest, bars } = facets.prices
  const isKnown = highest > 0
  const highestBar = Math.max(1, ...bars)
  const isInside = (bar: number) => {
    const price = lowest + ((highest - lowest) * (bar + 0.5)) / bars.length
    return price >= (filters.priceMin ?? 0) && price <= (filters.priceMax ?? Number.POSITIVE_INFINITY)
  }
  return (
    <>
      <div className="mb-2 flex h-12 items-end gap-px" aria-hidden="true">
        {bars.map((count, bar) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no id
            key={bar}
            className={`flex-1 rounded-t-[2px] ${isInside(bar) ? 'bg-accent' : 'bg-line'}`}
            style={{ height: `${count === 0 ? 0 : 8 + (count / highestBar) * 92}%` }}
          />
        ))}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <AmountField
          label={t('filter_price_min')}
          currency={currency}
          placeholder={isKnown ? String(Math.floor(lowest)) : ''}
          amount={filters.priceMin}
          onAmount={(priceMin) => onFilters({ ...filters, priceMin })}
        />
        <AmountField
          label={t('filter_price_max')}
          currency={currency}
          placeholder={isKnown ? String(Math.ceil(highest)) : ''}
          amount={filters.priceMax}
          onAmount={(priceMax) => onFilters({ ...filters, priceMax })}
        />
      </div>
    </>
  )
}

type AmountProps = {
  label: string
  currency: string
  placeholder: string
  amount: number | undefined
  onAmount(amount: number | undefined): void
}

function AmountField({ label, currency, placeholder, amount, onAmount }: AmountProps) {
  const [text, setText] = useState(amount?.toString() ?? '')
  useEffect(() => setText(amount?.toString() ?? ''), [amount])
  const apply = () => onAmount(parseTypedAmount(text))
  return (
    <label className="text-xs text-muted">
      {label} ({currency})
      <input
        className="field figures mt-0.5 text-sm"
        inputMode="decimal"
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </label>
  )
}
