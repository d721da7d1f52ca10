import { type ReactNode, useEffect, useRef } from 'react'
import { ApiProblem, type FieldProblem } from '../api/problem.ts'
import type { MessageKey } from '../i18n/en.ts'
import { type I18n, useI18n } from '../i18n/i18n.tsx'
import { Icon, type IconName } from './icon.tsx'

const TONES = {
  info: ['bg-accent-wash text-ink', 'info'],
  warn: ['bg-warn-wash text-warn', 'warning'],
  bad: ['bg-bad-wash text-bad', 'warning'],
  good: ['bg-good-wash text-good', 'check'],
} as const satisfies Record<string, readonly [string, IconName]>

type NoticeProps = { tone: keyof typeof TONES; children: ReactNode; action?: ReactNode; role?: 'status' | 'alert' }

export function Notice({ tone, children, action, role }: NoticeProps) {
  const [colours, icon] = TONES[tone]
  return (
    <div role={role} className={`flex flex-wrap items-center gap-x-4 gap-y-1 rounded-md px-4 py-2 text-sm ${colours}`}>
      <span className="flex min-w-0 flex-1 basis-60 items-start gap-2.5">
        <Icon name={icon} className="mt-0.5 size-4.5" />
        <span className="min-w-0">{children}</span>
      </span>
      {action}
    </div>
  )
}

/** Scrolls a message into view and focuses it. */
export function FocusOnMount({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    frame.current?.focus({ preventScroll: true })
    frame.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <div ref={frame} tabIndex={-1} className="rounded-md">
      {children}
    </div>
  )
}

type ProblemProps = { error: unknown; onRetry?: () => void; retryLabel?: string }

/** Error message with the request id for support. */
export function ProblemNotice({ error, onRetry, retryLabel }: ProblemProps) {
  const { t } = useI18n()
  const problemText = useProblemText()
  const id = error instanceof ApiProblem ? error.requestId : ''
  return (
    <Notice
      tone="bad"
      role="alert"
      action={
        onRetry && (
          <button type="button" className="btn btn-quiet" onClick={onRetry}>
            {retryLabel ?? t('try_again')}
          </button>
        )
      }
    >
      <strong className="block font-semibold">{t('problem_title')}</strong>
      {problemText(error)}
      {id !== '' && <span className="mt-1 block text-xs">{t('problem_request', { id })}</span>}
    </Notice>
  )
}

export function useProblemText(): (error: unknown) => string {
  const i18n = useI18n()
  return (error) => formatProblem(error, i18n)
}

/** Message beside a field that the service refused; the page itself finds most faults before. */
export function useRefusalText(): (fault: FieldProblem) => string {
  const { t, language } = useI18n()
  return (fault) => (language === 'en' ? withoutFieldName(fault) : t('problem_refused'))
}

/** Removes the name of the field in the API, with which most messages begin. */
export function withoutFieldName({ field, message }: FieldProblem): string {
  const name = [field, field.split('.').at(-1) ?? field].find((each) => message.startsWith(`${each} `)) ?? ''
  const text = message.slice(name.length).trimStart()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Messages by field and code of the refusal. */
const FIELD_MESSAGES: Readonly<Record<string, MessageKey>> = {
  'check_in check_in_in_the_past': 'dates_past',
  'check_in check_in_too_far': 'dates_far',
  'area out_of_range': 'area_size',
  'area.east not_east_of_west': 'area_size',
}

export function formatProblem(error: unknown, i18n: Pick<I18n, 't' | 'has' | 'language'>): string {
  const { t, has, language } = i18n
  if (!(error instanceof ApiProblem)) return t('problem_other')
  const { status, code, fields, body } = error
  if (body.effect === 'unknown' && code !== 'request_in_progress') return t('problem_effect_unknown')
  if (code === 'rate_limited' && error.retryAfterMs > 60_000)
    return t('problem_rate_limited_long', { n: Math.ceil(error.retryAfterMs / 60_000) })
  const key = `problem_${code}`
  if (has(key)) return t(key)
  if (status === 408) return t('problem_unreachable')
  if (status === 429) return t('problem_rate_limited')
  if (status === 502 || status === 504) return t('problem_vendors_failed')
  const [first] = fields
  const known = first && FIELD_MESSAGES[`${first.field} ${first.code}`]
  if (known !== undefined) return t(known)
  if (status >= 500) return t('problem_other')
  // The service writes only English, and a proxy's text cannot be shown.
  if (language === 'en' && code !== 'unknown') return first?.message ?? error.message
  return t(status === 401 || status === 403 ? 'problem_not_permitted' : 'problem_refused')
}
