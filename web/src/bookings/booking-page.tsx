import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { closeBooking, fetchBooking } from '../api/operations.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import type { Booking } from '../api/shapes.ts'
import { navigate, useAddress } from '../browser/router.ts'
import { readCheckout } from '../checkout/checkout.ts'
import type { MessageKey } from '../i18n/en.ts'
import { type I18n, useI18n } from '../i18n/i18n.tsx'
import { usePaymentText } from '../payment/booked-payment.tsx'
import { isOpened, readLinkToken } from '../session/opened-booking.ts'
import { askForSignIn, useSession } from '../session/session.ts'
import { usePageConfig } from '../session/use-page-config.ts'
import { SimulatedTag } from '../ui/badges.tsx'
import { Failure } from '../ui/failure.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Picture } from '../ui/picture.tsx'
import {
  HistoryBlock,
  NoticesBlock,
  PriceBlock,
  PropertyBlock,
  References,
  StayBlock,
  TermsBlock,
} from './booking-facts.tsx'
import { downloadCalendar, downloadReceipt, downloadVoucher } from './booking-files.ts'
import { StatusTag } from './booking-status.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { FindBooking } from './find-booking.tsx'
import { wasJustConfirmed } from './just-confirmed.ts'
import { getPollInterval, isUnsettled, mayPoll } from './poll-booking.ts'
import { useIsSimulated } from './use-is-simulated.ts'

/** One page for every state of a booking: confirmation, waiting for the vendor, cancelling. */
export default function BookingPage({ id }: { id: string }) {
  const { t } = useI18n()
  const booking = useQuery({
    queryKey: ['booking', id],
    queryFn: () => fetchBooking(id),
    staleTime: 0,
    // It may have been cancelled in another tab.
    refetchOnWindowFocus: ({ state }) => mayPoll(state),
    refetchInterval: ({ state }) => getPollInterval(state),
  })
  const title = booking.data === undefined ? t('bookings_title') : pageTitle(booking.data, t)
  return (
    <Page title={title} focusKey={focusStage(booking.data)}>
      {booking.data !== undefined && <BookingView booking={booking.data} />}
      {booking.isPending && (
        <div aria-busy="true">
          <h1 className="skeleton mb-6 h-12 w-2/3 text-transparent">{t('loading')}</h1>
          <div className="skeleton h-72 rounded-lg" />
        </div>
      )}
      {booking.isError && booking.data === undefined && (
        <>
          <h1 className="mb-6 text-3xl">{t('bookings_title')}</h1>
          {isInvalidLink(booking.error) ? (
            <Notice tone="warn" role="alert">
              {t('link_invalid')}
            </Notice>
          ) : (
            <LoadFailure error={booking.error} onRetry={() => booking.refetch()} />
          )}
          <SignInToSee />
          <FindBooking />
        </>
      )}
    </Page>
  )
}

/** Asking again does not find a booking of another account. */
function LoadFailure({ error, onRetry }: { error: Error; onRetry(): void }) {
  const isUnknown = error instanceof ApiProblem && error.code === 'booking_not_found'
  return isUnknown ? <ProblemNotice error={error} /> : <Failure error={error} onRetry={onRetry} />
}

/** The booking may belong to an account. */
function SignInToSee() {
  const { t } = useI18n()
  const { session } = useSession()
  if (session?.account != null) return null
  return (
    <button type="button" className="btn btn-primary mt-4" onClick={askForSignIn}>
      {t('sign_in')}
    </button>
  )
}

/** The token stays in the address until the booking is open. */
const isInvalidLink = (error: Error): boolean =>
  readLinkToken() !== undefined && error instanceof ApiProblem && error.code === 'booking_not_found'

/** Moves focus when the booking is loaded or cancelled, because the focused element is gone. Other updates keep it. */
const focusStage = (booking: Booking | undefined): string =>
  booking === undefined ? 'loading' : /^cancel/.test(booking.status) ? 'cancelled' : 'shown'

const TITLES: Record<Booking['status'], MessageKey> = {
  pending: 'doubt_title',
  submitting: 'doubt_title',
  in_doubt: 'doubt_title',
  confirmed: 'confirmed_title',
  rejected: 'rejected_title',
  needs_review: 'review_title',
  cancelling: 'cancelling_title',
  cancelled: 'cancelled_title',
}
const pageTitle = ({ status, occupancies }: Booking, t: I18n['t']): string =>
  t(TITLES[status], { n: occupancies.length })

function useStatusText(booking: Booking): string {
  const { t, money } = useI18n()
  const sendsMail = usePageConfig().data?.mail === true && !booking.simulated && wasJustConfirmed(booking)
  switch (booking.status) {
    case 'confirmed':
      return sendsMail && booking.contact.email !== undefined
        ? `${t('confirmed_text')} ${t('mail_text', { email: booking.contact.email })}`
        : t('confirmed_text')
    case 'rejected':
      return t('rejected_text')
    case 'needs_review':
      return t('review_text')
    case 'cancelling':
      return t('cancelling_text')
    case 'cancelled': {
      const { penalty, refund, currency } = booking.cancellation ?? {
        penalty: 0,
        refund: 0,
        currency: booking.currency,
      }
      return booking.cancellation === null
        ? ''
        : t('cancelled_text', { penalty: money(penalty, currency), refund: money(refund, currency) })
    }
    default:
      return t('doubt_text')
  }
}

function BookingView({ booking }: { booking: Booking }) {
  const { t } = useI18n()
  const client = useQueryClient()
  const [cancels, setCancels] = useState(false)
  const isSimulated = useIsSimulated(booking)
  const readAgain = () => {
    void client.invalidateQueries({ queryKey: ['booking', booking.booking_id] })
    void client.invalidateQueries({ queryKey: ['bookings'] })
  }
  return (
    <div className="flex flex-col gap-6">
      <StatusHeader booking={booking} />
      <OpenedByLink id={booking.booking_id} />
      <PriceFell booking={booking} />
      <div className="flex flex-wrap items-end justify-between gap-4">
        <References booking={booking} />
        <Actions booking={booking} onCancel={() => setCancels(true)} />
      </div>
      {isSimulated && <Notice tone="info">{t('simulated_booking')}</Notice>}
      <Differences booking={booking} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <div className="flex flex-col gap-6">
          <StayBlock booking={booking} />
          <PropertyBlock booking={booking} />
          <NoticesBlock booking={booking} />
        </div>
        <div className="flex flex-col gap-6">
          {booking.status !== 'rejected' && <PriceBlock booking={booking} />}
          <TermsBlock booking={booking} />
          <HistoryBlock booking={booking} />
        </div>
      </div>
      {cancels && booking.status === 'confirmed' && (
        <CancelDialog
          booking={booking}
          onClose={() => setCancels(false)}
          onDone={() => {
            setCancels(false)
            readAgain()
          }}
          onLost={readAgain}
        />
      )}
    </div>
  )
}

/** Tells that the link permits this booking only, and closes it, for example on a shared computer. */
function OpenedByLink({ id }: { id: string }) {
  const { t } = useI18n()
  const client = useQueryClient()
  const close = useMutation({
    mutationFn: () => closeBooking(id),
    onSuccess() {
      navigate('/')
      client.removeQueries({ queryKey: ['booking', id] })
    },
  })
  if (!isOpened(id)) return null
  const button = (
    <button type="button" className="link min-h-8" onClick={() => close.mutate()}>
      {t('opened_close')}
    </button>
  )
  return (
    <div className="no-print">
      <Notice tone="info" action={button}>
        {t('opened_by_link')}
      </Notice>
      {close.isError && <ProblemNotice error={close.error} />}
    </div>
  )
}

/** Open discrepancies with the vendor, which are still being resolved. */
function Differences({ booking }: { booking: Booking }) {
  const { t } = useI18n()
  const open = booking.discrepancies.filter(({ until }) => until === null)
  if (open.length === 0 || booking.status === 'cancelled') return null
  return (
    <Notice tone="warn" role="status">
      <strong className="block">{t('differs_title')}</strong>
      <ul>
        {open.map(({ code }) => (
          <li key={code}>{t(`differs_${code}`)}</li>
        ))}
      </ul>
    </Notice>
  )
}

function StatusHeader({ booking }: { booking: Booking }) {
  const { t, day } = useI18n()
  const text = useStatusText(booking)
  const paymentText = usePaymentText(booking)
  const isSimulated = useIsSimulated(booking)
  return (
    <header className="on-night relative overflow-hidden rounded-lg bg-night p-6 text-parchment sm:p-8 md:pr-[38%] print:bg-transparent print:p-0 print:text-ink">
      <Picture
        src={booking.property.image}
        alt=""
        eager
        className="absolute inset-y-0 right-0 h-full w-[38%] [mask-image:linear-gradient(to_right,transparent,black_45%)] max-md:hidden print:hidden"
      />
      <span className="flex gap-1.5">
        {/* The title of a cancelled booking has the same word. */}
        {booking.status !== 'cancelled' && <StatusTag status={booking.status} />}
        {isSimulated && <SimulatedTag />}
      </span>
      <h1 className="mt-3 text-3xl">{pageTitle(booking, t)}</h1>
      <p className="mt-1 text-lg opacity-90">
        <bdi>{booking.property.name}</bdi> · {day(booking.check_in)} – {day(booking.check_out)}
      </p>
      <p className="mt-2 max-w-[52ch] opacity-90" role="status">
        {text}
      </p>
      {paymentText !== undefined && (
        <p className="mt-2 max-w-[52ch] font-semibold" role="status" data-testid="payment">
          {paymentText}
        </p>
      )}
      {isUnsettled(booking.status) && (
        <>
          <p className="mt-4 text-sm opacity-90">{t('doubt_live')}</p>
          <span className="mt-2 block h-1 max-w-80 overflow-hidden rounded-full bg-parchment/20" aria-hidden="true">
            <span className="block h-full w-2/5 animate-[slide_1.6s_ease-in-out_infinite] rounded-full bg-parchment" />
          </span>
        </>
      )}
    </header>
  )
}

/** Tells the guest that the price fell between choosing and booking; the lower price is charged. */
function PriceFell({ booking }: { booking: Booking }) {
  const { t, money } = useI18n()
  const { query } = useAddress()
  const checkout = readCheckout(query.get('from') ?? '')
  const shown = checkout?.chosen
  if (shown === undefined || shown.currency !== booking.currency || booking.total_price >= shown.total) return null
  return (
    <Notice tone="good">
      {t('price_fell', {
        old: money(shown.total, booking.currency),
        now: money(booking.total_price, booking.currency),
      })}
    </Notice>
  )
}

function Actions({ booking, onCancel }: { booking: Booking; onCancel(): void }) {
  const { t } = useI18n()
  if (booking.status === 'rejected')
    return (
      <a className="btn btn-primary no-print" href="/">
        {t('search_again')}
      </a>
    )
  if (booking.status !== 'confirmed') return <ReceiptButton booking={booking} />
  return (
    <div className="no-print grid gap-2 max-sm:w-full sm:flex sm:flex-wrap">
      <FileButton className="btn-primary" icon="print" download={() => downloadVoucher(booking)}>
        {t('voucher')}
      </FileButton>
      <ReceiptButton booking={booking} />
      <FileButton className="btn-quiet" icon="calendar" download={() => downloadCalendar(booking)}>
        {t('add_to_calendar')}
      </FileButton>
      <button type="button" className="btn btn-quiet" onClick={() => print()}>
        <Icon name="print" className="size-4" />
        {t('print')}
      </button>
      <button type="button" className="btn btn-quiet text-bad" onClick={onCancel}>
        {t('cancel_booking')}
      </button>
    </div>
  )
}

/** Only if something was charged to a card. */
function ReceiptButton({ booking }: { booking: Booking }) {
  const { t } = useI18n()
  if ((booking.payment?.captured ?? 0) === 0) return null
  return (
    <FileButton className="btn-quiet" icon="wallet" download={() => downloadReceipt(booking)}>
      {t('receipt')}
    </FileButton>
  )
}

type FileButtonProps = { className: string; icon: IconName; download(): Promise<void>; children: ReactNode }

function FileButton({ className, icon, download: fetchFile, children }: FileButtonProps) {
  const download = useMutation({ mutationFn: fetchFile })
  return (
    <div>
      <button
        type="button"
        className={`btn ${className} w-full sm:w-auto`}
        aria-disabled={download.isPending}
        onClick={() => !download.isPending && download.mutate()}
      >
        <Icon name={icon} className="size-4" />
        {children}
      </button>
      {download.isError && !(download.error instanceof SignInDeclined) && <ProblemNotice error={download.error} />}
    </div>
  )
}
