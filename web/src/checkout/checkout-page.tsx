import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { fetchFirstResults } from '../api/operations.ts'
import type { Summary } from '../api/shapes.ts'
import { useWide } from '../browser/media.ts'
import { navigate, useAddress } from '../browser/router.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { propertyKey } from '../property/use-property.ts'
import { PropertyCard } from '../results/property-card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { FocusOnMount, Notice, ProblemNotice } from '../ui/notice.tsx'
import { focusHeading, Page } from '../ui/page.tsx'
import { type Checkout, readCheckout, saveCheckout } from './checkout.ts'
import { GuestForm } from './guest-form.tsx'
import { type ChangedOffer, OfferChangedDialog } from './offer-changed.tsx'
import { StayBrief, StaySummary } from './stay-summary.tsx'
import { type Attempt, useBookingAttempt } from './use-booking-attempt.ts'

export default function CheckoutPage() {
  const { t } = useI18n()
  const { query } = useAddress()
  const id = query.get('id') ?? ''
  const [checkout, setCheckout] = useState(() => readCheckout(id))
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

function OpenCheckout({ checkout, onCheckout }: { checkout: Checkout; onCheckout(checkout: Checkout): void }) {
  const { t } = useI18n()
  const isWide = useWide('64rem')
  const change = useCallback(
    (next: Checkout) => {
      saveCheckout(next)
      onCheckout(next)
    },
    [onCheckout],
  )
  const { attempt, send, reset } = useBookingAttempt(checkout, onCheckout)
  useInvalidateOldPrices(checkout, attempt.phase)
  const withRoom = ({ room, termsDigest }: ChangedOffer) => ({
    ...checkout,
    room: { ...checkout.room, ...room },
    termsDigest,
  })
  const accept = (changed: ChangedOffer) => {
    if (changed.wasSent) return void send(withRoom(changed))
    change(withRoom(changed))
    reset()
  }

  if (attempt.phase === 'sold_out') return <SoldOut checkout={checkout} named={attempt.alternatives} />
  if (attempt.phase === 'offer_expired') return <OfferExpired propertyAddress={checkout.propertyAddress} />
  const formPhase = attempt.phase === 'sending' || attempt.phase === 'unsure' ? attempt.phase : 'open'

  return (
    <>
      <OtherRoom href={checkout.propertyAddress} isOffered={formPhase === 'open'} />
      <h1 className="mb-6 text-3xl">{t('checkout_title')}</h1>
      {checkout.simulated && (
        <div className="mb-6">
          <Notice tone="info">{t('simulated_checkout')}</Notice>
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[1fr_25rem]">
        {!isWide && <StayBrief checkout={checkout} />}
        <div className="flex flex-col gap-6">
          <GuestForm
            checkout={checkout}
            phase={formPhase}
            message={<Outcome attempt={attempt} onAskAgain={() => send(checkout)} />}
            onChange={change}
            onSend={send}
          />
        </div>
        <StaySummary checkout={checkout} />
      </div>
      {attempt.phase === 'changed' && (
        <OfferChangedDialog
          attempt={attempt}
          onAccept={() => accept(attempt)}
          onOther={() => navigate(checkout.propertyAddress)}
          onClose={() => {
            change(withRoom(attempt))
            reset()
          }}
        />
      )}
    </>
  )
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

/** Result of the last attempt, unless it was booked or changed. */
function Outcome({ attempt, onAskAgain }: { attempt: Attempt; onAskAgain(): void }) {
  const { t } = useI18n()
  if (attempt.phase === 'unsure')
    return (
      <FocusOnMount>
        <ConnectionLost onAskAgain={onAskAgain} />
      </FocusOnMount>
    )
  if (attempt.phase !== 'refused') return null
  return (
    <FocusOnMount>
      <ProblemNotice error={attempt.problem} onRetry={onAskAgain} retryLabel={t('ask_again')} />
    </FocusOnMount>
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

function OfferExpired({ propertyAddress }: { propertyAddress: string }) {
  const { t } = useI18n()
  useEffect(scrollToHeading, [])
  return (
    <div className="flex max-w-4xl flex-col items-start gap-5">
      <h1 className="text-3xl">{t('offer_expired_title')}</h1>
      <p role="alert">{t('offer_expired_text')}</p>
      <a className="btn btn-primary" href={propertyAddress}>
        {t('fresh_rooms')}
      </a>
    </div>
  )
}

/** The form, and with it the focused element, is gone. */
function scrollToHeading(): void {
  scrollTo(0, 0)
  focusHeading()
}

function ConnectionLost({ onAskAgain }: { onAskAgain(): void }) {
  const { t } = useI18n()
  const button = (
    <button type="button" className="btn btn-primary" onClick={onAskAgain}>
      {t('ask_again')}
    </button>
  )
  return (
    <Notice tone="warn" role="alert" action={button}>
      <strong className="block">{t('unsure_title')}</strong>
      {t('unsure_text')}
    </Notice>
  )
}

const ALTERNATIVES = 5

/** Alternatives named by the service, or others of the same search if a price check found the room sold out. */
function useAlternatives({ searchId, propertyId }: Checkout, named: readonly Summary[]): readonly Summary[] {
  const { data = [] } = useQuery({
    queryKey: ['alternatives', searchId],
    queryFn: () => fetchFirstResults(searchId, ALTERNATIVES + 1),
    enabled: named.length === 0,
  })
  if (named.length > 0) return named
  return data.filter(({ property_id }) => property_id !== propertyId).slice(0, ALTERNATIVES)
}

type SoldOutProps = { checkout: Checkout; named: readonly Summary[] }

function SoldOut({ checkout, named }: SoldOutProps) {
  const { t, placeName } = useI18n()
  const alternatives = useAlternatives(checkout, named)
  const { search, searchParams } = new URL(checkout.propertyAddress, location.origin)
  // Distances are from the property itself if it was searched for alone.
  const [place] = searchParams.has('search_id')
    ? placeName(searchParams.get('place') ?? '').split(', ')
    : [checkout.property.name]
  useEffect(scrollToHeading, [])
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <h1 className="text-3xl">{t('sold_out_title')}</h1>
      <p role="alert">{t('sold_out_text')}</p>
      <p>
        <a className="btn btn-quiet" href={checkout.propertyAddress}>
          {t('sold_out_other_rooms', { name: checkout.property.name })}
        </a>
      </p>
      {alternatives.length > 0 && <h2 className="text-xl">{t('sold_out_alternatives')}</h2>}
      <ul className="flex flex-col gap-4">
        {alternatives.map((property) => (
          <li key={property.property_id}>
            <PropertyCard
              property={property}
              nights={checkout.nights}
              rooms={checkout.rooms.length}
              href={`/property/${encodeURIComponent(property.property_id)}${search}`}
              place={place ?? ''}
              zone={checkout.property.timezone}
              eager={false}
              isMarked={false}
              onMark={() => undefined}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
