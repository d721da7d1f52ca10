import type { CancelPolicy } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { FreeCancellation } from '../ui/badges.tsx'
import { classifyLoss, refundAfter } from './charge.ts'
import { useZoneName } from './zone-name.ts'

type Props = {
  policy: CancelPolicy
  /** Amount charged when booking; a penalty of this amount means no refund. */
  charged: number
}

/** Key of the text for the current terms. */
export function classifyTerms({ policy, charged }: Props): 'free_cancellation' | 'not_refundable' | 'partial_refund' {
  const now = Date.now()
  if (policy.cancelation === 'free' && Date.parse(policy.expires) > now) return 'free_cancellation'
  const current = findCurrentPenalty(policy, now)
  const isLost = current !== undefined && classifyLoss(current.amount, charged) === 'all'
  return policy.cancelation === 'none' || isLost ? 'not_refundable' : 'partial_refund'
}

/** Summary of the cancellation cost, derived from amounts and never from the vendor's text. */
export function CancelLine({ policy, charged }: Props) {
  const { t, moment, money } = useI18n()
  const zoneName = useZoneName()
  const { expires, timezone } = policy
  const terms = classifyTerms({ policy, charged })
  if (terms === 'free_cancellation')
    return (
      <span className="flex flex-col items-start gap-1">
        <FreeCancellation />
        <span className="text-xs text-muted">
          {t('free_until', { moment: moment(expires, timezone), zone: zoneName(timezone) })}
        </span>
      </span>
    )
  if (terms === 'not_refundable') return <span className="text-sm text-muted">{t(terms)}</span>
  const current = findCurrentPenalty(policy, Date.now())
  return (
    <span className="text-sm text-muted">
      {t(terms)}
      {current !== undefined && (
        <span className="block text-xs">
          {t('cancel_now', {
            fee: money(current.amount, current.currency),
            refund: money(refundAfter(current.amount, charged), current.currency),
          })}
        </span>
      )}
    </span>
  )
}

/** If several penalties have started, the latest one applies. */
const findCurrentPenalty = ({ penalties }: CancelPolicy, now: number) =>
  penalties
    .filter(({ from }) => Date.parse(from) <= now)
    .sort((a, b) => Date.parse(a.from) - Date.parse(b.from))
    .at(-1)

type Step = { readonly from: string | undefined; readonly text: string; readonly loss: ReturnType<typeof classifyLoss> }

const COLOURS = { none: 'bg-good', part: 'bg-brass', all: 'bg-bad' } as const

/** Cancellation fee over time, as a bar and as a list for assistive technology. */
export function CancelTimeline({ policy, charged }: Props) {
  const { t, money, moment } = useI18n()
  const zoneName = useZoneName()
  const describe = (amount: number, currency: string) =>
    t(classifyLoss(amount, charged) === 'all' ? 'timeline_no_refund' : 'timeline_refund', {
      fee: money(amount, currency),
      refund: money(refundAfter(amount, charged), currency),
    })
  const steps = listSteps({ policy, charged }, t('timeline_free'), describe)
  if (steps.length === 0) return <p className="text-sm text-muted">{t('not_refundable')}</p>
  return (
    <div>
      <div className="flex h-2.5 gap-0.5 overflow-hidden rounded-full" aria-hidden="true">
        {steps.map((step) => (
          <span key={step.from ?? 'now'} className={`flex-1 ${COLOURS[step.loss]}`} />
        ))}
      </div>
      <ol className="mt-2 flex gap-2 text-xs" aria-label={t('timeline')}>
        {steps.map((step) => (
          <li key={step.from ?? 'now'} className="min-w-0 flex-1">
            <span className="block text-muted">
              {step.from === undefined
                ? t('timeline_now')
                : t('timeline_from', { moment: moment(step.from, policy.timezone) })}
            </span>
            <span className="figures block font-semibold">{step.text}</span>
          </li>
        ))}
      </ol>
      <p className="mt-2 text-xs text-muted">{t('zone_note', { zone: zoneName(policy.timezone) })}</p>
    </div>
  )
}

function listSteps(
  { policy, charged }: Props,
  free: string,
  describe: (amount: number, currency: string) => string,
): Step[] {
  const penalties = [...policy.penalties].sort((a, b) => Date.parse(a.from) - Date.parse(b.from))
  const steps = penalties.map(({ from, amount, currency }) => ({
    from: Date.parse(from) <= Date.now() ? undefined : from,
    text: describe(amount, currency),
    loss: classifyLoss(amount, charged),
  }))
  const begun = steps.filter((step) => step.from === undefined)
  const coming = steps.filter((step) => step.from !== undefined)
  // If several penalties have started, the latest one applies.
  const nothing = policy.cancelation === 'free' ? { from: undefined, text: free, loss: 'none' as const } : undefined
  const now = begun.at(-1) ?? nothing
  return now === undefined ? coming : [now, ...coming]
}
