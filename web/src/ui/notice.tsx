import { type ReactNode, useEffect, useRef } from 'react'
import { ApiProblem, type FieldProblem } from '../api/problem.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon, type IconName } from './icon.tsx'
import { formatProblem, titleProblem } from './problem-text.ts'

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
      <strong className="block font-semibold">{t(titleProblem(error))}</strong>
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
