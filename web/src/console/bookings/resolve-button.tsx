import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { formatVendorName } from '../../ui/badges.tsx'
import { Form, FormProblem, useFault, useForm } from '../../ui/form.tsx'
import { Modal } from '../../ui/modal.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ifEmpty } from '../parts/checks.ts'
import { FormButtons } from '../parts/form-buttons.tsx'
import { NO_REASON, ReasonField } from '../parts/reason-field.tsx'

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
  const needsReference = status === 'confirmed' && booking.vendor_reference === null
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
  const form = useForm({
    ...{ isBusy: resolve.isPending, error: resolve.error },
    check: () => ({
      status: status === undefined ? 'Choose an outcome.' : undefined,
      vendor_reference: needsReference
        ? ifEmpty(reference, 'A confirmed booking needs a vendor reference.')
        : undefined,
      reason: ifEmpty(reason, NO_REASON),
    }),
    send: () => status && resolve.mutate(status),
  })
  return {
    ...{ form, status, setStatus, reference, setReference, rooms, setRooms, reason, setReason },
    ...{ needsReference, resolve },
  }
}

function ResolveForm(props: FormProps) {
  const { booking } = props
  const { form, ...fields } = useResolveForm(props)
  return (
    <Form form={form} className="flex flex-col gap-4 text-sm">
      <p>
        Nothing is sent to {formatVendorName(booking.vendor_id)}. Settle the booking there first, using our reference{' '}
        {booking.reference}.
      </p>
      <Outcomes status={fields.status} onStatus={fields.setStatus} />
      {fields.status === 'confirmed' && booking.rooms.length > 1 && (
        <CancelledRooms rooms={fields.rooms} onRooms={fields.setRooms} />
      )}
      <TextField
        id="vendor-reference"
        name="vendor_reference"
        label={fields.needsReference ? 'Vendor reference' : 'Vendor reference, if it has changed'}
        value={fields.reference}
        onValue={fields.setReference}
        maxLength={100}
      />
      <ReasonField
        id="resolve-reason"
        name="reason"
        hint="Visible to the customer in the history, and kept in the audit log."
        value={fields.reason}
        onValue={fields.setReason}
        maxLength={200}
      />
      <FormProblem form={form} />
      <FormButtons label="Record the outcome" busy={fields.resolve.isPending} onClose={props.onClose} />
    </Form>
  )
}

type OutcomeProps = { status: Resolution | undefined; onStatus(status: Resolution): void }

function Outcomes({ status, onStatus }: OutcomeProps) {
  const { error, clear } = useFault('status')
  return (
    <fieldset>
      <legend className="field-label">Outcome</legend>
      {RESOLUTIONS.map(([value, text]) => (
        <label key={value} className="flex min-h-11 items-center gap-2">
          <input
            type="radio"
            name="status"
            value={value}
            checked={status === value}
            aria-describedby={error === undefined ? undefined : 'outcome-error'}
            data-fault={error === undefined ? undefined : true}
            onChange={() => {
              clear()
              onStatus(value)
            }}
          />
          {text}
        </label>
      ))}
      {error !== undefined && (
        <p id="outcome-error" className="field-error">
          {error}
        </p>
      )}
    </fieldset>
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
