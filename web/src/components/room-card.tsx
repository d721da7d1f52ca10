import { Fragment, useId, useState } from 'react'
import type { Room } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { amenityNames, type RateGroup, type RoomGroup } from '../state/room-groups.ts'
import { vendorName } from './badges.tsx'
import { CancelLine, CancelTimeline } from './cancel-terms.tsx'
import { Icon } from './icon.tsx'
import { NoticeList, noticesAt } from './notices.tsx'
import { OtherOffers } from './other-offers.tsx'
import { Picture } from './picture.tsx'
import { StayPrice } from './price.tsx'

const CHOICES_FIRST = 3

type Props = { group: RoomGroup; nights: number; onChoose(room: Room): void }

/** One room with its rates: a row for each board and cancellation, with the best price of all vendors. */
export function RoomCard({ group, nights, onChoose }: Props) {
  const { t } = useI18n()
  const [all, setAll] = useState(false)
  const heading = useId()
  const { room, type, rates } = group
  const shown = all ? rates : rates.slice(0, CHOICES_FIRST)
  const names = amenityNames(room.amenities)
  const picture = type.images[0] ?? room.images[0]
  return (
    <section className="card overflow-hidden lg:grid lg:grid-cols-[17rem_1fr]" aria-labelledby={heading}>
      <div className="border-line p-4 max-lg:border-b lg:border-r">
        <Picture
          src={picture?.lores ?? ''}
          alt={picture?.caption ?? ''}
          className="mb-3 aspect-[16/10] w-full rounded-md"
        />
        <h3 id={heading} className="text-lg leading-snug">
          {type.name}
        </h3>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
          {room.sleeps > 0 && <span>{t('sleeps', { n: room.sleeps })}</span>}
          {type.size.square_meters > 0 && <span>{t('square_metres', { n: type.size.square_meters })}</span>}
        </p>
        {names.length > 0 && <p className="mt-2 text-sm text-muted">{names.slice(0, 6).join(' · ')}</p>}
        {(room.description !== '' || names.length > 6) && (
          <details className="mt-2 text-sm">
            <summary className="link inline-block min-h-6">{t('room_details')}</summary>
            <div className="mt-2 text-muted">
              <p>{plainText(room.description)}</p>
              {names.length > 6 && <p className="mt-2">{names.join(' · ')}</p>}
            </div>
          </details>
        )}
      </div>
      <div className="min-w-0">
        <RateTable name={type.name} rates={shown} nights={nights} onChoose={onChoose} />
        {rates.length > CHOICES_FIRST && (
          <button type="button" className="btn-plain m-2 text-accent" onClick={() => setAll(!all)}>
            <Icon name="down" className={`size-4 ${all ? 'rotate-180' : ''}`} />
            {all ? t('fewer_choices') : t('more_choices', { n: rates.length - CHOICES_FIRST })}
          </button>
        )}
      </div>
    </section>
  )
}

type TableProps = { name: string; rates: readonly RateGroup[]; nights: number; onChoose(room: Room): void }

function RateTable({ name, rates, nights, onChoose }: TableProps) {
  const { t } = useI18n()
  return (
    <table className="w-full border-collapse text-left text-sm max-md:block">
      <caption className="sr-only">{name}</caption>
      <thead className="max-md:sr-only">
        <tr className="border-b border-line text-xs text-muted">
          {(['meals', 'cancellation', 'payment', 'price_stay'] as const).map((key) => (
            <th
              key={key}
              scope="col"
              className={`px-4 py-2.5 font-semibold ${key === 'price_stay' ? 'text-right' : ''}`}
            >
              {t(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rates.map((rate) => (
          <Fragment key={rate.key}>
            <RateRow
              room={rate.best}
              name={name}
              nights={nights}
              hasMore={rate.others.length > 0}
              onChoose={onChoose}
            />
            {rate.others.length > 0 && <OtherOffers rate={rate} onChoose={onChoose} />}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { room: Room; name: string; nights: number; hasMore?: boolean; onChoose(room: Room): void }

const CELL = 'align-top px-4 max-md:block max-md:py-1 md:py-4'

function RateRow({ room, name, nights, hasMore = false, onChoose }: RowProps) {
  const { t, money } = useI18n()
  const { total_inclusive: total, due_at_property: later, currency, cancel_policy: policy } = room
  return (
    <tr className={`border-line last:border-0 max-md:block max-md:pt-3 ${hasMore ? '' : 'border-b max-md:pb-3'}`}>
      <th scope="row" className={`${CELL} font-normal md:w-[26%]`}>
        <span className="font-semibold">{t(`board_${room.board}`)}</span>
        {room.beds.length > 0 && (
          <span className="mt-1 flex items-start gap-1.5 text-xs text-muted">
            <Icon name="bed" className="size-4" />
            {room.beds.join(', ')}
          </span>
        )}
        {room.extras.length > 0 && <span className="mt-1 block text-xs text-muted">{room.extras.join(' · ')}</span>}
        <RateNotices room={room} />
      </th>
      <td className={`${CELL} md:w-[28%]`}>
        <CancelLine policy={policy} charged={round(total - later)} />
        {policy.penalties.length > 0 && (
          <details className="mt-1 text-xs">
            <summary className="link inline-block min-h-6 py-0.5">{t('timeline')}</summary>
            <div className="mt-2">
              <CancelTimeline policy={policy} total={total} />
            </div>
          </details>
        )}
      </td>
      <td className={`${CELL} text-xs text-muted md:w-[20%]`}>
        {total > later && (
          <span className="block">{t('pay_on_account', { price: money(round(total - later), currency) })}</span>
        )}
        {later > 0 && <span className="block">{t('pay_at_property', { price: money(later, currency) })}</span>}
      </td>
      <td className={CELL}>
        <PriceAndButton room={room} name={name} nights={nights} onChoose={onChoose} />
      </td>
    </tr>
  )
}

/** Folded up: a rate may have a page of them. */
function RateNotices({ room }: { room: Room }) {
  const { t } = useI18n()
  const shown = noticesAt(room.notices, 'detail')
  if (shown.length === 0) return null
  return (
    <details className="mt-1 text-xs">
      <summary className="link inline-block min-h-6 py-0.5">{t('notices_count', { n: shown.length })}</summary>
      <div className="mt-2">
        <NoticeList notices={shown} />
      </div>
    </details>
  )
}

function PriceAndButton({ room, name, nights, onChoose }: RowProps) {
  const { t, money } = useI18n()
  const { total_inclusive: total, currency } = room
  const label = { room: name, board: t(`board_${room.board}`), price: money(total, currency) }
  return (
    <div className="flex items-start justify-end gap-x-5 gap-y-2 max-md:justify-between">
      <div>
        <StayPrice
          total={total}
          before={room.public_price}
          currency={currency}
          nights={nights}
          converted={room.converted_from !== null}
        />
        <p className="mt-1 text-right text-xs text-muted">
          {t('best_of', { n: 1, vendor: vendorName(room.vendor_id) })}
        </p>
        {room.rooms_left !== null && room.rooms_left <= 5 && (
          <p className="text-right text-xs whitespace-nowrap text-warn">
            {t('rooms_left_here', { n: room.rooms_left })}
          </p>
        )}
      </div>
      <button
        type="button"
        className="btn btn-primary max-md:order-2"
        aria-label={t('choose_label', label)}
        onClick={() => onChoose(room)}
      >
        {t('choose')}
      </button>
    </div>
  )
}

const round = (amount: number): number => Math.round(amount * 1000) / 1000

/** Vendors' texts contain paragraphs and line breaks only; these functions turn them into plain text. */
export const plainText = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .trim()

export const paragraphs = (markup: string): string[] =>
  markup
    .split(/<\/?p>|<br\s*\/?>/i)
    .map(plainText)
    .filter((text) => text !== '')
