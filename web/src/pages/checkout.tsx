import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { Summary } from '../api/shapes.ts'
import { GuestForm } from '../components/guest-form.tsx'
import { Icon } from '../components/icon.tsx'
import { Modal } from '../components/modal.tsx'
import { Notice, ProblemNotice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { Money } from '../components/price.tsx'
import { PropertyCard } from '../components/property-card.tsx'
import { Blank } from '../components/results-empty.tsx'
import { StaySummary } from '../components/stay-summary.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { type Checkout, keepCheckout, readCheckout } from '../state/checkout.ts'
import { navigate, useAddress } from '../state/router.ts'
import { type Attempt, useBookingAttempt } from '../state/use-booking-attempt.ts'

export default function CheckoutPage() {
  const { t } = useI18n()
  const { query } = useAddress()
  const id = query.get('id') ?? ''
  const [checkout, setCheckout] = useState(() => readCheckout(id))
  const bookingId = checkout?.bookingId
  // The back button after booking leads to the booking, never to a form that could book again.
  useEffect(() => {
    if (bookingId !== undefined) navigate(`/bookings/${bookingId}`, { replace: true })
  }, [bookingId])
  return (
    <Page title={t('checkout_title')}>
      {checkout === undefined ? (
        <>
          <h1 className="mb-6 text-3xl">{t('checkout_title')}</h1>
          <Blank title={t('checkout_gone_title')} words={t('checkout_gone_words')}>
            <a className="btn btn-primary" href="/">
              {t('to_start')}
            </a>
          </Blank>
        </>
      ) : (
        checkout.bookingId === undefined && <OpenCheckout checkout={checkout} onCheckout={setCheckout} />
      )}
    </Page>
  )
}

function OpenCheckout({ checkout, onCheckout }: { checkout: Checkout; onCheckout(checkout: Checkout): void }) {
  const { t } = useI18n()
  const change = useCallback(
    (next: Checkout) => {
      keepCheckout(next)
      onCheckout(next)
    },
    [onCheckout],
  )
  const { attempt, send, reset } = useBookingAttempt(checkout, onCheckout)
  const client = useQueryClient()
  const { searchId, propertyId } = checkout
  // A refused offer means that what we know of the house is old: it is fetched anew when looked at again.
  useEffect(() => {
    const isOld = ['price_changed', 'sold_out', 'offer_expired'].includes(attempt.phase)
    if (isOld) client.removeQueries({ queryKey: ['property', searchId, propertyId] })
  }, [attempt.phase, client, searchId, propertyId])

  if (attempt.phase === 'sold_out') return <SoldOut checkout={checkout} alternatives={attempt.alternatives} />
  if (attempt.phase === 'offer_expired')
    return (
      <Blank title={t('offer_expired_title')} words={t('offer_expired_words')}>
        <a className="btn btn-primary" href={checkout.propertyAddress}>
          {t('fresh_rooms')}
        </a>
      </Blank>
    )

  return (
    <>
      <a href={checkout.propertyAddress} className="link mb-3 inline-flex min-h-11 items-center gap-1.5 text-sm">
        <Icon name="left" className="size-4" />
        {t('price_other_room')}
      </a>
      <h1 className="mb-6 text-3xl">{t('checkout_title')}</h1>
      <div className="grid items-start gap-8 lg:grid-cols-[1fr_25rem]">
        <div className="flex flex-col gap-6 max-lg:order-2">
          {attempt.phase === 'refused' && <ProblemNotice error={attempt.problem} />}
          {attempt.phase === 'unsure' && (
            <Notice
              tone="warn"
              role="alert"
              action={
                <button type="button" className="btn btn-primary" onClick={() => send(checkout)}>
                  {t('ask_again')}
                </button>
              }
            >
              <strong className="block">{t('unsure_title')}</strong>
              {t('unsure_words')}
            </Notice>
          )}
          <GuestForm
            checkout={checkout}
            isBusy={attempt.phase === 'sending' || attempt.phase === 'unsure'}
            onChange={change}
            onSend={send}
          />
        </div>
        <StaySummary checkout={checkout} />
      </div>
      {attempt.phase === 'price_changed' && (
        <PriceChanged
          attempt={attempt}
          onAccept={() => send({ ...checkout, room: { ...checkout.room, ...attempt.room } })}
          onOther={() => navigate(checkout.propertyAddress)}
          onClose={() => {
            change({ ...checkout, room: { ...checkout.room, ...attempt.room } })
            reset()
          }}
        />
      )}
    </>
  )
}

type PriceChangedProps = {
  attempt: Extract<Attempt, { phase: 'price_changed' }>
  onAccept(): void
  onOther(): void
  onClose(): void
}

/** No price changes in silence: old, new and difference, before anything is booked. */
function PriceChanged({ attempt, onAccept, onOther, onClose }: PriceChangedProps) {
  const { t, money } = useI18n()
  const { oldTotal, newTotal, currency } = attempt
  const difference = Math.round((newTotal - oldTotal) * 1000) / 1000
  const row = 'flex items-baseline justify-between gap-6'
  return (
    <Modal title={t('price_changed_title')} isOpen onClose={onClose} role="alertdialog">
      <p className="mb-4 text-muted">{t('price_changed_words')}</p>
      <dl className="flex flex-col gap-2 rounded-md bg-sunk p-4">
        <div className={row}>
          <dt>{t('price_old')}</dt>
          <dd>
            <Money amount={oldTotal} currency={currency} className="text-muted line-through" />
          </dd>
        </div>
        <div className={`${row} font-serif text-xl font-semibold`}>
          <dt>{t('price_new')}</dt>
          <dd data-testid="new-price">
            <Money amount={newTotal} currency={currency} />
          </dd>
        </div>
        <div className={`${row} border-t border-line pt-2 ${difference > 0 ? 'text-bad' : 'text-good'}`}>
          <dt>{t('price_difference')}</dt>
          <dd className="figures">
            {difference > 0 ? '+' : '−'}
            <Money amount={Math.abs(difference)} currency={currency} />
          </dd>
        </div>
      </dl>
      <div className="mt-5 flex flex-col gap-2 sm:flex-row-reverse">
        <button type="button" className="btn btn-primary flex-1" onClick={onAccept}>
          {t('price_accept', { price: money(newTotal, currency) })}
        </button>
        <button type="button" className="btn btn-quiet flex-1" onClick={onOther}>
          {t('price_other_room')}
        </button>
      </div>
    </Modal>
  )
}

function SoldOut({ checkout, alternatives }: { checkout: Checkout; alternatives: readonly Summary[] }) {
  const { t } = useI18n()
  const query = new URL(checkout.propertyAddress, location.origin).search
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <h1 className="text-3xl">{t('sold_out_title')}</h1>
      <p role="alert">{t('sold_out_words')}</p>
      <p>
        <a className="btn btn-quiet" href={checkout.propertyAddress}>
          {t('sold_out_other_rooms', { name: checkout.property.name })}
        </a>
      </p>
      <h2 className="text-xl">{t('sold_out_alternatives')}</h2>
      <ul className="flex flex-col gap-4">
        {alternatives.map((property) => (
          <li key={property.property_id}>
            <PropertyCard
              property={property}
              nights={checkout.nights}
              href={`/property/${encodeURIComponent(property.property_id)}${query}`}
              place=""
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
