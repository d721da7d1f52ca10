import { useMutation, useQuery } from '@tanstack/react-query'
import { cancelForFee, previewCancelFee } from '../api/operations.ts'
import { ApiProblem, SignInDeclined } from '../api/problem.ts'
import { readRisenFee } from '../api/risen-fee.ts'
import type { Booking, CancelAnswer } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { bookedCharge, dueNow } from '../offer/charge.ts'
import { Money } from '../offer/price.tsx'
import { useCardName } from '../payment/booked-payment.tsx'
import { Failure } from '../ui/failure.tsx'
import { Modal } from '../ui/modal.tsx'
import { Notice, ProblemNotice } from '../ui/notice.tsx'
import { RefundWay } from './refund-way.tsx'

type Props = {
  booking: Booking
  onClose(): void
  onDone(): void
  /** Called if it is unknown whether the booking was cancelled. */
  onLost(): void
}

/** Shows the cancellation fee before asking for confirmation. */
export function CancelDialog({ booking, onClose, onDone, onLost }: Props) {
  const { t, money } = useI18n()
  const preview = useQuery({
    queryKey: ['cancel-preview', booking.booking_id],
    queryFn: () => previewCancelFee(booking.booking_id),
    gcTime: 0,
    staleTime: 0,
  })
  const cancel = useMutation({
    mutationFn: (penalty: number) => cancelForFee(booking.booking_id, penalty),
    onSuccess: onDone,
    onError(error) {
      // Shows a higher fee before asking again.
      if (readRisenFee(error) !== undefined) void preview.refetch()
      else if (error instanceof ApiProblem) onLost()
    },
  })
  const risen = readRisenFee(cancel.error)
  return (
    <Modal title={t('cancel_title')} isOpen onClose={onClose} role="alertdialog">
      {preview.isPending && <p className="min-h-32 text-muted">{t('cancel_checking')}</p>}
      {preview.isError && <Failure error={preview.error} onRetry={() => preview.refetch()} />}
      {risen && (
        <div className="mb-4">
          <Notice tone="warn" role="alert">
            {t('cancel_fee_risen', {
              shown: money(risen.shown.amount, risen.shown.currency),
              now: money(risen.now.amount, risen.now.currency),
            })}
          </Notice>
        </div>
      )}
      {preview.data && (
        <Answer
          booking={booking}
          cost={preview.data}
          isBusy={cancel.isPending || preview.isFetching}
          onKeep={onClose}
          onCancel={() => cancel.mutate(preview.data.penalty)}
        />
      )}
      {cancel.isError && risen === undefined && !(cancel.error instanceof SignInDeclined) && (
        <div className="mt-4">
          <ProblemNotice error={cancel.error} />
        </div>
      )}
    </Modal>
  )
}

type AnswerProps = { booking: Booking; cost: CancelAnswer; isBusy: boolean; onKeep(): void; onCancel(): void }

function Answer({ booking, cost, isBusy, onKeep, onCancel }: AnswerProps) {
  const { t, money } = useI18n()
  const cardName = useCardName()
  const { penalty, refund, currency } = cost
  const row = 'flex items-baseline justify-between gap-6'
  const unlessBusy = (run: () => void) => () => !isBusy && run()
  return (
    <>
      <Notice tone={penalty === 0 ? 'good' : 'warn'}>
        {penalty === 0
          ? t('cancel_free')
          : t('cancel_costs', {
              penalty: money(penalty, currency),
              price: money(dueNow(bookedCharge(booking)), booking.currency),
            })}
      </Notice>
      <dl className="my-4 flex flex-col gap-2 rounded-md bg-sunk p-4">
        <div className={row}>
          <dt>{t('cancel_penalty')}</dt>
          <dd>
            <Money amount={penalty} currency={currency} />
          </dd>
        </div>
        <div className={`${row} font-serif text-xl font-semibold`}>
          <dt>{t('cancel_refund')}</dt>
          <dd>
            <Money amount={refund} currency={currency} />
          </dd>
        </div>
      </dl>
      {refund > 0 && (
        <p className="mb-4 text-sm text-muted">
          {cost.payment === undefined ? (
            <RefundWay booking={booking} />
          ) : (
            t('cancel_refund_to', { card: cardName(cost.payment.to) })
          )}
        </p>
      )}
      <div className="flex flex-col gap-2 sm:flex-row-reverse">
        <button
          type="button"
          className="btn btn-danger flex-auto"
          aria-disabled={isBusy}
          onClick={unlessBusy(onCancel)}
        >
          {penalty === 0 ? t('cancel_confirm_free') : t('cancel_confirm', { penalty: money(penalty, currency) })}
        </button>
        <button type="button" className="btn btn-quiet flex-auto" aria-disabled={isBusy} onClick={unlessBusy(onKeep)}>
          {t('cancel_keep')}
        </button>
      </div>
    </>
  )
}
