import type { Fee } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Money } from './price.tsx'

type Props = {
  total: number
  taxesFees: number
  dueAtProperty: number
  fees: readonly Fee[]
  currency: string
  nights: number
  rooms: number
  charged?: { readonly currency: string; readonly total: number } | null
}

/** The parts of the price. They add up to the total, to the cent. */
export function PriceLines({ total, taxesFees, dueAtProperty, fees, currency, nights, rooms, charged }: Props) {
  const { t } = useI18n()
  const cents = (amount: number) => Math.round(amount * 1000) / 1000
  const base = t('price_base', { nights: t('nights', { n: nights }), rooms: t('rooms', { n: rooms }) })
  return (
    <dl className="figures flex flex-col gap-1.5 text-sm">
      <Line label={base} amount={cents(total - taxesFees)} currency={currency} />
      <Line label={t('price_taxes')} amount={taxesFees} currency={currency} />
      {fees.map(({ label, paid_at, amount, currency, local }) => (
        <Line
          key={`${label}${paid_at}${amount}`}
          label={paid_at === 'property' ? `${label} (${t('price_due_there').toLowerCase()})` : label}
          amount={amount}
          currency={currency}
          local={local}
          className="pl-3 text-xs text-muted"
        />
      ))}
      <div className={`${ROW} mt-1 border-t border-line pt-2 font-serif text-lg font-semibold`}>
        <dt>{t('price_total')}</dt>
        <dd data-testid="total">
          {charged && '≈ '}
          <Money amount={total} currency={currency} className="font-serif" />
        </dd>
      </div>
      {dueAtProperty > 0 && (
        <>
          <Line
            label={t('price_due_now')}
            amount={cents(total - dueAtProperty)}
            currency={currency}
            className="text-muted"
          />
          <Line label={t('price_due_there')} amount={dueAtProperty} currency={currency} className="text-muted" />
        </>
      )}
      {charged && <Charged {...charged} />}
    </dl>
  )
}

const ROW = 'flex items-baseline justify-between gap-4'

type LineProps = { label: string; amount: number; currency: string; local?: Fee['local']; className?: string }

/** `local` is what will really be asked for; the amount is then converted. */
function Line({ label, amount, currency, local, className = '' }: LineProps) {
  return (
    <div className={`${ROW} ${className}`}>
      <dt>{label}</dt>
      <dd>
        {local && (
          <>
            <Money amount={local.amount} currency={local.currency} /> ≈{' '}
          </>
        )}
        <Money amount={amount} currency={currency} />
      </dd>
    </div>
  )
}

/** The vendor's own amount, where the prices above are converted. */
function Charged({ currency, total }: { currency: string; total: number }) {
  const { t } = useI18n()
  return (
    <div className="mt-1 rounded-md bg-sunk px-3 py-2">
      <div className={`${ROW} font-semibold`}>
        <dt>{t('price_charged_in', { currency })}</dt>
        <dd data-testid="charged">
          <Money amount={total} currency={currency} />
        </dd>
      </div>
      <dd className="text-xs text-muted">{t('price_charged_text')}</dd>
    </div>
  )
}
