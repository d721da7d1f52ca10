import { getLocalTimeZone, today } from '@internationalized/date'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BookingListName, listBookings } from '../api/operations.ts'
import type { Booking } from '../api/shapes.ts'
import { useAddress } from '../browser/router.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Money } from '../offer/price.tsx'
import { askForSignIn, useSession } from '../session/session.ts'
import { SimulatedTag } from '../ui/badges.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Failure } from '../ui/failure.tsx'
import { Page } from '../ui/page.tsx'
import { Picture } from '../ui/picture.tsx'
import { StatusTag } from './booking-status.tsx'
import { FindBooking } from './find-booking.tsx'
import { useIsSimulated } from './use-is-simulated.ts'

const LISTS = ['upcoming', 'past', 'cancelled'] as const satisfies readonly BookingListName[]

export default function BookingsPage() {
  const { t } = useI18n()
  const { query } = useAddress()
  const { session } = useSession()
  const name = LISTS.find((each) => each === query.get('show')) ?? 'upcoming'
  return (
    <Page title={t('bookings_title')} className="wrap max-w-4xl py-8">
      <h1 className="mb-4 text-3xl">{t('bookings_title')}</h1>
      <nav className="mb-5 flex flex-wrap gap-2" aria-label={t('bookings_title')}>
        {LISTS.map((each) => (
          <a
            key={each}
            href={each === 'upcoming' ? '/bookings' : `/bookings?show=${each}`}
            aria-current={each === name ? 'page' : undefined}
            className="btn btn-quiet rounded-full max-xs:px-3 aria-[current]:border-accent aria-[current]:bg-accent-wash aria-[current]:text-accent-strong"
          >
            {t(`bookings_${each}`)}
          </a>
        ))}
      </nav>
      <BookingList key={`${name} ${session?.account.id}`} name={name} isSignedIn={session !== undefined} />
      <FindBooking />
    </Page>
  )
}

function BookingList({ name, isSignedIn }: { name: BookingListName; isSignedIn: boolean }) {
  const { t } = useI18n()
  const [day] = useState(() => today(getLocalTimeZone()).toString())
  const list = useInfiniteQuery({
    queryKey: ['bookings', name, day, isSignedIn],
    queryFn: ({ pageParam }) => listBookings(name, day, pageParam),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.more ? pages.length + 1 : undefined),
    staleTime: 0,
  })
  const bookings = list.data?.pages.flatMap((page) => page.bookings) ?? []
  return (
    <>
      {list.isPending && (
        <div className="flex flex-col gap-4" aria-hidden="true">
          <div className="skeleton h-36 rounded-lg" />
          <div className="skeleton h-36 rounded-lg" />
        </div>
      )}
      {list.isError && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.isSuccess && bookings.length === 0 && !isSignedIn && <SignedOut />}
      {list.isSuccess && bookings.length === 0 && isSignedIn && (
        <EmptyState title={t(`none_${name}`)} text={t('bookings_empty_text')}>
          <a className="btn btn-primary" href="/">
            {t('search')}
          </a>
        </EmptyState>
      )}
      <ul className="flex flex-col gap-4">
        {bookings.map((booking) => (
          <li key={booking.booking_id}>
            <BookingRow booking={booking} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <button
          type="button"
          className="btn btn-quiet mt-5 w-full"
          aria-disabled={list.isFetchingNextPage}
          onClick={() => !list.isFetchingNextPage && list.fetchNextPage()}
        >
          {t('bookings_more')}
        </button>
      )}
    </>
  )
}

/** A guest's list has only the bookings of this browser. */
function SignedOut() {
  const { t } = useI18n()
  return (
    <EmptyState title={t('bookings_signed_out_title')} text={t('bookings_signed_out_text')}>
      <button type="button" className="btn btn-primary" onClick={askForSignIn}>
        {t('sign_in')}
      </button>
    </EmptyState>
  )
}

function BookingRow({ booking }: { booking: Booking }) {
  const { t, day } = useI18n()
  const { property } = booking
  const isSimulated = useIsSimulated(booking)
  return (
    <article className="card group relative grid grid-cols-[6rem_minmax(0,1fr)] overflow-hidden hover:shadow-lift sm:grid-cols-[11rem_minmax(0,1fr)]">
      <Picture src={property.image} alt="" className="h-full min-h-32 w-full" />
      <div className="grid gap-2 p-4 sm:grid-cols-[1fr_auto]">
        <div className="min-w-0">
          <span className="flex flex-wrap gap-1.5">
            <StatusTag status={booking.status} />
            {isSimulated && <SimulatedTag />}
          </span>
          <h2 className="mt-1.5 text-lg leading-snug">
            <a
              href={`/bookings/${encodeURIComponent(booking.booking_id)}`}
              className="after:absolute after:inset-0 hover:text-accent"
            >
              {property.name}
            </a>
          </h2>
          <p className="text-sm text-muted">
            {day(booking.check_in)} – {day(booking.check_out)}
            <span className="max-sm:hidden"> · </span>
            <span className="max-sm:block">{t('nights', { n: booking.nights })}</span>
          </p>
          <p className="text-sm text-muted sm:truncate">{booking.room.room_type_name}</p>
        </div>
        <div className="sm:text-right">
          <Money
            amount={booking.total_price}
            currency={booking.currency}
            className="font-serif text-lg font-semibold"
          />
          <p className="font-mono text-xs text-muted">{booking.reference}</p>
        </div>
      </div>
    </article>
  )
}
