import { memo } from 'react'
import type { Summary } from '../api/shapes.ts'
import { zoneCity } from '../i18n/format.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { BoardTag, FreeCancellation, GuestRating, Stars, vendorName } from './badges.tsx'
import { Picture } from './picture.tsx'
import { StayPrice } from './price.tsx'

type Props = {
  property: Summary
  nights: number
  href: string
  place: string
  /** The property's time zone, for deadlines; not known before the search is done. */
  zone: string | undefined
  eager: boolean
  isMarked: boolean
  onMark(id: string | undefined): void
}

/** One result. All cards have the same height, so results that arrive later do not move the page. */
export const PropertyCard = memo(function PropertyCard(props: Props) {
  const { property, nights, href, place, zone, eager, isMarked, onMark } = props
  const { t, number } = useI18n()
  const { property_id: id } = property
  const distance = { km: number(property.distance_km, 1), place }
  return (
    <article
      className={`card group relative grid grid-cols-[7.5rem_1fr] overflow-hidden transition-shadow hover:shadow-lift sm:min-h-58 sm:grid-cols-[12rem_1fr] ${isMarked ? 'border-accent' : ''}`}
      data-property={id}
      onMouseEnter={() => onMark(id)}
      onMouseLeave={() => onMark(undefined)}
      onFocus={() => onMark(id)}
      onBlur={() => onMark(undefined)}
    >
      <Picture src={property.hero_images.med} alt="" eager={eager} className="h-full min-h-44 w-full" />
      <div className="grid min-w-0 gap-x-4 p-3.5 sm:grid-cols-[1fr_auto] sm:grid-rows-[1fr_auto] sm:p-4">
        <div className="min-w-0">
          <h2 className="line-clamp-2 text-lg leading-snug">
            <a
              href={href}
              className="after:absolute after:inset-0 hover:text-accent focus-visible:outline-none group-has-focus-visible:text-accent"
            >
              {property.name}
            </a>
          </h2>
          <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
            <Stars value={property.star_rating} />
            <span className="truncate">{property.category}</span>
          </p>
          <p className="truncate text-sm text-muted">
            {place === '' ? t('distance_centre', distance) : t('distance_from', distance)}
          </p>
          <p className="mt-2">
            <GuestRating overall={property.guest_ratings.overall} count={property.review_count} />
          </p>
          <p className="mt-2.5 hidden truncate text-sm text-muted sm:block">
            {property.popular_amenities.slice(0, 4).join(' · ')}
          </p>
        </div>
        {/* The badge with its date is too wide next to the price. */}
        <p className="mt-2.5 flex flex-wrap gap-1.5 sm:order-last sm:col-span-2">
          <FreeBadge property={property} zone={zone} place={place} />
          <BoardTag board={property.board} />
        </p>
        <div className="mt-3 flex flex-col items-end justify-end sm:mt-0">
          {property.rooms_left !== null && property.rooms_left <= 5 && (
            <p className="mb-auto max-w-40 text-right text-xs text-warn">
              {t('rooms_left_here', { n: property.rooms_left })}
            </p>
          )}
          <StayPrice
            total={property.total_price}
            before={property.public_price}
            currency={property.currency}
            nights={nights}
            converted={property.converted}
          />
          <p className="mt-1 max-w-44 text-right text-xs text-muted">
            {t('best_of', { n: property.offers.length, vendor: vendorName(property.vendor_id) })}
          </p>
        </div>
      </div>
    </article>
  )
})

type BadgeProps = { property: Summary; zone: string | undefined; place: string }

/** Where the cheapest offer cannot be cancelled for free, what the cheapest that can costs. */
function FreeBadge({ property, zone, place }: BadgeProps) {
  const { t, money } = useI18n()
  const free = property.free_cancellation
  if (free === undefined || free === null) return null
  if (free.total_price <= property.total_price) return <FreeUntil until={free.until} zone={zone} place={place} />
  if (free.until !== null && Date.parse(free.until) <= Date.now()) return null
  return (
    <FreeCancellation>
      {t('free_cancellation_from', { price: money(free.total_price, property.currency) })}
    </FreeCancellation>
  )
}

type UntilProps = { until: string | null; zone: string | undefined; place: string }

/** The list may be older than the deadline, so the badge is hidden once it has passed. */
function FreeUntil({ until, zone, place }: UntilProps) {
  const { t, moment } = useI18n()
  if (until !== null && Date.parse(until) <= Date.now()) return null
  // Until the zone is known, the offset of the deadline itself is used.
  const isLocal = place !== '' && until !== null && /[+-]\d\d:\d\d$/.test(until)
  if (until === null || (zone === undefined && !isLocal)) return <FreeCancellation />
  const text =
    zone === undefined
      ? { moment: moment(`${until.slice(0, 16)}Z`, 'UTC'), zone: place }
      : { moment: moment(until, zone), zone: zoneCity(zone) }
  return <FreeCancellation>{t('free_cancellation_until', text)}</FreeCancellation>
}

/** Shown until the first results arrive. */
export function CardSkeleton() {
  return (
    <div
      className="card grid grid-cols-[7.5rem_1fr] overflow-hidden sm:min-h-58 sm:grid-cols-[12rem_1fr]"
      aria-hidden="true"
    >
      <div className="skeleton min-h-44 rounded-none" />
      <div className="flex flex-col gap-3 p-4">
        <div className="skeleton h-6 w-3/5" />
        <div className="skeleton h-4 w-2/5" />
        <div className="skeleton h-4 w-1/3" />
        <div className="skeleton mt-auto h-7 w-28 self-end" />
      </div>
    </div>
  )
}
