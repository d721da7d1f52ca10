import { type MouseEvent, useEffect, useMemo } from 'react'
import type { Detail, Room, Summary } from '../api/shapes.ts'
import { getPreferences } from '../browser/preferences.ts'
import { navigate, returnTo, useAddress } from '../browser/router.ts'
import { checkoutPath, startCheckout } from '../checkout/checkout.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { MarkedMoney, Money, useTotalText } from '../offer/price.tsx'
import type { Party } from '../offer/text-fees.ts'
import { TextFees } from '../offer/text-fees-note.tsx'
import { resultsAddress, wasListShown } from '../results/use-results.ts'
import { wasCurrencyJustChosen } from '../search/currency.ts'
import { FaultList } from '../search/link-problem.tsx'
import { findCard } from '../search/search-store.ts'
import { SearchSummary } from '../search/search-summary.tsx'
import { countGuests, nightsBetween, readLink, type StayForm, toStayForm, writeStay } from '../search/stay-form.ts'
import { useSession } from '../session/session.ts'
import { GuestRating, Stars } from '../ui/badges.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Picture } from '../ui/picture.tsx'
import { Gallery } from './gallery.tsx'
import { About, Amenities, Location, Ratings, SharedNoticesSection } from './property-facts.tsx'
import { normalizeChain } from './property-names.ts'
import { findFirstOffer } from './room-groups.ts'
import { RoomList } from './room-list.tsx'
import { findSharedNotices } from './shared-notices.ts'
import { useProperty } from './use-property.ts'

/** `onSearchFocus` is called before the visitor changes the stay. */
export default function PropertyPage({ id, onSearchFocus }: { id: string; onSearchFocus(): void }) {
  const { t } = useI18n()
  const { path, query } = useAddress()
  const link = useMemo(() => readLink(query, getPreferences().currency), [query])
  const stay = useMemo(() => toStayForm(link), [link])
  const searchId = query.get('search_id') ?? undefined
  const { detail, overview, isPending, error, hasNoRooms, isUnknown, retry } = useProperty(id, stay, searchId)
  const card = useMemo(() => findCard(id, stay.currency), [id, stay.currency])
  const isOtherSearch = detail !== undefined && searchId !== undefined && detail.search_id !== searchId
  // The linked search has expired, so the list must be searched again too. An address with faults is kept, and with it
  // the message.
  const mayReplace = isOtherSearch && link.faults.every((fault) => fault === 'link_place')
  useEffect(() => {
    if (mayReplace) navigate(`${path}?${replaceStay(query, stay)}`, { replace: true })
  }, [mayReplace, path, query, stay])
  // A property page works without a place; it then has no list to go back to.
  const faults = link.faults.filter((fault) => fault !== 'link_place')
  return (
    <Page
      title={overview?.name ?? card?.name ?? t('choose_room')}
      className="wrap py-4"
      focusKey={overview === undefined && card === undefined ? `loading ${isUnknown}` : 'shown'}
    >
      {stay.placeId !== '' && <BackLink stay={stay} searchId={isOtherSearch ? undefined : searchId} />}
      {isUnknown ? (
        <UnknownProperty />
      ) : (
        <div className="flex flex-col gap-5">
          <Header overview={overview} card={card} first={detail && findFirstOffer(detail)} />
          {faults.length > 0 && <FaultList faults={faults} more={t('link_instead')} />}
          <SearchSummary
            key={writeStay(stay).toString()}
            stay={stay}
            hasPlace={false}
            zone={overview?.timezone}
            onFocus={onSearchFocus}
            onSearch={(form) => navigate(`${path}?${replaceStay(query, form)}`, { keepScroll: true })}
          />
          {wasCurrencyJustChosen() && (
            <Notice tone="info" role="status">
              {t('currency_changed', { currency: stay.currency })}
            </Notice>
          )}
          {detail !== undefined && <Property detail={detail} stay={stay} />}
          {isPending && <PropertySkeleton image={card?.image ?? ''} />}
          {hasNoRooms && <NoRooms stay={stay} />}
          {error !== null && !hasNoRooms && <Failure error={error} onRetry={retry} />}
        </div>
      )}
    </Page>
  )
}

/** Replaces the stay in the address and removes the old search. */
function replaceStay(query: URLSearchParams, stay: StayForm): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const [name, value] of writeStay(stay)) next.set(name, value)
  next.delete('search_id')
  return next
}

function BackLink({ stay, searchId }: { stay: StayForm; searchId: string | undefined }) {
  const { t } = useI18n()
  const list = resultsAddress(stay, searchId)
  const goBack = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    returnTo(list)
  }
  return (
    <a href={list} className="link inline-flex min-h-11 items-center gap-1.5 text-sm" onClick={goBack}>
      <Icon name="left" className="size-4" />
      {t(wasListShown(stay) ? 'back_to_results' : 'no_rooms_others')}
    </a>
  )
}

function UnknownProperty() {
  const { t } = useI18n()
  return (
    <div className="py-4">
      <h1 className="mb-4 text-3xl">{t('property_unknown_title')}</h1>
      <p className="mb-4 text-muted">{t('property_unknown_text')}</p>
      <a className="btn btn-primary" href="/">
        {t('to_start')}
      </a>
    </div>
  )
}

function NoRooms({ stay }: { stay: StayForm }) {
  const { t } = useI18n()
  return (
    <EmptyState title={t('no_rooms_title')} text={t('no_rooms_text')}>
      {stay.placeId !== '' && (
        <a className="btn btn-primary" href={`/search?${writeStay(stay)}`}>
          {t('no_rooms_others')}
        </a>
      )}
    </EmptyState>
  )
}

function Property({ detail, stay }: { detail: Detail; stay: StayForm }) {
  const { overview } = detail
  const { checkIn, checkOut, rooms } = stay
  const nights = Math.max(1, nightsBetween(checkIn, checkOut))
  const { adults, children } = countGuests(rooms)
  const first = findFirstOffer(detail)
  const shared = useMemo(() => findSharedNotices(detail.available_rooms), [detail])
  const { isCharged } = useSession()
  const onChoose = (room: Room) => {
    const propertyAddress = location.pathname + location.search
    const checkout = startCheckout({ detail, room, rooms, checkIn, checkOut, nights, propertyAddress })
    navigate(checkoutPath(checkout.id))
  }
  return (
    <div className="flex flex-col gap-8">
      <Gallery pictures={overview.images} name={overview.name} />
      <RoomList
        detail={detail}
        conditions={stay.conditions}
        frame={{ nights, rooms: rooms.length, guests: adults + children, parties: rooms, shared, isCharged, onChoose }}
      />
      <div className="grid grid-cols-1 gap-x-10 gap-y-4 sm:gap-y-10 lg:grid-cols-[1fr_24rem]">
        <div className="flex flex-col gap-4 sm:gap-10">
          <SharedNoticesSection shared={shared} />
          <About overview={overview} />
          <Ratings ratings={overview.guest_ratings} />
          <Amenities overview={overview} />
        </div>
        <Location detail={detail} cheapest={first} />
      </div>
      {first !== undefined && (
        <PhoneFooter first={first} stay={{ nights, rooms: rooms.length, guests: adults + children }} />
      )}
    </div>
  )
}

type HeaderProps = { overview: Detail['overview'] | undefined; card: Summary | undefined; first: Room | undefined }

/** Until the property is loaded, shows what its card in the list knew. */
function Header({ overview, card, first }: HeaderProps) {
  const { t, named } = useI18n()
  const facts = overview ?? card
  if (facts === undefined) return <h1 className="skeleton h-12 w-2/3 text-3xl text-transparent">{t('loading')}</h1>
  const { line_1 = '', postal_code = '', city = '' } = overview?.address ?? {}
  const address = [line_1, [postal_code, city].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  const rating = overview?.guest_ratings.overall ?? card?.guest_rating ?? 0
  return (
    <header className="flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0">
        <p className="eyebrow mb-1 flex flex-wrap items-center gap-2">
          {[named(`kind_${facts.category_code}`, facts.category), normalizeChain(facts.chain)]
            .filter(Boolean)
            .join(' · ')}
          <Stars value={facts.star_rating} />
        </p>
        <h1 className="text-3xl">{facts.name}</h1>
        <p className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
          <GuestRating overall={rating} count={facts.review_count} />
          {address !== '' && (
            <span className="flex items-center gap-1.5 text-muted">
              <Icon name="pin" className="size-4" />
              {address}
            </span>
          )}
        </p>
      </div>
      {first === undefined && overview === undefined && card !== undefined && (
        <span className="font-serif text-xl font-semibold max-sm:hidden">
          <MarkedMoney total={card.total_price} currency={card.currency} converted={card.converted} />
        </span>
      )}
      {first !== undefined && (
        <a href="#rooms" className="btn btn-primary max-sm:hidden">
          {t('choose_room')} · {first.converted_from !== null && '≈ '}
          <Money amount={first.total_inclusive} currency={first.currency} />
        </a>
      )}
    </header>
  )
}

/** On phones, price and button stick to the bottom unless the screen is low or the text large. */
function PhoneFooter({ first, stay }: { first: Room; stay: Party }) {
  const { t } = useI18n()
  const text = useTotalText(stay.nights, stay.rooms)
  return (
    <div className="bottom-0 z-20 -mx-4 flex flex-wrap items-center justify-between gap-x-4 border-t border-line bg-surface px-4 py-2.5 sm:hidden [@media(min-height:30rem)]:sticky">
      <span className="min-w-0 flex-1 basis-28 text-xs text-muted">
        <span className="block font-serif text-lg font-semibold text-ink">
          {first.converted_from !== null && '≈ '}
          <Money amount={first.total_inclusive} currency={first.currency} className="font-serif" />
        </span>
        {text}
        <TextFees as="span" isBrief notices={first.notices} stay={stay} hasPricedFees={first.due_at_property > 0} />
      </span>
      <a href="#rooms" className="btn btn-primary">
        {t('choose_room')}
      </a>
    </div>
  )
}

function PropertySkeleton({ image }: { image: string }) {
  return (
    <div className="flex flex-col gap-6" aria-hidden="true">
      {image === '' ? (
        <div className="skeleton h-[26rem] rounded-lg" />
      ) : (
        <Picture src={image} alt="" eager className="aspect-[4/3] w-full rounded-lg sm:aspect-auto sm:h-[26rem]" />
      )}
      <div className="skeleton h-56 rounded-lg" />
      <div className="skeleton h-56 rounded-lg" />
    </div>
  )
}
