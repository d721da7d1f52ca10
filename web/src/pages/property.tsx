import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { propertyDetail } from '../api/operations.ts'
import { ApiProblem } from '../api/problem.ts'
import type { Detail, Room, Summary } from '../api/shapes.ts'
import { GuestRating, Stars } from '../components/badges.tsx'
import { Gallery } from '../components/gallery.tsx'
import { Icon } from '../components/icon.tsx'
import { MapFrame } from '../components/map-frame.tsx'
import { Notice, ProblemNotice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { Money } from '../components/price.tsx'
import { About, Amenities, Ratings } from '../components/property-facts.tsx'
import { EmptyState } from '../components/results-empty.tsx'
import { RoomCard } from '../components/room-card.tsx'
import { MissingVendors } from '../components/vendor-progress.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { startCheckout } from '../state/checkout.ts'
import { groupRooms } from '../state/room-groups.ts'
import { navigate, useAddress } from '../state/router.ts'
import { knownFacts, useSearchRun } from '../state/search-store.ts'
import { nightsBetween, readStay, type StayForm, searchBodyOf, writeStay } from '../state/stay-form.ts'

export default function PropertyPage({ id }: { id: string }) {
  const { t } = useI18n()
  const { query } = useAddress()
  const stay = useMemo(() => readStay(query), [query])
  const key = stay === undefined ? '' : writeStay(stay).toString()
  const named = query.get('search_id') ?? undefined
  // A link without a search id: search first, then open the property in that search.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the stay as text
  const body = useMemo(() => (stay === undefined || named !== undefined ? undefined : searchBodyOf(stay)), [key, named])
  const run = useSearchRun(key, body, undefined)
  const searchId = named ?? run.searchId
  const detail = useQuery({
    queryKey: ['property', searchId, id],
    queryFn: () => propertyDetail(searchId ?? '', id),
    enabled: searchId !== undefined,
    staleTime: 60_000,
  })
  const back = `/search?${stay === undefined ? '' : writeStay(stay)}${searchId === undefined ? '' : `&search_id=${searchId}`}`
  const failure = detail.error ?? run.problem

  return (
    <Page title={detail.data?.overview.name ?? t('choose_room')} className="wrap py-5">
      {stay !== undefined && (
        <a href={back} className="link mb-3 inline-flex min-h-11 items-center gap-1.5 text-sm">
          <Icon name="left" className="size-4" />
          {t('back_to_results')}
        </a>
      )}
      {detail.data !== undefined && <Property detail={detail.data} stay={stay} />}
      {detail.data === undefined && failure === undefined && <PropertySkeleton />}
      {failure != null && detail.data === undefined && (
        <Gone error={failure} back={back} stay={stay} onRetry={() => detail.refetch()} />
      )}
    </Page>
  )
}

type GoneProps = { error: unknown; back: string; stay: StayForm | undefined; onRetry(): void }

/** The search has expired or no longer has the property: offers the same search again. */
function Gone({ error, stay, onRetry }: GoneProps) {
  const { t } = useI18n()
  const code = error instanceof ApiProblem ? error.code : ''
  if (!['search_expired', 'search_not_found', 'property_not_found'].includes(code))
    return <ProblemNotice error={error} onRetry={onRetry} />
  return (
    <EmptyState
      title={t('search_expired_title')}
      text={code === 'property_not_found' ? t('property_gone') : t('search_expired_text')}
    >
      <a className="btn btn-primary" href={stay === undefined ? '/' : `/search?${writeStay(stay)}`}>
        {t('search_again')}
      </a>
    </EmptyState>
  )
}

function Property({ detail, stay }: { detail: Detail; stay: StayForm | undefined }) {
  const { overview } = detail
  const facts = knownFacts(detail.search_id)
  const checkIn = stay?.checkIn ?? facts?.check_in ?? ''
  const checkOut = stay?.checkOut ?? facts?.check_out ?? ''
  const nights = Math.max(1, nightsBetween(checkIn, checkOut))
  const cheapest = detail.available_rooms.reduce<Room | undefined>(
    (best, room) => (best === undefined || room.total_inclusive < best.total_inclusive ? room : best),
    undefined,
  )

  const choose = (room: Room) => {
    const rooms =
      stay?.rooms ?? facts?.occupancies.map(({ adults, children_ages }) => ({ adults, children: children_ages })) ?? []
    const propertyAddress = location.pathname + location.search
    const checkout = startCheckout({ detail, room, rooms, checkIn, checkOut, nights, propertyAddress })
    navigate(`/checkout?id=${checkout.id}`)
  }

  return (
    <div className="flex flex-col gap-8">
      <Header detail={detail} cheapest={cheapest} />
      <Gallery pictures={overview.images} name={overview.name} />
      <Rooms detail={detail} nights={nights} onChoose={choose} />
      <div className="grid gap-10 lg:grid-cols-[1fr_24rem]">
        <div className="flex flex-col gap-10">
          <About overview={overview} />
          <Ratings ratings={overview.guest_ratings} />
          <Amenities amenities={overview.popular_amenities} />
        </div>
        <Location detail={detail} cheapest={cheapest} />
      </div>
      {cheapest !== undefined && <PhoneFooter cheapest={cheapest} nights={nights} />}
    </div>
  )
}

function Header({ detail: { overview }, cheapest }: { detail: Detail; cheapest: Room | undefined }) {
  const { t } = useI18n()
  const { line_1, postal_code, city } = overview.address
  return (
    <header className="flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0">
        <p className="eyebrow mb-1 flex flex-wrap items-center gap-2">
          {[overview.category, overview.chain].filter(Boolean).join(' · ')}
          <Stars value={overview.star_rating} />
        </p>
        <h1 className="text-3xl">{overview.name}</h1>
        <p className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
          <GuestRating overall={overview.guest_ratings.overall} count={overview.review_count} />
          <span className="flex items-center gap-1.5 text-muted">
            <Icon name="pin" className="size-4" />
            {[line_1, [postal_code, city].filter(Boolean).join(' ')].filter(Boolean).join(', ')}
          </span>
        </p>
      </div>
      {cheapest !== undefined && (
        <a href="#rooms" className="btn btn-primary max-sm:hidden">
          {t('choose_room')} · <Money amount={cheapest.total_inclusive} currency={cheapest.currency} />
        </a>
      )}
    </header>
  )
}

type RoomsProps = { detail: Detail; nights: number; onChoose(room: Room): void }

function Rooms({ detail, nights, onChoose }: RoomsProps) {
  const { t } = useI18n()
  const groups = useMemo(() => groupRooms(detail), [detail])
  return (
    <>
      {detail.simulated && <Notice tone="info">{t('simulated_text')}</Notice>}
      <section id="rooms" className="flex scroll-mt-4 flex-col gap-4" aria-labelledby="rooms-title">
        <h2 id="rooms-title" className="text-2xl">
          {t('choose_room')}
        </h2>
        {detail.partial && <MissingVendors vendors={detail.vendors} onRetry={() => location.reload()} />}
        {groups.length === 0 && <EmptyState title={t('no_rooms_title')} text={t('no_rooms_text')} />}
        {groups.map((group) => (
          <RoomCard key={group.key} group={group} nights={nights} onChoose={onChoose} />
        ))}
      </section>
    </>
  )
}

function Location({ detail, cheapest }: { detail: Detail; cheapest: Room | undefined }) {
  const { t } = useI18n()
  const [lon = 0, lat = 0] = detail.overview.location.coordinates
  return (
    <section>
      <h2 className="mb-3 text-xl">{t('location')}</h2>
      <div className="card h-80 overflow-hidden">
        <MapFrame
          properties={[pinOf(detail, lat, lon, cheapest)]}
          centre={{ lat, lon }}
          marked={undefined}
          hrefOf={() => '#rooms'}
        />
      </div>
    </section>
  )
}

/** The fields of the property that the map reads. */
function pinOf({ overview, property_id }: Detail, lat: number, lon: number, cheapest: Room | undefined): Summary {
  const { name, star_rating, review_count, guest_ratings, currency } = overview
  const total_price = cheapest?.total_inclusive ?? overview.total_price
  const shown = { property_id, name, star_rating, review_count, guest_ratings, total_price, currency }
  return { ...shown, location: { lat, lon } } as Summary
}

/** On phones the price and the button stay at the bottom of the screen. */
function PhoneFooter({ cheapest, nights }: { cheapest: Room; nights: number }) {
  const { t } = useI18n()
  return (
    <div className="sticky bottom-0 z-20 -mx-4 flex items-center justify-between gap-4 border-t border-line bg-surface px-4 py-2.5 sm:hidden">
      <span className="text-xs text-muted">
        <Money
          amount={cheapest.total_inclusive}
          currency={cheapest.currency}
          className="block font-serif text-lg font-semibold text-ink"
        />
        {t('total_for', { nights: t('nights', { n: nights }) })}
      </span>
      <a href="#rooms" className="btn btn-primary">
        {t('choose_room')}
      </a>
    </div>
  )
}

function PropertySkeleton() {
  return (
    <div className="flex flex-col gap-6" aria-hidden="true">
      <div className="skeleton h-24 w-2/3" />
      <div className="skeleton h-[26rem] rounded-lg" />
      <div className="skeleton h-56 rounded-lg" />
      <div className="skeleton h-56 rounded-lg" />
    </div>
  )
}
