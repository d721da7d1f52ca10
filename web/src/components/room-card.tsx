import { useId, useState } from 'react'
import type { Room } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { amenityNames, type RoomGroup } from '../state/room-groups.ts'
import { CancelLine, CancelTimeline } from './cancel-terms.tsx'
import { Icon } from './icon.tsx'
import { vendorName } from './marks.tsx'
import { Picture } from './picture.tsx'
import { StayPrice } from './price.tsx'

const CHOICES_FIRST = 3

type Props = { group: RoomGroup; nights: number; onChoose(room: Room): void }

/** One kind of room beside the ways to book it, row by row. */
export function RoomCard({ group, nights, onChoose }: Props) {
  const { t } = useI18n()
  const [all, setAll] = useState(false)
  const heading = useId()
  const { room, choices } = group
  const shown = all ? choices : choices.slice(0, CHOICES_FIRST)
  const names = amenityNames(room.amenities)
  return (
    <section className="card overflow-hidden lg:grid lg:grid-cols-[17rem_1fr]" aria-labelledby={heading}>
      <div className="border-line p-4 max-lg:border-b lg:border-r">
        <Picture
          src={room.images[0]?.lores ?? ''}
          alt={room.images[0]?.caption ?? ''}
          className="mb-3 aspect-[16/10] w-full rounded-md"
        />
        <h3 id={heading} className="text-lg leading-snug">
          {room.name}
        </h3>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
          <span>{t('sleeps', { n: room.sleeps })}</span>
          {room.size.square_meters > 0 && <span>{t('square_metres', { n: room.size.square_meters })}</span>}
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
        <RateTable name={room.name} choices={shown} nights={nights} onChoose={onChoose} />
        {choices.length > CHOICES_FIRST && (
          <button type="button" className="btn-plain m-2 text-accent" onClick={() => setAll(!all)}>
            <Icon name="down" className={`size-4 ${all ? 'rotate-180' : ''}`} />
            {all ? t('fewer_choices') : t('more_choices', { n: choices.length - CHOICES_FIRST })}
          </button>
        )}
      </div>
    </section>
  )
}

type TableProps = { name: string; choices: readonly Room[]; nights: number; onChoose(room: Room): void }

function RateTable({ name, choices, nights, onChoose }: TableProps) {
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
        {choices.map((room) => (
          <RateRow
            key={`${room.vendor_id}${room.booking_info.price_check_uri}`}
            room={room}
            nights={nights}
            onChoose={onChoose}
          />
        ))}
      </tbody>
    </table>
  )
}

function RateRow({ room, nights, onChoose }: { room: Room; nights: number; onChoose(room: Room): void }) {
  const { t, money } = useI18n()
  const { total_inclusive: total, due_at_property: there, currency } = room
  const cell = 'align-top px-4 max-md:block max-md:py-1 md:py-4'
  return (
    <tr className="border-b border-line last:border-0 max-md:block max-md:py-3">
      <th scope="row" className={`${cell} font-normal md:w-[26%]`}>
        <span className="font-semibold">{t(`board_${room.board}`)}</span>
        {room.beds.length > 0 && (
          <span className="mt-1 flex items-start gap-1.5 text-xs text-muted">
            <Icon name="bed" className="size-4" />
            {room.beds.join(', ')}
          </span>
        )}
        {room.extras.length > 0 && <span className="mt-1 block text-xs text-muted">{room.extras.join(' · ')}</span>}
      </th>
      <td className={`${cell} md:w-[28%]`}>
        <CancelLine policy={room.cancel_policy} charged={round(total - there)} />
        {room.cancel_policy.penalties.length > 0 && (
          <details className="mt-1 text-xs">
            <summary className="link inline-block min-h-6 py-0.5">{t('timeline')}</summary>
            <div className="mt-2">
              <CancelTimeline policy={room.cancel_policy} total={total} />
            </div>
          </details>
        )}
      </td>
      <td className={`${cell} text-xs text-muted md:w-[20%]`}>
        {total > there && (
          <span className="block">{t('pay_on_account', { price: money(round(total - there), currency) })}</span>
        )}
        {there > 0 && <span className="block">{t('pay_at_property', { price: money(there, currency) })}</span>}
      </td>
      <td className={cell}>
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
            aria-label={t('choose_label', {
              room: room.name,
              board: t(`board_${room.board}`),
              price: money(total, currency),
            })}
            onClick={() => onChoose(room)}
          >
            {t('choose')}
          </button>
        </div>
      </td>
    </tr>
  )
}

const round = (amount: number): number => Math.round(amount * 1000) / 1000

/** Vendors' texts keep paragraphs and breaks only; here they become plain lines. */
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
