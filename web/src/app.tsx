import { type ReactNode, Suspense } from 'react'
import { languageName } from './browser/preferences.ts'
import { isConsole, useAddress } from './browser/router.ts'
import { HomePage } from './home/home-page.tsx'
import { useI18n } from './i18n/i18n.tsx'
import {
  LazyBookingPage,
  LazyBookingsPage,
  LazyCheckoutPage,
  LazyConsole,
  LazyPayPage,
  LazyPropertyPage,
  LazyResultsPage,
  preloadProperty,
  preloadResults,
} from './load-pages.ts'
import { canDrawMaps } from './map/can-draw.ts'
import { useSession } from './session/session.ts'
import { SiteFooter, SiteHeader } from './site-header.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { loadable } from './ui/loadable.tsx'
import { Notice } from './ui/notice.tsx'
import { Page } from './ui/page.tsx'

const SignInDialog = loadable(() =>
  import('./session/sign-in-dialog.tsx').then((module) => ({ default: module.SignInDialog })),
)

export function App() {
  const { t } = useI18n()
  const { path } = useAddress()
  return (
    <div className="flex min-h-dvh flex-col">
      {path === '/search' ? (
        <>
          <SkipLink to="results" text={t('skip_to_results')} />
          <SkipLink to="filters" text={t('skip_to_filters')} className="max-lg:hidden" />
          {canDrawMaps() && <SkipLink to="map" text={t('skip_to_map')} className="max-map:hidden" />}
        </>
      ) : (
        <SkipLink to="main" text={t('skip_to_content')} />
      )}
      <SiteHeader />
      <MissingLanguageNotice />
      <main id="main" tabIndex={-1} className="flex-1">
        <ErrorBoundary key={path} fallback={<BrokenPage />}>
          <Suspense fallback={<div className="min-h-dvh" />}>
            <Route />
          </Suspense>
        </ErrorBoundary>
      </main>
      {!isConsole(path) && <SiteFooter />}
      <SignIn />
    </div>
  )
}

/** Only a reload requests failed files again. */
function MissingLanguageNotice() {
  const { t, missing } = useI18n()
  if (missing === undefined) return null
  const again = (
    <button type="button" className="link min-h-8" onClick={() => location.reload()}>
      {t('try_again')}
    </button>
  )
  return (
    <div className="wrap py-2">
      <Notice tone="warn" role="status" action={again}>
        {t('language_missing', { language: languageName(missing) })}
      </Notice>
    </div>
  )
}

/** Visible while it has focus. */
function SkipLink({ to, text, className = '' }: { to: string; text: string; className?: string }) {
  return (
    <a
      href={`#${to}`}
      className={`btn btn-primary sr-only z-50 focus:not-sr-only focus:absolute focus:top-2 focus:left-2 ${className}`}
    >
      {text}
    </a>
  )
}

/** Loaded when first needed: most visits never see it. */
function SignIn() {
  const { asking } = useSession()
  return <Suspense fallback={null}>{asking !== false && <SignInDialog />}</Suspense>
}

function Route(): ReactNode {
  const { path, query } = useAddress()
  if (path === '/') return <HomePage onSearchFocus={preloadResults} />
  if (path === '/search') return <LazyResultsPage onShown={preloadProperty} />
  // The history may contain several checkouts.
  if (path === '/checkout') return <LazyCheckoutPage key={query.get('id')} />
  if (path === '/bookings') return <LazyBookingsPage />
  if (isConsole(path)) return <LazyConsole />
  const [, section, id = ''] = /^\/(property|bookings|pay)\/([^/]+)$/.exec(path) ?? []
  const name = decodePart(id)
  if (section === 'property' && name !== undefined)
    return <LazyPropertyPage key={path} id={name} onSearchFocus={preloadResults} />
  if (section === 'bookings' && name !== undefined) return <LazyBookingPage key={path} id={name} />
  if (section === 'pay' && name !== undefined) return <LazyPayPage key={path} id={name} />
  return <NotFound />
}

/** Undefined if the part is not valid percent-encoding. */
function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The page's code could not be loaded, for example after a server update; reloading helps. */
function BrokenPage() {
  const { t } = useI18n()
  return (
    <div className="wrap py-8">
      <h1 className="mb-4 text-3xl">{t('problem_title')}</h1>
      <p className="mb-4 text-muted">{t('problem_unreachable')}</p>
      <button type="button" className="btn btn-primary" onClick={() => location.reload()}>
        {t('try_again')}
      </button>
    </div>
  )
}

function NotFound() {
  const { t } = useI18n()
  return (
    <Page title={t('not_found_title')}>
      <h1 className="text-3xl">{t('not_found_title')}</h1>
      <p className="my-4 text-muted">{t('not_found_text')}</p>
      <a className="btn btn-primary" href="/">
        {t('to_start')}
      </a>
    </Page>
  )
}
