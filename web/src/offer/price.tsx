import { useI18n } from '../i18n/i18n.tsx'

/** Cents are smaller in large type. */
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

type StayPriceProps = {
  total: number
  currency: string
  nights: number
  /** Number of rooms that the total includes. */
  rooms: number
  converted: boolean
  /** Shown behind the basis, on phones below it. */
  perNight?: string
}

/** Total and its basis, used in the list and on the property page. */
export function StayPrice({ nights, rooms, perNight, ...price }: StayPriceProps) {
  return (
    <div className="text-right">
      <p className="font-serif text-xl leading-tight font-semibold whitespace-nowrap" data-testid="stay-price">
        <MarkedMoney {...price} />
      </p>
      <p className="figures text-xs text-muted sm:whitespace-nowrap">
        {useTotalText(nights, rooms)}
        {perNight !== undefined && (
          <>
            <span className="max-sm:hidden"> · </span>
            <span className="max-sm:block">{perNight}</span>
          </>
        )}
      </p>
    </div>
  )
}

/** Amount, with "≈" if it is converted. */
export function MarkedMoney({ total, currency, converted }: Omit<StayPriceProps, 'nights' | 'rooms' | 'perNight'>) {
  const { t } = useI18n()
  return (
    <>
      {converted && <span title={t('converted_text')}>≈ </span>}
      <Money amount={total} currency={currency} className="font-serif" />
    </>
  )
}

/** Formats an amount. "≈" marks a conversion from the currency of the charge; a no-break space keeps it beside the amount. */
export function useMarkedText(): (amount: number, currency: string, converted: boolean) => string {
  const { money } = useI18n()
  return (amount, currency, converted) => `${converted ? '≈\u00a0' : ''}${money(amount, currency)}`
}

/** "Total, 2 rooms, 3 nights, with taxes". */
export function useTotalText(nights: number, rooms: number): string {
  const { t } = useI18n()
  const length = t('nights', { n: nights })
  return t('total_for', { stay: rooms > 1 ? `${t('rooms', { n: rooms })}, ${length}` : length })
}
