import type { ReactNode } from 'react'
import type { Room, TermChange } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { chargeOf, dueNow } from '../offer/charge.ts'
import { Money } from '../offer/price.tsx'
import { useSession } from '../session/session.ts'
import { Modal } from '../ui/modal.tsx'
import { toExactChange } from './exact-change.ts'
import type { Attempt } from './use-booking-attempt.ts'

export type ChangedOffer = Extract<Attempt, { phase: 'changed' }>

type Props = {
  /** The room as it was shown before. */
  shown: Room
  attempt: ChangedOffer
  isPaid: boolean
  onAccept(): void
  onOther(): void
  onClose(): void
}

/** Compares the old and new terms before anything is booked. */
export function OfferChangedDialog({ shown, attempt, isPaid, onAccept, onOther, onClose }: Props) {
  const { t, money } = useI18n()
  const { room, wasSent, released } = attempt
  const changes = attempt.changes.map((change) => toExactChange(change, shown, room))
  const isPriceOnly = changes.length > 0 && changes.every(({ what }) => what === 'total_price')
  const charge = chargeOf(room)
  const acceptText = !wasSent ? 'price_continue' : isPaid ? 'pay_and_book' : 'price_accept'
  const price = money(acceptText === 'pay_and_book' ? dueNow(charge) : charge.total, charge.currency)
  return (
    <Modal
      title={t(isPriceOnly ? 'price_changed_title' : 'terms_changed_title')}
      isOpen
      onClose={onClose}
      role="alertdialog"
    >
      <p className="mb-4 text-muted">{t(isPriceOnly ? 'price_changed_text' : 'terms_changed_text')}</p>
      <div className="flex flex-col gap-3">
        {changes.map((change) =>
          change.what === 'total_price' ? (
            <PriceRows key={change.what} change={change} />
          ) : (
            <TermRows key={changeKey(change)} change={change} timezone={room.cancel_policy.timezone} />
          ),
        )}
      </div>
      {released && (
        <p className="mt-4 text-sm">{t('card_released', { price: money(released.amount, released.currency) })}</p>
      )}
      <div className="mt-5 flex flex-col gap-2 sm:flex-row-reverse">
        <button type="button" className="btn btn-primary flex-1" onClick={onAccept}>
          {t(acceptText, { price })}
        </button>
        <button type="button" className="btn btn-quiet flex-1" onClick={onOther}>
          {t('price_other_room')}
        </button>
      </div>
    </Modal>
  )
}

const changeKey = (change: TermChange) => (change.what === 'cancellation_fee' ? change.now.from : change.what)

const ROW = 'flex items-baseline justify-between gap-6'

function PriceRows({
  change,
}: {
  change: Extract<TermChange, { what: 'total_price' | 'due_now' | 'due_at_property' }>
}) {
  const { t } = useI18n()
  const { shown, now } = change
  const difference = Math.round((now.amount - shown.amount) * 1000) / 1000
  return (
    <dl className="flex flex-col gap-2 rounded-md bg-sunk p-4">
      <div className={ROW}>
        <dt>{t('price_old')}</dt>
        <dd>
          <Money amount={shown.amount} currency={shown.currency} className="text-muted line-through" />
        </dd>
      </div>
      <div className={`${ROW} font-serif text-xl font-semibold`}>
        <dt>{t('price_new')}</dt>
        <dd data-testid="new-price">
          <Money amount={now.amount} currency={now.currency} />
        </dd>
      </div>
      <div className={`${ROW} border-t border-line pt-2 ${difference > 0 ? 'text-bad' : 'text-good'}`}>
        <dt>{t('price_difference')}</dt>
        <dd className="figures">
          {difference > 0 ? '+' : '−'}
          <Money amount={Math.abs(difference)} currency={now.currency} />
        </dd>
      </div>
    </dl>
  )
}

function TermRows({ change, timezone }: { change: TermChange; timezone: string }) {
  const { t, moment } = useI18n()
  const { isCharged } = useSession()
  const title = change.what === 'due_now' && !isCharged ? 'price_due_seller' : (`change_${change.what}` as const)
  const from = change.what === 'cancellation_fee' ? { moment: moment(change.now.from, timezone) } : undefined
  return (
    <div className="rounded-md bg-sunk p-4" data-change={change.what}>
      <h3 className="mb-2 font-semibold">
        {t(title)}
        {from !== undefined && <span className="block text-sm text-muted">{t('timeline_from', from)}</span>}
      </h3>
      <dl className="flex flex-col gap-2">
        <div className={ROW}>
          <dt>{t('terms_old')}</dt>
          <dd className="text-muted line-through">
            <ChangeValue change={change} side="shown" />
          </dd>
        </div>
        <div className={`${ROW} font-semibold`}>
          <dt>{t('terms_new')}</dt>
          <dd>
            <ChangeValue change={change} side="now" />
          </dd>
        </div>
      </dl>
    </div>
  )
}

function ChangeValue({ change, side }: { change: TermChange; side: 'shown' | 'now' }): ReactNode {
  const { t } = useI18n()
  switch (change.what) {
    case 'refundable':
      return t(change[side] ? 'fully_refundable' : 'not_refundable')
    case 'board':
      return t(`board_${change[side]}`)
    case 'currency':
      return change[side]
    case 'notices':
      return <span className="whitespace-pre-line">{change[side].map(({ text }) => text).join('\n') || '–'}</span>
    default:
      return <Money amount={change[side].amount} currency={change[side].currency} />
  }
}
