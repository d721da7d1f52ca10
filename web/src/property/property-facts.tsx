import { Children, type ReactNode } from 'react'
import type { Detail, Room, Summary } from '../api/shapes.ts'
import { useWide } from '../browser/media.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { DirectionsLink } from '../map/directions-link.tsx'
import { MapFrame } from '../map/map-frame.tsx'
import { NoticeList } from '../offer/notices.tsx'
import { VendorText } from '../offer/vendor-text.tsx'
import { formatVendorName } from '../ui/badges.tsx'
import { Icon } from '../ui/icon.tsx'
import { splitParagraphs } from './plain-text.ts'
import type { VendorNotices } from './shared-notices.ts'

type Overview = Detail['overview']

/** Collapsed on phones, where the page would otherwise be many screens long. */
function Section({ title, children }: { title: string; children: ReactNode }) {
  const isWide = useWide('40rem')
  if (isWide)
    return (
      <section>
        <h2 className="mb-3 text-xl">{title}</h2>
        {children}
      </section>
    )
  return (
    <details className="card px-4 [&[open]>summary>svg]:rotate-180">
      <summary className="flex min-h-14 items-center justify-between">
        <h2 className="min-w-0 text-lg">{title}</h2>
        <Icon name="down" className="size-5 text-muted" />
      </summary>
      <div className="pb-4">{children}</div>
    </details>
  )
}

/** Notices about the property that the vendors require, in their own words. */
export function SharedNoticesSection({ shared }: { shared: readonly VendorNotices[] }) {
  const { t } = useI18n()
  if (shared.length === 0) return null
  return (
    <Section title={t('notices_title')}>
      <div className="flex max-w-prose flex-col gap-4">
        {shared.map(({ vendorId, notices }) => (
          <div key={vendorId}>
            {shared.length > 1 && (
              <p className="mb-1 text-xs text-muted">{t('via_vendor', { vendor: formatVendorName(vendorId) })}</p>
            )}
            <NoticeList notices={notices} />
          </div>
        ))}
      </div>
    </Section>
  )
}

export function About({ overview }: { overview: Overview }) {
  const { t } = useI18n()
  return (
    <Section title={t('about')}>
      <div className="prose-stay" lang={overview.languages.description}>
        {splitParagraphs(overview.description).map((text) => (
          <p key={text.slice(0, 40)}>{text}</p>
        ))}
      </div>
      <ul className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
        {overview.check_in_time !== '' && (
          <li className="flex items-center gap-2">
            <Icon name="clock" className="size-4" />
            {t('check_in_from', { time: overview.check_in_time })}
          </li>
        )}
        {overview.check_out_time !== '' && (
          <li className="flex items-center gap-2">
            <Icon name="clock" className="size-4" />
            {t('check_out_until', { time: overview.check_out_time })}
          </li>
        )}
      </ul>
    </Section>
  )
}

const RATED_ASPECTS = ['overall', 'cleanliness', 'comfort', 'condition', 'service', 'amenities'] as const

export function Ratings({ ratings }: { ratings: Overview['guest_ratings'] }) {
  const { t, number } = useI18n()
  const known = RATED_ASPECTS.filter((mark) => ratings[mark] > 0)
  if (known.length === 0) return null
  return (
    <Section title={t('ratings')}>
      <dl className="grid gap-x-10 gap-y-2.5 sm:grid-cols-2">
        {known.map((mark) => (
          <div key={mark} className="grid grid-cols-[minmax(0,8rem)_1fr_2rem] items-center gap-3 text-sm">
            <dt>{t(`rating_${mark}`)}</dt>
            <dd className="contents">
              <span className="h-2 overflow-hidden rounded-full bg-sunk" aria-hidden="true">
                <span className="block h-full rounded-full bg-accent" style={{ width: `${ratings[mark] * 20}%` }} />
              </span>
              <span className="figures text-right font-semibold">{number(ratings[mark], 1)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-muted">{t('reviews', { n: ratings.count })}</p>
    </Section>
  )
}

export function Amenities({ overview }: { overview: Overview }) {
  const { t, amenity, named, language } = useI18n()
  const { popular_amenities: vendors } = overview.languages
  const groups = Object.entries(overview.popular_amenities).filter(([, names]) => names.length > 0)
  if (groups.length === 0) return null
  // The amenities that Serai knows come first if the vendor has no list in the reader's language.
  const isOwn = vendors === language || overview.amenities.length === 0
  return (
    <Section title={t('amenities')}>
      <div className="columns-2 gap-8 text-sm text-muted md:columns-3">
        {!isOwn && <AmenityList title={t('group_amenities')}>{overview.amenities.map(amenity)}</AmenityList>}
        {groups.map(([group, names]) => (
          <AmenityList
            key={group}
            title={isOwn && groups.length === 1 ? '' : named(`group_${overview.amenity_groups[group]}`, group)}
          >
            {names.map((name) => (
              <VendorText key={name} text={name} language={vendors} />
            ))}
          </AmenityList>
        ))}
      </div>
    </Section>
  )
}

function AmenityList({ title, children }: { title: string; children: readonly ReactNode[] }) {
  return (
    <div className={title === '' ? '' : 'mb-5 break-inside-avoid'}>
      {title !== '' && <h3 className="mb-1 font-sans text-sm font-semibold text-ink">{title}</h3>}
      <ul>
        {Children.map(children, (name) => (
          <li className="py-0.5">{name}</li>
        ))}
      </ul>
    </div>
  )
}

export function Location({ detail, cheapest }: { detail: Detail; cheapest: Room | undefined }) {
  const { t } = useI18n()
  const [lon = 0, lat = 0] = detail.overview.location.coordinates
  return (
    <Section title={t('location')}>
      <div className="card h-80 overflow-hidden has-data-map-failed:h-auto">
        <MapFrame
          properties={[toMapSummary(detail, lat, lon, cheapest)]}
          centre={{ lat, lon }}
          marked={undefined}
          linkTo={() => '#rooms'}
        />
      </div>
      <DirectionsLink lat={lat} lon={lon} />
    </Section>
  )
}

/** Only the fields that the map reads. */
function toMapSummary(
  { overview, property_id }: Detail,
  lat: number,
  lon: number,
  cheapest: Room | undefined,
): Summary {
  const { name, star_rating, review_count, guest_ratings } = overview
  const rating = { guest_rating: guest_ratings.overall, image: '' }
  const { total_inclusive: total_price, currency } = cheapest ?? { ...overview, total_inclusive: overview.total_price }
  const converted = (cheapest?.converted_from ?? null) !== null
  const shown = { property_id, name, star_rating, review_count, ...rating, total_price, currency, converted }
  return { ...shown, location: { lat, lon } } as Summary
}
