import { type ReactNode, useDeferredValue, useState } from 'react'
import type { Summary } from '../api/shapes.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { Icon } from '../ui/icon.tsx'
import type { PlaceKind } from './place-kind.ts'
import { CardSkeleton, PropertyCard } from './property-card.tsx'
import { EAGER_CARDS, type ShownListing } from './use-listing.ts'

const PAGE_SIZE = 30
/** Cards on the first screen, painted before the rest of the list. */
const FIRST_CARDS = 6
/** Number of opened results by list, for the back button. */
const openedCounts = new Map<string, number>()

type Props = {
  listKey: string
  listing: ShownListing
  /** Shows that the list is about to be replaced. */
  isStale: boolean
  nights: number
  rooms: number
  place: string
  zone: string | undefined
  placeKind: PlaceKind | undefined
  linkTo(property: Summary): string
  marked: string | undefined
  onMark(id: string | undefined): void
}

export function ResultsList({ listKey, listing, isStale, marked, linkTo, ...shared }: Props) {
  const { t } = useI18n()
  const [count, setCount] = useState(openedCounts.get(listKey) ?? PAGE_SIZE)
  const { shown } = listing
  const rest = shown.length - count
  const drawn = Math.max(FIRST_CARDS, useDeferredValue(Math.min(count, shown.length)))
  return (
    <>
      <ul
        key={listing.round}
        className={`flex flex-col gap-2.5 transition-opacity ${isStale ? 'opacity-50' : ''}`}
        inert={isStale}
      >
        {shown.slice(0, Math.min(drawn, count)).map((property, index) => (
          <li key={property.property_id} className="[contain-intrinsic-size:auto_11rem] [content-visibility:auto]">
            <PropertyCard
              property={property}
              href={linkTo(property)}
              eager={index < EAGER_CARDS}
              isMarked={marked === property.property_id}
              {...shared}
            />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <button
          type="button"
          className="btn btn-quiet mt-5 w-full"
          onClick={() => {
            openedCounts.set(listKey, count + PAGE_SIZE)
            setCount(count + PAGE_SIZE)
          }}
        >
          {t('show_next', { n: Math.min(rest, PAGE_SIZE) })}
        </button>
      )}
    </>
  )
}

/**
 * Button for results that have arrived but are not shown yet. Its space above the list is reserved, so that nothing
 * moves. It sticks below the search bar, and on phones to the bottom of the window.
 */
export function NewResults({ listing, children }: { listing: ShownListing; children: ReactNode }) {
  const { t } = useI18n()
  const { waiting, outdated } = listing
  const isNeeded = waiting > 0 || outdated > 0
  const text = waiting > 0 ? t('show_more_found', { n: waiting }) : scrollY > 0 ? t('show_updated') : t('show_in_order')
  return (
    <div
      className={`-mx-2 flex min-h-8 items-center justify-between gap-3 px-2 ${isNeeded ? 'z-20 bg-paper sm:sticky sm:top-0 sm:[@media(min-height:30rem)]:top-15' : ''}`}
    >
      <div className="min-w-0 flex-1">{children}</div>
      {isNeeded && (
        <button
          type="button"
          className="btn btn-primary min-h-8 rounded-full px-3 py-0 text-sm max-sm:fixed max-sm:inset-x-4 max-sm:bottom-4 max-sm:z-20 max-sm:min-h-11 max-sm:leading-tight max-sm:shadow-lift sm:shrink-0"
          onClick={() => {
            listing.refresh()
            scrollTo({ top: 0 })
          }}
        >
          <Icon name="arrow" className="size-4 -rotate-90" />
          {text}
        </button>
      )}
    </div>
  )
}

export function ResultsSkeleton() {
  return (
    <div className="flex flex-col gap-2.5">
      {['a', 'b', 'c', 'd', 'e'].map((each) => (
        <CardSkeleton key={each} />
      ))}
    </div>
  )
}
