import { getLocalTimeZone } from '@internationalized/date'
import { useEffect, useRef, useState } from 'react'
import { ApiProblem } from '../api/problem.ts'
import { navigate, useAddress } from '../browser/router.ts'
import type { Attempt } from '../checkout/checkout.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Money } from '../offer/price.tsx'
import { askForSignIn } from '../session/session.ts'
import { Failure } from '../ui/failure.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import type { CardForm } from './card-form.ts'
import { CARD_FAULT, CardSection } from './card-section.tsx'
import { PaidView, usePayTitle } from './paid-view.tsx'
import { PaymentOutcome } from './payment-outcome.tsx'
import { type LinkedPayment, usePayLink } from './use-pay-link.ts'

/** Takes the card of a person for a booking that an assistant has prepared. */
export default function PayPage({ id }: { id: string }) {
  const { t } = useI18n()
  const { query, payment, attempt, pay } = usePayLink(id)
  const title = usePayTitle(payment?.status, isUnknown(query.error))
  useStripProviderQuery()
  return (
    <Page title={title} focusKey={payment?.status ?? ''} className="wrap max-w-2xl py-8">
      <h1 className={`mb-4 text-3xl ${query.isPending ? 'skeleton text-transparent' : ''}`}>
        {query.isPending ? t('loading') : title}
      </h1>
      {query.isPending && <div className="skeleton h-72 rounded-lg" />}
      {payment === undefined && query.isError && <NotShown error={query.error} onRetry={() => void query.refetch()} />}
      {payment !== undefined &&
        (payment.status === 'requires_payment' ? (
          <PayForm payment={payment} attempt={attempt} onPay={pay} />
        ) : (
          <PaidView payment={payment} />
        ))}
    </Page>
  )
}

/** Stripe adds its own parameters, with the payment's secret, when it returns from a bank's page. */
function useStripProviderQuery(): void {
  const { path, query } = useAddress()
  useEffect(() => {
    if (query.size > 0) navigate(path, { replace: true })
  }, [path, query])
}

const isUnknown = (error: Error | null): boolean => error instanceof ApiProblem && error.status === 404

function NotShown({ error, onRetry }: { error: Error; onRetry(): void }) {
  const { t } = useI18n()
  if (!isUnknown(error)) return <Failure error={error} onRetry={onRetry} />
  return (
    <div className="card flex flex-col items-start gap-4 p-6 sm:p-8">
      <p className="max-w-prose text-muted">{t('pay_unknown_text')}</p>
      <div className="flex flex-wrap gap-3">
        <button type="button" className="btn btn-primary" onClick={askForSignIn}>
          {t('pay_other_account')}
        </button>
        <a className="btn btn-quiet" href="/">
          {t('to_start')}
        </a>
      </div>
    </div>
  )
}

type FormProps = { payment: LinkedPayment; attempt: Attempt; onPay(form: CardForm | undefined): void }

function PayForm({ payment, attempt, onPay }: FormProps) {
  const { t, money } = useI18n()
  const cardForm = useRef<CardForm>(undefined)
  const [isCardReady, setCardReady] = useState(false)
  const isPaying = attempt.phase === 'paying'
  const form = useForm({
    isBusy: isPaying || attempt.phase === 'asking',
    check: () => (isCardReady ? {} : { [CARD_FAULT]: t('card_wait') }),
    send: () => onPay(cardForm.current),
  })
  const price = money(payment.amount, payment.currency)
  return (
    <Form form={form} className="flex flex-col gap-6">
      <p className="text-muted">{t('pay_intro')}</p>
      <Facts payment={payment} />
      <CardSection
        amount={payment}
        returnUrl={`${location.origin}${location.pathname}`}
        onForm={(mounted) => {
          cardForm.current = mounted
          setCardReady(mounted !== undefined)
        }}
      />
      <PaymentOutcome attempt={attempt} onRetry={() => onPay(cardForm.current)} />
      <p role="status" className="sr-only">
        {isPaying && t('paying_under_way')}
      </p>
      <div>
        {/* Not while the result is unknown: a second payment must not be offered. */}
        {attempt.phase !== 'asking' && (
          <button
            type="submit"
            className="btn btn-primary min-h-14 w-full text-base sm:w-auto sm:px-10"
            aria-disabled={isPaying}
          >
            {isPaying ? t('paying_under_way') : t('pay_now', { price })}
          </button>
        )}
        <p className="mt-3 max-w-prose text-xs text-muted">{t('pay_note')}</p>
      </div>
    </Form>
  )
}

function Facts({ payment }: { payment: LinkedPayment }) {
  const { t, moment } = useI18n()
  return (
    <dl className="card grid gap-4 p-5 sm:grid-cols-2 sm:p-6">
      <div>
        <dt className="text-sm text-muted">{t('pay_amount')}</dt>
        <dd>
          <Money amount={payment.amount} currency={payment.currency} className="font-serif text-2xl font-semibold" />
        </dd>
      </div>
      <div>
        <dt className="text-sm text-muted">{t('pay_by')}</dt>
        <dd className="text-lg">{moment(payment.expires_at, getLocalTimeZone())}</dd>
      </div>
    </dl>
  )
}
