import { useI18n } from '../i18n/i18n.tsx'

/** An amount with its cents; in large type the cents are smaller. */
export function Money({ amount, currency, className = '' }: { amount: number; currency: string; className?: string }) {
  const { moneyParts } = useI18n()
  const parts = moneyParts(amount, currency)
  const cut = parts.findIndex((part) => part.type === 'decimal')
  const text = (from: number, to?: number) =>
    parts
      .slice(from, to)
      .map((part) => part.value)
      .join('')
  if (cut < 0) return <span className={`figures whitespace-nowrap ${className}`}>{text(0)}</span>
  return (
    <span className={`figures whitespace-nowrap ${className}`}>
      {text(0, cut)}
      <span className={className.includes('font-serif') ? 'text-[0.72em]' : ''}>{text(cut)}</span>
    </span>
  )
}

type StayPriceProps = { total: number; before: number; currency: string; nights: number; converted: boolean }

/** Total first, then the price per night; used in the list and on the property page. */
export function StayPrice({ total, before, currency, nights, converted }: StayPriceProps) {
  const { t, money } = useI18n()
  return (
    <div className="text-right whitespace-nowrap">
      {before > total && (
        <p className="text-sm text-muted">
          <span className="sr-only">{t('was_price', { price: money(before, currency) })}</span>
          <s aria-hidden="true">
            <Money amount={before} currency={currency} />
          </s>
        </p>
      )}
      <p className="font-serif text-xl leading-tight font-semibold" data-testid="stay-price">
        {converted && <span title={t('converted_text')}>≈ </span>}
        <Money amount={total} currency={currency} className="font-serif" />
      </p>
      <p className="text-xs text-muted">{t('total_for', { nights: t('nights', { n: nights }) })}</p>
      <p className="text-xs text-muted">{t('includes_taxes')}</p>
      {nights > 1 && (
        <p className="mt-0.5 text-xs text-muted">{t('per_night', { price: money(total / nights, currency) })}</p>
      )}
    </div>
  )
}
