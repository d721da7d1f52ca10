import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { isUnsettled } from '../../bookings/poll-booking.ts'
import { Failure } from '../../ui/failure.tsx'
import { ActionButton, Done } from '../parts/action-button.tsx'
import { BookingState } from '../parts/booking-state.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { askVendor, sendMail } from './actions.ts'
import { AgreedBlock, ReferencesBlock, StayFactsBlock } from './booking-blocks.tsx'
import type { BookingFile } from './booking-file.ts'
import { CancelButton } from './cancel-button.tsx'
import { DeliveriesBlock, MailsBlock, VendorCallsBlock } from './record-blocks.tsx'
import { ResolveButton } from './resolve-button.tsx'
import { Timeline } from './timeline.tsx'

const POLL_MS = 5_000

/** A booking with its records and the operator's actions. */
export function BookingView({ id }: { id: string }) {
  const client = useQueryClient()
  const [result, setResult] = useState<{ what: string; time: number }>()
  const file = useQuery({
    queryKey: ['console', 'booking', id],
    queryFn: () => callApi(serai.operator.bookingsShow({ booking_id: id })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isUnsettled(state.data.booking.status) ? POLL_MS : false),
  })
  const done = (what: string) => {
    setResult({ what, time: Date.now() })
    void client.invalidateQueries({ queryKey: ['console'] })
  }
  const { data } = file
  return (
    <ConsolePage
      title={data === undefined ? 'Booking' : data.booking.property.name}
      focusKey={data === undefined ? 'loading' : 'shown'}
      intro={
        <a className="link" href="/console/bookings">
          All bookings
        </a>
      }
    >
      {file.isPending && <p className="text-muted">Loading …</p>}
      {file.isError && data === undefined && <Failure error={file.error} onRetry={() => file.refetch()} />}
      {data !== undefined && (
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap gap-2">
            <BookingState booking={data.booking} />
          </div>
          {result !== undefined && <Done key={result.time} what={result.what} />}
          <Actions file={data} onDone={done} />
          <Records file={data} onDone={done} />
        </div>
      )}
    </ConsolePage>
  )
}

type Props = { file: BookingFile; onDone(what: string): void }

function Records({ file, onDone }: Props) {
  return (
    <>
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <StayFactsBlock booking={file.booking} />
        <ReferencesBlock file={file} />
      </div>
      <AgreedBlock file={file} />
      <Timeline file={file} />
      <VendorCallsBlock calls={file.vendor_calls} />
      <DeliveriesBlock deliveries={file.deliveries} onDone={onDone} />
      <MailsBlock mails={file.mails} bookingId={file.booking.booking_id} onDone={onDone} />
    </>
  )
}

const FINAL_STATUSES: readonly string[] = ['rejected', 'cancelled']

function Actions({ file: { booking }, onDone }: Props) {
  const id = booking.booking_id
  const { status } = booking
  return (
    <div className="flex flex-wrap items-start gap-2">
      {status === 'needs_review' && <ResolveButton bookingId={id} look="primary" onDone={onDone} />}
      {!FINAL_STATUSES.includes(status) && (
        <ActionButton label="Ask the vendor now" run={() => askVendor(id)} onDone={onDone} />
      )}
      {status === 'confirmed' && (
        <a
          className="btn btn-quiet"
          href={`/api/operator/bookings/${encodeURIComponent(id)}/voucher`}
          target="_blank"
          rel="noreferrer"
        >
          Voucher (new tab)
        </a>
      )}
      {!isUnsettled(status) && (
        <ActionButton
          label="Mail the guest again"
          confirm={{ title: 'Mail the guest again', text: 'The mail contains the current status of the booking.' }}
          run={() => sendMail(id, null)}
          onDone={onDone}
        />
      )}
      {status === 'confirmed' && <CancelButton bookingId={id} onDone={onDone} />}
    </div>
  )
}
