import { useQueryClient } from '@tanstack/react-query'
import { signOut } from './api/operations.ts'
import { useWide } from './browser/media.ts'
import {
  languageName,
  OFFERED_CURRENCIES,
  PAGE_LOCALES,
  setPreferences,
  THEMES,
  type Theme,
  usePreferences,
} from './browser/preferences.ts'
import { isConsole, navigate, useAddress } from './browser/router.ts'
import { useI18n } from './i18n/i18n.tsx'
import { changeCurrency, useCurrency } from './search/currency.ts'
import { askForSignIn, useSession } from './session/session.ts'
import { Icon, Mark } from './ui/icon.tsx'

export function SiteHeader() {
  const { t } = useI18n()
  const { session } = useSession()
  const client = useQueryClient()
  const leave = async () => {
    await signOut()
    client.clear()
    navigate('/')
  }
  return (
    <header className="no-print on-night bg-night-deep text-parchment">
      <div className="mx-auto flex min-h-14 max-w-[108rem] items-center gap-1 py-1 pr-3 pl-4 sm:gap-3 sm:px-6 lg:px-10">
        <a
          href="/"
          className="flex min-h-11 min-w-11 items-center gap-2.5 font-serif text-xl font-semibold"
          aria-label={t('home_link')}
        >
          <Mark className="size-7" />
          <span className="max-sm:hidden">Serai</span>
        </a>
        {/* Wraps on the narrowest phones, where German words or the operator's link do not fit. */}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-x-1 sm:gap-x-3">
          <div className="flex flex-wrap items-center justify-end gap-1.5">
            <CurrencyChoice />
            <LanguageChoice />
          </div>
          <nav className="flex flex-wrap items-center justify-end gap-1 text-sm" aria-label={t('account_menu')}>
            <a
              href="/bookings"
              className="flex min-h-11 min-w-11 items-center justify-center rounded-sm hover:underline sm:px-3"
            >
              <Icon name="bed" className="size-5 sm:hidden" />
              <span className="max-sm:sr-only">{t('my_bookings')}</span>
            </a>
            {session?.account.role === 'operator' && (
              <a
                href="/console"
                className="flex min-h-11 min-w-9 items-center justify-center rounded-sm hover:underline sm:px-3"
              >
                <Icon name="list" className="size-5 sm:hidden" />
                <span className="max-sm:sr-only">{t('console')}</span>
              </a>
            )}
            {session === undefined ? (
              <button
                type="button"
                className="min-h-11 rounded-sm border border-parchment/40 px-2 font-semibold whitespace-nowrap hover:bg-parchment hover:text-night-deep sm:px-4"
                onClick={askForSignIn}
              >
                {t('sign_in')}
              </button>
            ) : (
              <button
                type="button"
                className="min-h-11 rounded-sm px-2 whitespace-nowrap hover:underline sm:px-3"
                onClick={leave}
                title={t('signed_in_as', { name: session.account.email })}
              >
                {t('sign_out')}
              </button>
            )}
          </nav>
        </div>
      </div>
    </header>
  )
}

const HEADER_FIELD =
  'min-h-11 rounded-sm border border-parchment/40 bg-night-deep px-1.5 text-sm text-parchment hover:border-parchment'

/** Hidden where prices have the vendor's currency and a choice would have no effect. */
function CurrencyChoice() {
  const { t } = useI18n()
  const { path } = useAddress()
  const currency = useCurrency()
  const codes: readonly string[] = OFFERED_CURRENCIES
  if (/^\/(checkout|bookings)\b/.test(path) || isConsole(path)) return null
  const options = codes.includes(currency) ? codes : [currency, ...codes]
  return (
    <select
      className={HEADER_FIELD}
      aria-label={t('currency')}
      value={currency}
      onChange={(event) => changeCurrency(event.target.value)}
    >
      {options.map((code) => (
        <option key={code}>{code}</option>
      ))}
    </select>
  )
}

function LanguageChoice() {
  const { t } = useI18n()
  const { locale } = usePreferences()
  const isWide = useWide('40rem')
  const { path } = useAddress()
  // The console is in English.
  if (isConsole(path)) return null
  return (
    <select
      className={HEADER_FIELD}
      aria-label={t('language')}
      value={locale}
      onChange={(event) => setPreferences({ locale: event.target.value })}
    >
      {PAGE_LOCALES.map((each) => (
        <option key={each} value={each} lang={each}>
          {isWide ? languageName(each) : each.toUpperCase()}
        </option>
      ))}
    </select>
  )
}

export function SiteFooter() {
  const { t } = useI18n()
  const { theme } = usePreferences()
  return (
    <footer className="no-print mt-auto border-t border-line bg-sunk">
      <div className="wrap flex flex-wrap items-end justify-between gap-6 py-8 text-sm">
        <div className="max-w-sm text-muted">
          <p className="flex items-center gap-2 font-serif text-lg font-semibold text-ink">
            <Mark className="size-6" />
            Serai
          </p>
          <p className="mt-1">{t('footer_text')}</p>
          <p className="mt-1">
            <a className="link" href="/docs">
              {t('api_reference')}
            </a>
          </p>
        </div>
        <label className="flex flex-col gap-0.5 text-xs text-muted">
          {t('theme')}
          <select
            className="field w-auto text-sm"
            value={theme}
            onChange={(event) => setPreferences({ theme: event.target.value as Theme })}
          >
            {THEMES.map((each) => (
              <option key={each} value={each}>
                {t(`theme_${each}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
    </footer>
  )
}
