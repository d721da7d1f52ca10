import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fetchFirstResults } from '../api/operations.ts'
import type { Amount, Summary } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { ReleasedNote } from '../payment/payment-outcome.tsx'
import { PropertyCard } from '../results/property-card.tsx'
import { focusHeading } from '../ui/page.tsx'
import type { Checkout } from './checkout.ts'

export function OfferExpiredView({
  propertyAddress,
  released,
}: {
  propertyAddress: string
  released: Amount | undefined
}) {
  const { t } = useI18n()
  useEffect(scrollToHeading, [])
  return (
    <div className="flex max-w-4xl flex-col items-start gap-5">
      <h1 className="text-3xl">{t('offer_expired_title')}</h1>
      <p role="alert">{t('offer_expired_text')}</p>
      <ReleasedNote released={released} />
      <a className="btn btn-primary" href={propertyAddress}>
        {t('fresh_rooms')}
      </a>
    </div>
  )
}

/** The form, and with it the focused element, is gone. */
function scrollToHeading(): void {
  scrollTo(0, 0)
  focusHeading()
}

const ALTERNATIVES = 5

/** Alternatives named by the service, or others of the same search if a price check found the room sold out. */
function useAlternatives({ searchId, propertyId }: Checkout, named: readonly Summary[]): readonly Summary[] {
  const { data = [] } = useQuery({
    queryKey: ['alternatives', searchId],
    queryFn: () => fetchFirstResults(searchId, ALTERNATIVES + 1),
    enabled: named.length === 0,
  })
  if (named.length > 0) return named
  return data.filter(({ property_id }) => property_id !== propertyId).slice(0, ALTERNATIVES)
}

type SoldOutProps = { checkout: Checkout; named: readonly Summary[]; released: Amount | undefined }

export function SoldOutView({ checkout, named, released }: SoldOutProps) {
  const { t } = useI18n()
  const alternatives = useAlternatives(checkout, named)
  const { search, searchParams } = new URL(checkout.propertyAddress, location.origin)
  // Distances are from the property itself if it was searched for alone.
  const [place] = searchParams.has('search_id')
    ? (searchParams.get('place') ?? '').split(', ')
    : [checkout.property.name]
  useEffect(scrollToHeading, [])
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <h1 className="text-3xl">{t('sold_out_title')}</h1>
      <p role="alert">{t('sold_out_text')}</p>
      <ReleasedNote released={released} />
      <p>
        <a className="btn btn-quiet" href={checkout.propertyAddress}>
          {t('sold_out_other_rooms', { name: checkout.property.name })}
        </a>
      </p>
      {alternatives.length > 0 && <h2 className="text-xl">{t('sold_out_alternatives')}</h2>}
      <ul className="flex flex-col gap-4">
        {alternatives.map((property) => (
          <li key={property.property_id}>
            <PropertyCard
              property={property}
              nights={checkout.nights}
              rooms={checkout.rooms.length}
              href={`/property/${encodeURIComponent(property.property_id)}${search}`}
              place={place ?? ''}
              placeKind="point"
              zone={checkout.property.timezone}
              eager={false}
              isMarked={false}
              onMark={() => undefined}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}
