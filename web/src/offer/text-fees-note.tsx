import type { Room } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { estimateTextFees, hasTextFees, type Party } from './text-fees.ts'

type Props = {
  notices: Room['notices']
  stay: Party
  /** The total already has fees payable at the property, which the text may repeat. */
  hasPricedFees: boolean
  /** `dd` in a list of amounts, `span` in a line. */
  as?: 'p' | 'span' | 'dd'
  /** Without the estimate, where there is room for one line. */
  isBrief?: boolean
  className?: string
}

/** Says beside a total that the vendor names mandatory fees only in words. */
export function TextFees({ notices, stay, hasPricedFees, as: Tag = 'p', isBrief = false, className = '' }: Props) {
  const { t, money } = useI18n()
  if (!hasTextFees(notices)) return null
  const estimate = hasPricedFees || isBrief ? undefined : estimateTextFees(notices, stay)
  return (
    <Tag className={`block text-balance text-warn ${className}`} data-testid="text-fees">
      {t(hasPricedFees ? 'price_text_fees_maybe' : 'price_text_fees')}
      {estimate !== undefined && (
        <span className="block">
          {t('price_text_fees_estimate', { price: money(estimate.amount, estimate.currency) })}
        </span>
      )}
    </Tag>
  )
}
