import { Fragment, useId, useState } from 'react'
import type { Room } from '../api/shapes.ts'
import { useWide } from '../browser/media.ts'
import { formatParty } from '../checkout/guest-form.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { Beds } from '../offer/beds.tsx'
import { CancelLine, CancelTimeline, classifyTerms } from '../offer/cancel-terms.tsx'
import { chargeOf, dueNow, exactTerms } from '../offer/charge.ts'
import { StayPrice, useMarkedText } from '../offer/price.tsx'
import { RoomsLeft } from '../offer/rooms-left.tsx'
import { TextFees } from '../offer/text-fees-note.tsx'
import { VendorText } from '../offer/vendor-text.tsx'
import type { RoomParty } from '../search/stay-form.ts'
import { formatVendorName } from '../ui/badges.tsx'
import { Icon } from '../ui/icon.tsx'
import { Picture } from '../ui/picture.tsx'
import { OtherOffers } from './other-offers.tsx'
import { stripMarkup } from './plain-text.ts'
import { Payment, RateNotices } from './rate-terms.tsx'
import { listAmenityNames, type RateGroup, type RoomGroup } from './room-groups.ts'
import { findOwnNotices, type VendorNotices } from './shared-notices.ts'

const RATES_SHOWN = 3
const RATES_SHOWN_PHONE = 2

export type RateContext = {
  readonly nights: number
  readonly rooms: number
  readonly guests: number
  readonly parties: readonly RoomParty[]
  /** Notices shown once for the whole property. */
  readonly shared: readonly VendorNotices[]
  /** False if nothing is charged when the room is booked. */
  readonly isCharged: boolean
  onChoose(room: Room): void
}

type Props = { group: RoomGroup; frame: RateContext }

/** A room with one row per board and cancellation, each with the best price of all vendors. */
export function RoomCard({ group, frame }: Props) {
  const { t } = useI18n()
  const [all, setAll] = useState(false)
  const first = useWide('48rem') ? RATES_SHOWN : RATES_SHOWN_PHONE
  const heading = useId()
  const { type, rates } = group
  const shown = all ? rates : rates.slice(0, first)
  return (
    <section className="card overflow-hidden lg:grid lg:grid-cols-[16rem_1fr]" aria-labelledby={heading}>
      <About group={group} headingId={heading} rooms={frame.rooms} />
      <div className="min-w-0">
        <RateTable name={type.name} rates={shown} frame={frame} />
        {rates.length > first && (
          <button type="button" className="btn-plain m-2 text-accent" onClick={() => setAll(!all)}>
            <Icon name="down" className={`size-4 ${all ? 'rotate-180' : ''}`} />
            {all ? t('fewer_choices') : t('more_choices', { n: rates.length - first })}
          </button>
        )}
      </div>
    </section>
  )
}

const AMENITIES_SHOWN = 6

function About({ group, headingId, rooms }: { group: RoomGroup; headingId: string; rooms: number }) {
  const { t } = useI18n()
  const { room, type } = group
  const names = listAmenityNames(room.amenities)
  const picture = type.images[0] ?? room.images[0]
  const sleeps = sleepsPerRoom(room.sleeps, rooms)
  return (
    <div className="border-line p-4 max-lg:grid max-lg:grid-cols-[6rem_minmax(0,1fr)] max-lg:gap-x-4 max-lg:border-b sm:max-lg:grid-cols-[12rem_minmax(0,1fr)] lg:border-r">
      <Picture
        src={picture?.lores ?? ''}
        alt={picture?.caption ?? ''}
        className="aspect-[16/10] w-full rounded-md max-sm:aspect-square max-lg:row-span-2 lg:mb-3"
      />
      <div>
        <h3 id={headingId} className="text-lg leading-snug" lang={type.language === 'und' ? undefined : type.language}>
          {type.name}
        </h3>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
          {sleeps > 0 && <span>{rooms > 1 ? t('sleeps_each', { n: sleeps }) : t('sleeps', { n: sleeps })}</span>}
          {type.size.square_meters > 0 && <span>{t('square_metres', { n: type.size.square_meters })}</span>}
        </p>
      </div>
      <div className="max-sm:col-span-2 sm:max-lg:col-start-2">
        {names.length > 0 && (
          <p className="mt-2 text-sm text-muted max-sm:hidden">
            <VendorText text={names.slice(0, AMENITIES_SHOWN).join(' · ')} language={room.languages.amenities} />
          </p>
        )}
        {(room.description !== '' || names.length > AMENITIES_SHOWN) && (
          <details className="mt-2 text-sm">
            <summary className="link inline-block min-h-6">{t('room_details')}</summary>
            <div className="mt-2 text-muted">
              <p lang={room.languages.description}>{stripMarkup(room.description)}</p>
              <p className="mt-2">
                <VendorText text={names.join(' · ')} language={room.languages.amenities} />
              </p>
            </div>
          </details>
        )}
      </div>
    </div>
  )
}

/** `sleeps` is for all rooms together; uneven numbers are not divided. */
const sleepsPerRoom = (sleeps: number, rooms: number): number => (sleeps % rooms === 0 ? sleeps / rooms : 0)

type TableProps = { name: string; rates: readonly RateGroup[]; frame: RateContext }

function RateTable({ name, rates, frame }: TableProps) {
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
            <RateRow room={rate.best} name={name} hasMore={rate.others.length > 0} frame={frame} />
            {rate.others.length > 0 && <OtherOffers rate={rate} frame={frame} />}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { room: Room; name: string; hasMore?: boolean; frame: RateContext }

const CELL = 'align-top px-4 max-md:block max-md:py-1 md:py-4'

function RateRow({ room, name, hasMore = false, frame }: RowProps) {
  const { t } = useI18n()
  const policy = exactTerms(room)
  const charge = chargeOf(room)
  const terms = classifyTerms({ policy, charged: dueNow(charge) })
  return (
    <tr className={`border-line last:border-0 max-md:block max-md:pt-3 ${hasMore ? '' : 'border-b max-md:pb-3'}`}>
      <th scope="row" className={`${CELL} font-normal md:w-[24%]`}>
        <span className="font-semibold">{t(`board_${room.board}`)}</span>
        {(room.beds.length > 0 || room.each_room) && (
          <span className="mt-1 flex items-start gap-1.5 text-xs text-muted">
            <Icon name="bed" className="size-4" />
            <span>
              <Beds room={room} parties={frame.parties.map((party) => formatParty(party, t))} />
            </span>
          </span>
        )}
        {room.extras.length > 0 && (
          <span className="mt-1 block text-xs text-muted">
            <VendorText text={room.extras.join(' · ')} language={room.languages.name} />
          </span>
        )}
        <RateNotices notices={findOwnNotices(room, frame.shared)} />
      </th>
      <td className={`${CELL} md:w-[26%]`}>
        <CancelLine policy={policy} charged={dueNow(charge)} />
        {policy.penalties.length > 0 && terms !== 'not_refundable' && (
          <details className="mt-1 text-xs">
            <summary className="link inline-block min-h-6 py-0.5">{t('timeline')}</summary>
            <div className="mt-2">
              <CancelTimeline policy={policy} charged={dueNow(charge)} />
            </div>
          </details>
        )}
      </td>
      <td className={`${CELL} text-xs text-muted md:w-[24%]`}>
        <Payment room={room} nights={frame.nights} isCharged={frame.isCharged} />
      </td>
      <td className={CELL}>
        <PriceAndButton room={room} name={name} frame={frame} />
      </td>
    </tr>
  )
}

function PriceAndButton({ room, name, frame }: RowProps) {
  const { t } = useI18n()
  const marked = useMarkedText()
  const { total_inclusive: total, currency } = room
  const converted = room.converted_from !== null
  const terms = t(classifyTerms({ policy: exactTerms(room), charged: dueNow(chargeOf(room)) }))
  const label = { room: name, board: t(`board_${room.board}`), terms, price: marked(total, currency, converted) }
  return (
    <div className="flex items-start justify-end gap-x-5 gap-y-2 max-md:justify-between md:max-xl:flex-col md:max-xl:items-end">
      <div className="min-w-0 max-md:[&>*]:text-left">
        <StayPrice total={total} currency={currency} nights={frame.nights} rooms={frame.rooms} converted={converted} />
        <TextFees
          notices={room.notices}
          stay={frame}
          hasPricedFees={room.due_at_property > 0}
          className="max-w-52 text-right text-xs"
        />
        <p className="text-right text-xs text-muted">{t('via_vendor', { vendor: formatVendorName(room.vendor_id) })}</p>
        <RoomsLeft count={room.rooms_left} rooms={frame.rooms} as="p" className="text-right md:whitespace-nowrap" />
      </div>
      <button
        type="button"
        className="btn btn-primary shrink-0 max-md:order-2"
        aria-label={t('choose_label', label)}
        onClick={() => frame.onChoose(room)}
      >
        {t('choose')}
      </button>
    </div>
  )
}
