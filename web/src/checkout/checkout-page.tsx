import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useWide } from '../browser/media.ts'
import { navigate, useAddress } from '../browser/router.ts'
import { useI18n } from '../i18n/i18n.tsx'
import type { CardForm } from '../payment/card-form.ts'
import { CardImpossible, CardReserved, CardSection } from '../payment/card-section.tsx'
import { propertyKey } from '../property/use-property.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { AttemptOutcome } from './attempt-outcome.tsx'
import { type Attempt, type Checkout, checkoutPath, readCheckout } from './checkout.ts'
import { GuestForm } from './guest-form.tsx'
import { type ChangedOffer, OfferChangedDialog } from './offer-changed.tsx'
import { OfferExpiredView, SoldOutView } from './offer-gone.tsx'
import { StayBrief, StaySummary } from './stay-summary.tsx'
import { useBookingAttempt } from './use-booking-attempt.ts'

export default function CheckoutPage() {
  const { t } = useI18n()
  const { query } = useAddress()
  const id = query.get('id') ?? ''
  const [checkout, setCheckout] = useState(() => readCheckout(id))
  useStripProviderQuery(query)
  const bookingId = checkout?.bookingId
  // After booking, the back button must not lead to a form that could book again.
  useEffect(() => {
    if (bookingId !== undefined) navigate(`/bookings/${bookingId}`, { replace: true })
  }, [bookingId])
  return (
    <Page title={t('checkout_title')}>
      {checkout === undefined ? (
        <>
          <h1 className="mb-6 text-3xl">{t('checkout_title')}</h1>
          <EmptyState title={t('checkout_gone_title')} text={t('checkout_gone_text')}>
            <a className="btn btn-primary" href="/">
              {t('to_start')}
            </a>
          </EmptyState>
        </>
      ) : (
        checkout.bookingId === undefined && <OpenCheckout checkout={checkout} onCheckout={setCheckout} />
      )}
    </Page>
  )
}

/** Stripe adds its own parameters, with the payment's secret, when it returns from a bank's page. */
function useStripProviderQuery(query: URLSearchParams): void {
  useEffect(() => {
    const id = query.get('id')
    if (id !== null && query.size > 1) navigate(checkoutPath(id), { replace: true })
  }, [query])
}

type OpenProps = { checkout: Checkout; onCheckout(checkout: Checkout): void }

function OpenCheckout({ checkout, onCheckout }: OpenProps) {
  const cardForm = useRef<CardForm>(undefined)
  const [isCardReady, setCardReady] = useState(false)
  const getCardForm = useCallback(() => cardForm.current, [])
  const booking = useBookingAttempt(checkout, onCheckout, getCardForm)
  const { attempt, send } = booking
  useInvalidateOldPrices(checkout, attempt.phase)
  if (attempt.phase === 'sold_out')
    return <SoldOutView checkout={checkout} named={attempt.alternatives} released={attempt.released} />
  if (attempt.phase === 'offer_expired')
    return <OfferExpiredView propertyAddress={checkout.propertyAddress} released={attempt.released} />
  const onCardForm = (form: CardForm | undefined) => {
    cardForm.current = form
    setCardReady(form !== undefined)
  }
  const isPaid = checkout.charge !== undefined
  // Disables the card form until the bank has answered.
  const isAsking = attempt.phase === 'asking'
  return (
    <Layout checkout={checkout} isOpen={FORM_PHASES[attempt.phase] === undefined}>
      <GuestForm
        checkout={checkout}
        phase={FORM_PHASES[attempt.phase] ?? 'open'}
        card={
          isPaid && (
            <div inert={isAsking} className={isAsking ? 'opacity-50' : ''}>
              <CardPart checkout={checkout} onForm={onCardForm} />
            </div>
          )
        }
        lacksCard={isPaid && checkout.payment?.state !== 'authorised' && !isCardReady}
        message={
          <AttemptOutcome
            attempt={attempt}
            isPaid={isPaid}
            onAskAgain={() => send(checkout)}
            onOtherRoom={() => navigate(checkout.propertyAddress)}
          />
        }
        onChange={booking.change}
        onSend={send}
      />
      {attempt.phase === 'changed' && <Changed checkout={checkout} attempt={attempt} booking={booking} />}
    </Layout>
  )
}

/** The form beside the summary of the stay. */
function Layout({ checkout, isOpen, children }: { checkout: Checkout; isOpen: boolean; children: ReactNode }) {
  const { t } = useI18n()
  const isWide = useWide('64rem')
  return (
    <>
      <OtherRoom href={checkout.propertyAddress} isOffered={isOpen} />
      <h1 className="mb-6 text-3xl">{t('checkout_title')}</h1>
      {checkout.simulated && (
        <div className="mb-6">
          <Notice tone="info">{t('simulated_checkout')}</Notice>
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[1fr_25rem]">
        {!isWide && <StayBrief checkout={checkout} />}
        <div className="flex flex-col gap-6">{children}</div>
        <StaySummary checkout={checkout} />
      </div>
    </>
  )
}

type ChangedProps = { checkout: Checkout; attempt: ChangedOffer; booking: ReturnType<typeof useBookingAttempt> }

function Changed({ checkout, attempt, booking: { change, send, reset } }: ChangedProps) {
  const { room, termsDigest, charge = checkout.charge } = attempt
  // Another price is another payment.
  const changed: Checkout = {
    ...checkout,
    room: { ...checkout.room, ...room },
    termsDigest,
    charge,
    payment: undefined,
  }
  const keepChanged = () => {
    change(changed)
    reset()
  }
  return (
    <OfferChangedDialog
      shown={checkout.room}
      attempt={attempt}
      isPaid={charge !== undefined}
      onAccept={() => (attempt.wasSent ? void send(changed) : keepChanged())}
      onOther={() => navigate(checkout.propertyAddress)}
      onClose={keepChanged}
    />
  )
}

const FORM_PHASES: Partial<Record<Attempt['phase'], ComponentProps<typeof GuestForm>['phase']>> = {
  sending: 'sending',
  paying: 'paying',
  asking: 'unsure',
  unsure: 'unsure',
}

/** The card form of a booking that is paid by card. */
function CardPart({ checkout, onForm }: { checkout: Checkout; onForm(form: CardForm | undefined): void }) {
  const { charge, payment, id } = checkout
  // The form stays while the page is open: a higher price is paid with the same card.
  const [wasReserved] = useState(payment?.state === 'authorised')
  if (charge === undefined) return null
  if (!charge.isPayable) return <CardImpossible />
  if (wasReserved && payment?.state === 'authorised') return <CardReserved amount={charge} />
  return <CardSection amount={charge} returnUrl={`${location.origin}${checkoutPath(id)}`} onForm={onForm} />
}

/** Hidden while a room may already be booked; keeps its space so that the form does not jump. */
function OtherRoom({ href, isOffered }: { href: string; isOffered: boolean }) {
  const { t } = useI18n()
  return (
    <a
      href={href}
      className={`link mb-3 inline-flex min-h-11 items-center gap-1.5 text-sm ${isOffered ? '' : 'invisible'}`}
    >
      <Icon name="left" className="size-4" />
      {t('price_other_room')}
    </a>
  )
}

/** A refused offer means that the property's prices are outdated; they are fetched again when next shown. */
function useInvalidateOldPrices({ propertyId }: Checkout, phase: Attempt['phase']) {
  const client = useQueryClient()
  useEffect(() => {
    const isOld = ['changed', 'sold_out', 'offer_expired'].includes(phase)
    if (isOld) client.removeQueries({ queryKey: propertyKey(propertyId) })
  }, [phase, client, propertyId])
}
