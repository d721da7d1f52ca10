import { memo } from 'react'
import type { Summary } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { StayPrice, useMarkedText } from '../offer/price.tsx'
import { RoomsLeft } from '../offer/rooms-left.tsx'
import { useZoneName } from '../offer/zone-name.ts'
import { BoardTag, FreeCancellation, GuestRating, SimulatedTag, Stars } from '../ui/badges.tsx'
import { Picture } from '../ui/picture.tsx'
import type { PlaceKind } from './place-kind.ts'

type Props = {
  property: Summary
  nights: number
  rooms: number
  href: string
  place: string
  /** Kind of `place`, which says from where distances are measured; unknown before the search is done. */
  placeKind: PlaceKind | undefined
  /** Time zone for deadlines; unknown before the search is done. */
  zone: string | undefined
  eager: boolean
  isMarked: boolean
  onMark(id: string | undefined): void
}

const FRAME = 'card grid grid-cols-[6.5rem_1fr] overflow-hidden sm:min-h-44 sm:grid-cols-[10.5rem_1fr]'

const DISTANCE_KEYS = { area: 'distance_centre', point: 'distance_from', unknown: 'distance_away' } as const

/** The picture and a minimum height keep cards alike, so that later results hardly move the page. */
export const PropertyCard = memo(function PropertyCard(props: Props) {
  const { property, nights, rooms, href, place, placeKind, zone, eager, isMarked, onMark } = props
  const { t, number, named } = useI18n()
  const marked = useMarkedText()
  const { property_id: id } = property
  const night = marked(property.total_price / nights, property.currency, property.converted)
  const distance = { km: number(property.distance_km, 1), place }
  const distanceKey = place === '' ? 'distance_centre' : DISTANCE_KEYS[placeKind ?? 'unknown']
  return (
    <article
      className={`${FRAME} group relative transition-shadow hover:shadow-lift ${isMarked ? 'border-accent' : ''}`}
      data-property={id}
      onMouseEnter={() => onMark(id)}
      onMouseLeave={() => onMark(undefined)}
      onFocus={() => onMark(id)}
      onBlur={() => onMark(undefined)}
    >
      <Picture src={property.image} alt="" eager={eager} className="h-full min-h-40 w-full" />
      <div className="flex min-w-0 flex-col p-3">
        <h2 className="line-clamp-2 text-lg leading-snug">
          <a
            href={href}
            className="after:absolute after:inset-0 after:rounded-lg hover:text-accent focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-accent"
          >
            {property.name}
          </a>
        </h2>
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-xs text-muted">
          <Stars value={property.star_rating} />
          <span>{named(`kind_${property.category_code}`, property.category)}</span>
          {property.distance_km >= 0.05 && <span>{t(distanceKey, distance)}</span>}
        </p>
        <p className="mt-1 flex flex-wrap items-center justify-between gap-x-3">
          <GuestRating overall={property.guest_rating} count={property.review_count} />
          <RoomsLeft count={property.rooms_left} rooms={rooms} />
        </p>
        <p className="mt-1 flex flex-wrap gap-1">
          <FreeBadge {...{ property, zone, place }} />
        </p>
        <div className="mt-1 flex flex-1 flex-wrap items-end justify-between gap-x-4">
          <OfferFacts property={property} />
          <div className="ml-auto">
            <StayPrice
              total={property.total_price}
              currency={property.currency}
              nights={nights}
              rooms={rooms}
              converted={property.converted}
              {...(nights > 1 && { perNight: t('per_night', { price: night }) })}
            />
            {property.fees_in_text && (
              <p className="text-right text-xs text-warn" data-testid="text-fees">
                {t('card_text_fees')}
              </p>
            )}
          </div>
        </div>
      </div>
    </article>
  )
})

/** Board and terms of the shown price. */
function OfferFacts({ property }: { property: Summary }) {
  const { t } = useI18n()
  return (
    <p className="min-w-0 text-xs text-muted">
      <span className="mb-0.5 flex flex-wrap gap-1">
        <BoardTag board={property.board} />
        {property.simulated && <SimulatedTag />}
      </span>
      {!isStillFree(property) && <span className="block">{t('no_free_cancellation')}</span>}
      {property.offers_count > 1 && t('cheapest_of', { n: property.offers_count })}
    </p>
  )
}

/** False once the deadline has passed: the list may be older. */
const isStillFree = ({ free_cancellation: free }: Summary): boolean =>
  free !== undefined && (free.until === null || Date.parse(free.until) > Date.now())

type BadgeProps = { property: Summary; zone: string | undefined; place: string }

/** Free-cancellation deadline of the shown offer, or the price of another offer with free cancellation. */
function FreeBadge({ property, zone, place }: BadgeProps) {
  const { t } = useI18n()
  const marked = useMarkedText()
  const free = property.free_cancellation
  if (free === undefined || !isStillFree(property)) return null
  if (free.total_price <= property.total_price) return <FreeUntilBadge until={free.until} zone={zone} place={place} />
  return (
    <FreeCancellation>
      {t('free_cancellation_for', { price: marked(free.total_price, property.currency, property.converted) })}
    </FreeCancellation>
  )
}

type UntilProps = { until: string | null; zone: string | undefined; place: string }

function FreeUntilBadge({ until, zone, place }: UntilProps) {
  const { t, moment } = useI18n()
  const zoneName = useZoneName()
  // Until the zone is known, uses the deadline's own offset.
  const isLocal = place !== '' && until !== null && /[+-]\d\d:\d\d$/.test(until)
  if (until === null || (zone === undefined && !isLocal)) return <FreeCancellation />
  const text =
    zone === undefined
      ? { moment: moment(`${until.slice(0, 16)}Z`, 'UTC'), zone: t('time_in', { place }) }
      : { moment: moment(until, zone), zone: place === '' ? zoneName(zone) : t('time_in', { place }) }
  return <FreeCancellation>{t('free_cancellation_until', text)}</FreeCancellation>
}

/** Shown until the first results arrive. */
export function CardSkeleton() {
  return (
    <div className={FRAME} aria-hidden="true">
      <div className="skeleton min-h-40 rounded-none" />
      <div className="flex flex-col gap-3 p-4">
        <div className="skeleton h-6 w-3/5" />
        <div className="skeleton h-4 w-2/5" />
        <div className="skeleton h-4 w-1/3" />
        <div className="skeleton mt-auto h-7 w-28 self-end" />
      </div>
    </div>
  )
}
