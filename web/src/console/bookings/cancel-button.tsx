import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { readRisenFee } from '../../api/risen-fee.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { Form, FormProblem, useForm } from '../../ui/form.tsx'
import { Modal } from '../../ui/modal.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { ifEmpty } from '../parts/checks.ts'
import { NO_REASON, ReasonField } from '../parts/reason-field.tsx'

type Props = { bookingId: string; onDone(what: string): void }

/** Cancels a booking on behalf of its account. Shows the fee first; a higher fee is never charged. */
export function CancelButton({ bookingId, onDone }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <button type="button" className="btn btn-quiet text-bad" onClick={() => setOpen(true)}>
        Cancel the booking
      </button>
      <Modal title="Cancel the booking" isOpen={isOpen} onClose={() => setOpen(false)}>
        <CancelForm
          bookingId={bookingId}
          onClose={() => setOpen(false)}
          onDone={(what) => {
            setOpen(false)
            onDone(what)
          }}
        />
      </Modal>
    </div>
  )
}

function CancelForm({ bookingId, onClose, onDone }: Props & { onClose(): void }) {
  const { money } = useI18n()
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const preview = useQuery({
    queryKey: ['console', 'cancel-preview', bookingId],
    queryFn: () => callApi(serai.operator.bookingsCancel({ booking_id: bookingId, preview: true, reason: null })),
    gcTime: 0,
    staleTime: 0,
  })
  const cancel = useMutation({
    mutationFn: (penalty: number) =>
      callApi(
        serai.operator.bookingsCancel({
          booking_id: bookingId,
          accept_penalty_up_to: String(penalty),
          reason: reason.trim(),
        }),
      ),
    onError: (error) => {
      // Shows a higher fee before asking again. After any other error the booking may have been cancelled.
      if (readRisenFee(error) !== undefined) void preview.refetch()
      else void client.invalidateQueries({ queryKey: ['console', 'booking', bookingId] })
    },
    onSuccess: ({ status, penalty, currency }) =>
      onDone(
        status === 'cancelled'
          ? `Cancelled. The fee is ${money(penalty, currency)}.`
          : 'The cancellation was sent; the vendor has not confirmed it yet. The service keeps asking.',
      ),
  })
  const risen = readRisenFee(cancel.error)
  const isBusy = cancel.isPending || preview.isFetching
  const form = useForm({
    isBusy,
    error: risen === undefined ? cancel.error : null,
    check: () => ({ reason: ifEmpty(reason, NO_REASON) }),
    send: () => preview.data && cancel.mutate(preview.data.penalty),
  })
  if (preview.isPending) return <p className="text-muted">Checking the cancellation fee …</p>
  if (preview.isError) return <ProblemNotice error={preview.error} onRetry={() => preview.refetch()} />
  const { penalty, refund, currency } = preview.data
  return (
    <Form form={form} className="flex flex-col gap-4 text-sm">
      {risen && (
        <Notice tone="warn" role="alert">
          {`The fee has risen from ${money(risen.shown.amount, currency)} to ${money(risen.now.amount, currency)} since it was shown. Nothing was cancelled.`}
        </Notice>
      )}
      <Notice tone={penalty === 0 ? 'good' : 'warn'}>
        {penalty === 0 ? 'Cancellation is free now.' : `The account pays a fee of ${money(penalty, currency)}.`}
        {` ${money(refund, currency)} is refunded.`}
      </Notice>
      <ReasonField id="cancel-reason" name="reason" value={reason} onValue={setReason} />
      <FormProblem form={form} />
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn btn-quiet" onClick={onClose}>
          Keep it
        </button>
        <button type="submit" className="btn btn-danger" aria-disabled={isBusy}>
          {cancel.isPending ? 'Cancelling …' : 'Cancel it'}
        </button>
      </div>
    </Form>
  )
}
