import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { Modal } from '../../ui/modal.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { FormButtons } from '../parts/form-buttons.tsx'
import { ReasonField } from '../parts/reason-field.tsx'

type Booking = components['schemas']['OperatorBooking']
type Resolution = components['schemas']['ResolveRequest']['status']

const RESOLUTIONS: readonly (readonly [Resolution, string])[] = [
  ['confirmed', 'Confirmed: the vendor has the booking and expects the guest'],
  ['rejected', 'Rejected: the vendor never had it'],
  ['cancelled', 'Cancelled: the vendor had it and has cancelled it'],
]

type Props = { bookingId: string; look?: 'primary' | 'quiet'; onDone(what: string): void }

/** Records the outcome of a booking that needs review. */
export function ResolveButton({ bookingId, look = 'quiet', onDone }: Props) {
  const [isOpen, setOpen] = useState(false)
  const booking = useQuery({
    queryKey: ['console', 'booking', bookingId],
    queryFn: () => callApi(serai.operator.bookingsShow({ booking_id: bookingId })),
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
  const isComplete = status !== undefined && reason.trim() !== '' && (!needsReference || reference.trim() !== '')
  const someCancelled = status === 'confirmed' && rooms.some(Boolean)
  const resolve = useMutation({
    mutationFn: (to: Resolution) =>
      callApi(
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
    if (isComplete && status !== undefined && !resolve.isPending) resolve.mutate(status)
  }
  return {
    ...{ status, setStatus, reference, setReference, rooms, setRooms, reason, setReason },
    ...{ isTried, needsReference, resolve, submit },
  }
}

function ResolveForm(props: FormProps) {
  const { booking } = props
  const form = useResolveForm(props)
  const missing = (isMissing: boolean, message: string) => (form.isTried && isMissing ? message : undefined)
  return (
    <form className="flex flex-col gap-4 text-sm" onSubmit={form.submit}>
      <p>
        Nothing is sent to {booking.vendor_id}. Settle the booking there first, using our reference {booking.reference}.
      </p>
      <fieldset>
        <legend className="field-label">Outcome</legend>
        {RESOLUTIONS.map(([value, text]) => (
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
        {form.isTried && form.status === undefined && <p className="field-error">Choose an outcome.</p>}
      </fieldset>
      {form.status === 'confirmed' && booking.rooms.length > 1 && (
        <CancelledRooms rooms={form.rooms} onRooms={form.setRooms} />
      )}
      <TextField
        id="vendor-reference"
        label={form.needsReference ? 'Vendor reference' : 'Vendor reference, if it has changed'}
        value={form.reference}
        onValue={form.setReference}
        error={missing(
          form.needsReference && form.reference.trim() === '',
          'A confirmed booking needs a vendor reference.',
        )}
        autoComplete="off"
        maxLength={100}
      />
      <ReasonField
        id="resolve-reason"
        hint="Visible to the customer in the history, and kept in the audit log."
        value={form.reason}
        onValue={form.setReason}
        error={missing(form.reason.trim() === '', 'Enter a reason.')}
        maxLength={200}
      />
      {form.resolve.isError && <ProblemNotice error={form.resolve.error} />}
      <FormButtons label="Record the outcome" busy={form.resolve.isPending} onClose={props.onClose} />
    </form>
  )
}

type RoomsProps = { rooms: readonly boolean[]; onRooms(rooms: boolean[]): void }

function CancelledRooms({ rooms, onRooms }: RoomsProps) {
  return (
    <fieldset>
      <legend className="field-label">Which rooms are cancelled?</legend>
      {rooms.map((isCancelled, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rooms have no id
        <label key={index} className="flex min-h-11 items-center gap-2">
          <input
            type="checkbox"
            checked={isCancelled}
            onChange={() => onRooms(rooms.map((value, i) => (i === index ? !value : value)))}
          />
          Room {index + 1}
        </label>
      ))}
    </fieldset>
  )
}
