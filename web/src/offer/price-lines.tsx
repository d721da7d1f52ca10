import type { ReactNode } from 'react'
import type { Fee, Room } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { type Charge, dueNow, listFeeParts, priceBeforeTaxes } from './charge.ts'
import { Money } from './price.tsx'
import { TextFees } from './text-fees-note.tsx'

type Props = {
  charge: Charge
  nights: number
  rooms: number
  guests: number
  notices: Room['notices']
  /** False if nothing is charged on this page. */
  isCharged: boolean
  /** Total as shown before, if it was converted. */
  shown?: { readonly currency: string; readonly total: number }
}

/** Price components in the currency charged; they add up to the total exactly. */
export function PriceLines({ charge, nights, rooms, guests, notices, isCharged, shown }: Props) {
  const { t } = useI18n()
  const { currency, total, taxesFees, dueAtProperty } = charge
  const base = t('price_base', { nights: t('nights', { n: nights }), rooms: t('rooms', { n: rooms }) })
  return (
    <>
      <dl className="figures flex flex-col gap-1.5 text-sm">
        <Line label={base} amount={priceBeforeTaxes(charge)} currency={currency} />
        <Line label={t('price_taxes')} amount={taxesFees} currency={currency} />
        {listFeeParts(charge).map((fee) => (
          <FeeLine key={`${fee.label}${fee.paid_at}${fee.amount}`} fee={fee} />
        ))}
        <div className={`${ROW} mt-1 border-t border-line pt-2 font-serif text-lg font-semibold`}>
          <dt>{t('price_total')}</dt>
          <dd data-testid="total">
            <Money amount={total} currency={currency} className="font-serif" />
          </dd>
          <TextFees
            as="dd"
            notices={notices}
            stay={{ nights, rooms, guests }}
            hasPricedFees={dueAtProperty > 0}
            className="mt-1.5 basis-full font-sans text-xs font-normal"
          />
        </div>
        {shown && (
          <div className={`${ROW} text-xs text-muted`}>
            <dt>{t('price_shown')}</dt>
            <dd data-testid="shown-total">
              ≈ <Money amount={shown.total} currency={shown.currency} />
            </dd>
          </div>
        )}
        <Line
          label={t(isCharged ? 'price_due_now' : 'price_due_seller')}
          amount={dueNow(charge)}
          currency={currency}
          testId="due-now"
        />
        {dueAtProperty > 0 && (
          <Line label={t('price_due_there')} amount={dueAtProperty} currency={currency} testId="due-at-property" />
        )}
      </dl>
      {shown && <p className="mt-1.5 text-xs text-muted">{t('price_charged_text', { currency })}</p>}
    </>
  )
}

/** The amount wraps to its own line if the text is large and the screen narrow. */
const ROW = 'flex flex-wrap items-baseline gap-x-4 [&>dt]:min-w-0 [&>dt]:flex-1 [&>dt]:basis-24 [&>dd]:ml-auto'

function FeeLine({ fee: { label, label_code, paid_at, amount, currency, local } }: { fee: Fee }) {
  const { t, named } = useI18n()
  const name = named(`fee_${label_code}`, label)
  return (
    <Line
      label={paid_at === 'property' ? `${name} (${t('price_part_there')})` : name}
      amount={amount}
      currency={currency}
      className="pl-3 text-xs text-muted"
      // The amount actually payable; `amount` is then converted.
      before={
        local && (
          <>
            <Money amount={local.amount} currency={local.currency} /> ≈{' '}
          </>
        )
      }
    />
  )
}

type LineProps = {
  label: string
  amount: number
  currency: string
  before?: ReactNode
  className?: string
  testId?: string
}

function Line({ label, amount, currency, before, className = '', testId }: LineProps) {
  return (
    <div className={`${ROW} ${className}`}>
      <dt>{label}</dt>
      <dd data-testid={testId}>
        {before}
        <Money amount={amount} currency={currency} />
      </dd>
    </div>
  )
}
