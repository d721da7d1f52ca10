import { useState } from 'react'
import { findPlaces, signIn } from '../api/operations.ts'
import { SignInDeclined } from '../api/problem.ts'
import { getPreferences, usePreferences } from '../browser/preferences.ts'
import { navigate } from '../browser/router.ts'
import { useIsMounted } from '../browser/use-is-mounted.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { readRecentSearches } from '../search/recent-searches.ts'
import { LazySearchForm } from '../search/search-form-lazy.tsx'
import { countGuests, nextWeekend, type StayForm, stayAddress, writeStay } from '../search/stay-form.ts'
import { useSession } from '../session/session.ts'
import { usePageConfig } from '../session/use-page-config.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useProblemText } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { HomeBackground } from './home-background.tsx'
import { homeCity, IDEAS } from './home-city.ts'

/** `onSearchFocus` is called before the visitor searches. */
export function HomePage({ onSearchFocus }: { onSearchFocus(): void }) {
  const { t } = useI18n()
  const { session } = useSession()
  const [initial] = useState(() => ({
    placeId: '',
    place: homeCity(),
    ...nextWeekend(),
    rooms: [{ adults: 2, children: [] }],
  }))
  return (
    <Page title={t('home_title')} className="">
      <section className="on-night relative isolate bg-night-deep text-parchment">
        <HomeBackground />
        <div className="wrap relative pt-12 pb-24 sm:pt-20 lg:pb-28">
          <h1 className="max-w-[16ch] text-4xl">{t('home_title')}</h1>
          <p className="mt-4 max-w-[46ch] text-lg opacity-90">{t('home_text')}</p>
        </div>
      </section>
      <div className="wrap relative -mt-16">
        <LazySearchForm initial={initial} onFocus={onSearchFocus} onSearch={(form) => navigate(stayAddress(form))} />
        <DemoLine />
      </div>
      {/* Remounted for each account, so that accounts do not see each other's searches. */}
      <Recent key={session?.account.id} />
      <Ideas />
      <section className="wrap grid gap-8 py-12 sm:grid-cols-3 lg:gap-14">
        <Benefit icon="wallet" title={t('promise_total')} text={t('promise_total_text')} />
        <Benefit icon="check" title={t('promise_once')} text={t('promise_once_text')} />
        <Benefit icon="list" title={t('promise_plain')} text={t('promise_plain_text')} />
      </section>
    </Page>
  )
}

/** Signs in with one click in development. Fixed height, so that it does not shift the page. */
function DemoLine() {
  const { t } = useI18n()
  const { session } = useSession()
  const { data } = usePageConfig()
  const problemText = useProblemText()
  const [error, setError] = useState<string>()
  const demo = data?.demo ?? null
  return (
    <p className="mt-3 flex min-h-11 flex-wrap items-center gap-x-2 text-sm text-muted">
      {demo !== null && session === undefined && (
        <>
          {t('demo_text')}
          <button
            type="button"
            className="link min-h-11 font-semibold"
            onClick={() => signIn(demo.email, demo.password).catch((failure) => setError(problemText(failure)))}
          >
            {t('demo_continue')}
          </button>
          {error !== undefined && (
            <span role="alert" className="text-bad">
              {error}
            </span>
          )}
        </>
      )}
    </p>
  )
}

/** Recent searches of this browser. */
function Recent() {
  const { t, day } = useI18n()
  const { currency } = usePreferences()
  const [searches] = useState(readRecentSearches)
  if (searches.length === 0) return null
  return (
    <section className="wrap pt-6" aria-labelledby="recent">
      <h2 id="recent" className="eyebrow mb-3 font-sans">
        {t('recent')}
      </h2>
      <ul className="flex flex-wrap gap-2">
        {searches.map((stay) => (
          <li key={stay.placeId}>
            <a
              className="card flex min-h-14 flex-col justify-center px-4 py-2 hover:border-accent"
              href={`/search?${writeStay({ ...stay, currency })}`}
            >
              <span className="font-semibold">{stay.place.split(', ')[0]}</span>
              <span className="text-xs text-muted">
                {day(stay.checkIn)} – {day(stay.checkOut)} · {t('guests', { n: guestCount(stay) })}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

const guestCount = ({ rooms }: StayForm): number => {
  const { adults, children } = countGuests(rooms)
  return adults + children
}

function Ideas() {
  const { t } = useI18n()
  const problemText = useProblemText()
  const [error, setError] = useState<string>()
  const [going, setGoing] = useState<string>()
  const isMounted = useIsMounted()
  const go = async (name: (typeof IDEAS)[number]) => {
    if (going !== undefined) return
    setGoing(name)
    setError(undefined)
    try {
      const [place] = await findPlaces(t(`idea_${name}`))
      if (place === undefined || !isMounted.current) return
      const stay = { ...nextWeekend(), rooms: [{ adults: 2, children: [] }], currency: getPreferences().currency }
      navigate(`/search?${writeStay({ placeId: place.id, place: place.name, ...stay })}`)
    } catch (failure) {
      if (!(failure instanceof SignInDeclined)) setError(problemText(failure))
    } finally {
      setGoing(undefined)
    }
  }
  return (
    <section className="wrap pt-6" aria-labelledby="ideas">
      <h2 id="ideas" className="eyebrow mb-3 font-sans">
        {t('ideas')}
      </h2>
      <ul className="flex flex-wrap gap-2">
        {IDEAS.map((name) => (
          <li key={name}>
            <button
              type="button"
              className="btn btn-quiet rounded-full font-serif text-base font-normal"
              aria-disabled={going !== undefined}
              onClick={() => go(name)}
            >
              {t(`idea_${name}`)}
              {name === going && ' …'}
            </button>
          </li>
        ))}
      </ul>
      {error !== undefined && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {error}
        </p>
      )}
    </section>
  )
}

function Benefit({ icon, title, text }: { icon: IconName; title: string; text: string }) {
  return (
    <div className="border-t-2 border-ink pt-4">
      <Icon name={icon} className="mb-3 size-6 text-accent" />
      <h2 className="text-xl">{title}</h2>
      <p className="mt-1 max-w-[38ch] text-muted">{text}</p>
    </div>
  )
}
