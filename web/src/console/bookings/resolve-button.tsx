import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { resultOf, serai } from '../../api/client.ts'
import { Modal } from '../../ui/modal.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { FormButtons } from '../parts/form-buttons.tsx'
import { ReasonField } from '../parts/reason-field.tsx'

type Booking = components['schemas']['OperatorBooking']
type Resolution = components['schemas']['ResolveRequest']['status']

const ENDS: readonly (readonly [Resolution, string])[] = [
  ['confirmed', 'Confirmed: the vendor holds it, and the guest is expected'],
  ['rejected', 'Rejected: the vendor never had it'],
  ['cancelled', 'Cancelled: the vendor had it, and it is cancelled'],
]

type Props = { bookingId: string; look?: 'primary' | 'quiet'; onDone(what: string): void }

/** Records how a booking that needs a review ends. */
export function ResolveButton({ bookingId, look = 'quiet', onDone }: Props) {
  const [isOpen, setOpen] = useState(false)
  const booking = useQuery({
    queryKey: ['console', 'booking', bookingId],
    queryFn: () => resultOf(serai.operator.bookingsShow({ booking_id: bookingId })),
    enabled: isOpen,
  })
  return (
    <div>
      <button type="button" className={`btn btn-${look}`} onClick={() => setOpen(true)}>
        Resolve the review
      </button>
      <Modal title="Resolve the review" isOpen={isOpen} onClose={() => setOpen(false)}>
        {booking.isPending && <p className="text-muted">Loading …</p>}
        {booking.isError && <ProblemNotice error={booking.error} onRetry={() => booking.refetch()} />}
        {booking.data && (
          <ResolveForm
            booking={booking.data.booking}
            onClose={() => setOpen(false)}
            onDone={(what) => {
              setOpen(false)
              onDone(what)
            }}
          />
        )}
      </Modal>
    </div>
  )
}

type FormProps = { booking: Booking; onClose(): void; onDone(what: string): void }

function useResolveForm({ booking, onDone }: FormProps) {
  const [status, setStatus] = useState<Resolution>()
  const [reference, setReference] = useState('')
  const [rooms, setRooms] = useState(() => booking.rooms.map((room) => room.status === 'cancelled'))
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const needsReference = status === 'confirmed' && booking.vendor_reference === null
  const isWhole = status !== undefined && reason.trim() !== '' && (!needsReference || reference.trim() !== '')
  const someCancelled = status === 'confirmed' && rooms.some(Boolean)
  const resolve = useMutation({
    mutationFn: (to: Resolution) =>
      resultOf(
        serai.operator.bookingsResolve({
          booking_id: booking.booking_id,
          status: to,
          reason: reason.trim(),
          vendor_reference: reference.trim() === '' ? null : reference.trim(),
          rooms: someCancelled ? rooms.map((isCancelled) => (isCancelled ? 'cancelled' : 'confirmed')) : null,
        }),
      ),
    onSuccess: (after) => onDone(`Resolved: the booking is ${after.status}.`),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isWhole && status !== undefined && !resolve.isPending) resolve.mutate(status)
  }
  return {
    ...{ status, setStatus, reference, setReference, rooms, setRooms, reason, setReason },
    ...{ isTried, needsReference, resolve, submit },
  }
}

function ResolveForm(props: FormProps) {
  const { booking } = props
  const form = useResolveForm(props)
  const missing = (isMissing: boolean, words: string) => (form.isTried && isMissing ? words : undefined)
  return (
    <form className="flex flex-col gap-4 text-sm" onSubmit={form.submit}>
      <p>
        Nothing is sent to {booking.vendor_id}: settle it there first, under our reference {booking.reference}.
      </p>
      <fieldset>
        <legend className="field-label">How does it end?</legend>
        {ENDS.map(([value, text]) => (
          <label key={value} className="flex min-h-11 items-center gap-2">
            <input
              type="radio"
              name="resolution"
              value={value}
              checked={form.status === value}
              onChange={() => form.setStatus(value)}
            />
            {text}
          </label>
        ))}
        {form.isTried && form.status === undefined && <p className="field-error">Choose one.</p>}
      </fieldset>
      {form.status === 'confirmed' && booking.rooms.length > 1 && (
        <CancelledRooms rooms={form.rooms} onRooms={form.setRooms} />
      )}
      <TextField
        id="vendor-reference"
        label={form.needsReference ? 'The vendor’s reference' : 'The vendor’s reference, if it is another now'}
        value={form.reference}
        onValue={form.setReference}
        error={missing(form.needsReference && form.reference.trim() === '', 'A confirmed booking needs it.')}
        autoComplete="off"
        maxLength={100}
      />
      <ReasonField
        id="resolve-reason"
        hint="The customer sees it in the history; it is in the audit log too."
        value={form.reason}
        onValue={form.setReason}
        error={missing(form.reason.trim() === '', 'Say why.')}
        maxLength={200}
      />
      {form.resolve.isError && <ProblemNotice error={form.resolve.error} />}
      <FormButtons label="Record this" busy={form.resolve.isPending} onClose={props.onClose} />
    </form>
  )
}

type RoomsProps = { rooms: readonly boolean[]; onRooms(rooms: boolean[]): void }

function CancelledRooms({ rooms, onRooms }: RoomsProps) {
  return (
    <fieldset>
      <legend className="field-label">Which rooms are cancelled?</legend>
      {rooms.map((isCancelled, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a room is its place
        <label key={place} className="flex min-h-11 items-center gap-2">
          <input
            type="checkbox"
            checked={isCancelled}
            onChange={() => onRooms(rooms.map((one, at) => (at === place ? !one : one)))}
          />
          Room {place + 1}
        </label>
      ))}
    </fieldset>
  )
}
