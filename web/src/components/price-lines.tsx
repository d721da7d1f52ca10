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

/** The price taken apart. Its lines add up to the total, to the cent. */
export function PriceLines({ total, taxesFees, dueAtProperty, fees, currency, nights, rooms, charged }: Props) {
  const { t } = useI18n()
  const cents = (amount: number) => Math.round(amount * 1000) / 1000
  const row = 'flex items-baseline justify-between gap-4'
  return (
    <dl className="figures flex flex-col gap-1.5 text-sm">
      <div className={row}>
        <dt>{t('price_base', { nights: t('nights', { n: nights }), rooms: t('rooms', { n: rooms }) })}</dt>
        <dd>
          <Money amount={cents(total - taxesFees)} currency={currency} />
        </dd>
      </div>
      <div className={row}>
        <dt>{t('price_taxes')}</dt>
        <dd>
          <Money amount={taxesFees} currency={currency} />
        </dd>
      </div>
      {fees.map((fee) => (
        <div key={`${fee.label}${fee.paid_at}${fee.amount}`} className={`${row} pl-3 text-xs text-muted`}>
          <dt>
            {fee.label}
            {fee.paid_at === 'property' && ` (${t('price_due_there').toLowerCase()})`}
          </dt>
          <dd>
            <Money amount={fee.amount} currency={fee.currency} />
          </dd>
        </div>
      ))}
      <div className={`${row} mt-1 border-t border-line pt-2 font-serif text-lg font-semibold`}>
        <dt>{t('price_total')}</dt>
        <dd data-testid="total">
          {charged && '≈ '}
          <Money amount={total} currency={currency} className="font-serif" />
        </dd>
      </div>
      {dueAtProperty > 0 && (
        <>
          <div className={`${row} text-muted`}>
            <dt>{t('price_due_now')}</dt>
            <dd>
              <Money amount={cents(total - dueAtProperty)} currency={currency} />
            </dd>
          </div>
          <div className={`${row} text-muted`}>
            <dt>{t('price_due_there')}</dt>
            <dd>
              <Money amount={dueAtProperty} currency={currency} />
            </dd>
          </div>
        </>
      )}
      {charged && (
        <div className="mt-1 rounded-md bg-sunk px-3 py-2">
          <div className={`${row} font-semibold`}>
            <dt>{t('price_charged_in', { currency: charged.currency })}</dt>
            <dd data-testid="charged">
              <Money amount={charged.total} currency={charged.currency} />
            </dd>
          </div>
          <dd className="text-xs text-muted">{t('price_charged_words')}</dd>
        </div>
      )}
    </dl>
  )
}
