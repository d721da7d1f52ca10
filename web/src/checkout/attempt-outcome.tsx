import { useI18n } from '../i18n/i18n.tsx'
import { PaymentOutcome } from '../payment/payment-outcome.tsx'
import { FocusOnMount, Notice, ProblemNotice } from '../ui/notice.tsx'
import type { Attempt } from './checkout.ts'

type Props = { attempt: Attempt; isPaid: boolean; onAskAgain(): void; onOtherRoom(): void }

/** Refusals that a repeated request cannot change. */
const FINAL_REFUSALS: ReadonlySet<string> = new Set(['booking_rejected', 'offer_invalid', 'offer_used'])

/** Result of the last attempt, unless it was booked or changed. */
export function AttemptOutcome({ attempt, isPaid, onAskAgain, onOtherRoom }: Props) {
  const { t } = useI18n()
  if (attempt.phase === 'unsure')
    return (
      <FocusOnMount>
        <ConnectionLost isPaid={isPaid} onAskAgain={onAskAgain} />
      </FocusOnMount>
    )
  if (attempt.phase !== 'refused') return <PaymentOutcome attempt={attempt} onRetry={onAskAgain} />
  const { problem } = attempt
  const next = FINAL_REFUSALS.has(problem.code)
    ? { onRetry: onOtherRoom, retryLabel: t('price_other_room') }
    : { onRetry: onAskAgain, retryLabel: t('ask_again') }
  return (
    <FocusOnMount>
      <ProblemNotice error={problem} {...next} />
    </FocusOnMount>
  )
}

function ConnectionLost({ isPaid, onAskAgain }: Pick<Props, 'isPaid' | 'onAskAgain'>) {
  const { t } = useI18n()
  const button = (
    <button type="button" className="btn btn-primary" onClick={onAskAgain}>
      {t('ask_again')}
    </button>
  )
  return (
    <Notice tone="warn" role="alert" action={button}>
      <strong className="block">{t('unsure_title')}</strong>
      {t('unsure_text')} {isPaid && t('unsure_card')}
    </Notice>
  )
}
