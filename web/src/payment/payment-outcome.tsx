import type { ApiProblem } from '../api/problem.ts'
import type { Amount } from '../api/shapes.ts'
import type { Attempt } from '../checkout/checkout.ts'
import type { MessageKey } from '../i18n/en.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { FocusOnMount, Notice, useProblemText } from '../ui/notice.tsx'

/** Reasons that the guest can act on. The others, such as a stolen card, are not for the person at the keyboard. */
const REASONS: Readonly<Record<string, MessageKey>> = {
  insufficient_funds: 'declined_funds',
  expired_card: 'declined_expired_card',
  card_velocity_exceeded: 'declined_other_card',
  currency_not_supported: 'declined_other_card',
  card_not_supported: 'declined_other_card',
  issuer_not_available: 'declined_later',
  processing_error: 'declined_later',
  reenter_transaction: 'declined_later',
  try_again_later: 'declined_later',
  authentication_required: 'declined_authentication',
  authentication_failed: 'declined_authentication',
  payment_intent_authentication_failure: 'declined_authentication',
  unfinished: 'declined_unfinished',
  expired: 'declined_payment_expired',
}

function reasonOf(code: string): MessageKey {
  if (/^(incorrect|invalid)_/.test(code)) return 'declined_details'
  return REASONS[code] ?? 'declined_by_bank'
}

type Props = { attempt: Attempt; onRetry(): void }

/** Result of the last payment, beside the button. */
export function PaymentOutcome({ attempt, onRetry }: Props) {
  const { t } = useI18n()
  switch (attempt.phase) {
    case 'asking':
      return (
        <FocusOnMount>
          <Notice tone="info" role="status">
            <strong className="block">{t('asking_title')}</strong>
            {t('asking_text')}
          </Notice>
        </FocusOnMount>
      )
    case 'declined':
      return (
        <FocusOnMount key={attempt.code}>
          <Notice tone="bad" role="alert">
            <strong className="block">{t('declined_title')}</strong>
            {t(reasonOf(attempt.code))} {t('nothing_charged')}
          </Notice>
        </FocusOnMount>
      )
    case 'card_needed':
      return (
        <FocusOnMount>
          <Notice tone="warn" role="alert">
            {t('card_needed')}
          </Notice>
        </FocusOnMount>
      )
    case 'unpaid':
      return (
        <FocusOnMount>
          <NotStarted problem={attempt.problem} onRetry={onRetry} />
        </FocusOnMount>
      )
    default:
      return null
  }
}

function NotStarted({ problem, onRetry }: { problem: ApiProblem; onRetry(): void }) {
  const { t } = useI18n()
  const problemText = useProblemText()
  const button = (
    <button type="button" className="btn btn-quiet" onClick={onRetry}>
      {t('try_again')}
    </button>
  )
  return (
    <Notice tone="bad" role="alert" action={button}>
      <strong className="block">{t('unpaid_title')}</strong>
      {problem.effect === 'unknown' ? t('problem_unreachable') : problemText(problem)} {t('nothing_charged')}
      {problem.requestId !== '' && (
        <span className="mt-1 block text-xs">{t('problem_request', { id: problem.requestId })}</span>
      )}
    </Notice>
  )
}

/** The amount reserved for an offer that is gone. */
export function ReleasedNote({ released }: { released: Amount | undefined }) {
  const { t, money } = useI18n()
  if (released === undefined) return null
  return <p>{t('card_released', { price: money(released.amount, released.currency) })}</p>
}
