import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Amount } from '../api/shapes.ts'
import { useIsDark } from '../browser/media.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { usePageConfig } from '../session/use-page-config.ts'
import { useFault } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import type { CardForm } from './card-form.ts'
import { mountCardForm } from './mount-card-form.ts'

/** Name of the card's fault in the form around it. */
export const CARD_FAULT = 'card'

type Props = {
  amount: Amount
  /** Address of this checkout. */
  returnUrl: string
  /** Called with undefined while no form is loaded. */
  onForm(form: CardForm | undefined): void
}

/** The provider's card form, loaded only when a booking needs it. */
export function CardSection({ amount, returnUrl, onForm }: Props) {
  const { t, money } = useI18n()
  const node = useRef<HTMLDivElement>(null)
  const { status, retry } = useCardForm(node, { amount, returnUrl, onForm })
  return (
    <CardFrame>
      <p className="mb-4 text-sm text-muted">{t('card_text', { price: money(amount.amount, amount.currency) })}</p>
      {status === 'blocked' && <Blocked onRetry={retry} />}
      {status === 'loading' && (
        <p className="skeleton min-h-48 p-4 text-sm" role="status">
          {t('card_loading')}
        </p>
      )}
      {/* Not hidden while it loads: a frame without a size may never report that it is ready. */}
      <div ref={node} className={status === 'ready' ? '' : 'h-0 overflow-hidden'} inert={status !== 'ready'} />
    </CardFrame>
  )
}

function CardFrame({ children }: { children: ReactNode }) {
  const { t } = useI18n()
  const { error } = useFault(CARD_FAULT)
  return (
    <section
      className="card min-w-0 p-5 sm:p-6"
      aria-label={t('card_title')}
      tabIndex={-1}
      {...(error !== undefined && { 'data-fault': true })}
    >
      <h2 className="mb-1 text-xl">{t('card_title')}</h2>
      {children}
      {error !== undefined && <p className="field-error">{error}</p>}
    </section>
  )
}

/** The provider cannot charge this amount exactly, for example in a currency that it does not know. */
export function CardImpossible() {
  const { t } = useI18n()
  return (
    <CardFrame>
      <Notice tone="warn">{t('card_impossible')}</Notice>
    </CardFrame>
  )
}

/** In place of the form once the amount is reserved, for example after a reload. */
export function CardReserved({ amount }: { amount: Amount }) {
  const { t, money } = useI18n()
  return (
    <CardFrame>
      <Notice tone="good">{t('card_reserved', { price: money(amount.amount, amount.currency) })}</Notice>
    </CardFrame>
  )
}

function Blocked({ onRetry }: { onRetry(): void }) {
  const { t } = useI18n()
  const button = (
    <button type="button" className="btn btn-quiet" onClick={onRetry}>
      {t('try_again')}
    </button>
  )
  return (
    <Notice tone="bad" role="alert" action={button}>
      <strong className="block">{t('card_blocked_title')}</strong>
      {t('card_blocked_text')}
    </Notice>
  )
}

function useCardForm(node: { readonly current: HTMLDivElement | null }, { amount, returnUrl, onForm }: Props) {
  const { t, language } = useI18n()
  const isDark = useIsDark()
  const config = usePageConfig()
  const source = config.data?.payments ?? undefined
  const [attempts, setAttempts] = useState(0)
  const [state, setState] = useState<'loading' | 'blocked' | CardForm>('loading')
  const hasFailed = config.isError || (config.isSuccess && source === undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: mounted once per attempt; changes reach it by `update`
  useEffect(() => {
    if (node.current === null || source === undefined) return
    const unwanted = new AbortController()
    const { signal } = unwanted
    let mounted: CardForm | undefined
    setState('loading')
    const title = t('card_title')
    mountCardForm({ node: node.current, signal, source, amount, language, isDark, returnUrl, title }).then(
      (form) => {
        if (signal.aborted) return form.unmount()
        mounted = form
        setState(form)
        onForm(form)
      },
      () => !signal.aborted && setState('blocked'),
    )
    return () => {
      unwanted.abort()
      mounted?.unmount()
      onForm(undefined)
    }
  }, [source, attempts, language])

  const form = typeof state === 'string' ? undefined : state
  useEffect(() => form?.update({ amount, isDark }), [form, amount, isDark])
  const status = hasFailed ? 'blocked' : form === undefined ? (state as 'loading' | 'blocked') : 'ready'
  return { status, retry: () => (config.isError ? void config.refetch() : setAttempts((count) => count + 1)) }
}
