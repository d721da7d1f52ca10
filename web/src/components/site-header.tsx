import { useQueryClient } from '@tanstack/react-query'
import { signOut } from '../api/operations.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { CURRENCIES, LOCALES, type Locale, prefer, THEMES, type Theme, usePreferences } from '../state/preferences.ts'
import { navigate } from '../state/router.ts'
import { askForSignIn, useSession } from '../state/session.ts'
import { Mark } from './icon.tsx'

const LANGUAGE_NAMES: Record<Locale, string> = { en: 'English', de: 'Deutsch' }

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
      <div className="mx-auto flex min-h-16 max-w-[108rem] items-center gap-1 px-4 sm:gap-3 sm:px-6 lg:px-10">
        <a
          href="/"
          className="flex min-h-11 items-center gap-2.5 font-serif text-xl font-semibold"
          aria-label={t('home_link')}
        >
          <Mark className="size-7" />
          Serai
        </a>
        <nav className="ml-auto flex items-center gap-1 text-sm">
          <a href="/bookings" className="flex min-h-11 items-center rounded-sm px-3 hover:underline">
            {t('my_bookings')}
          </a>
          {session === undefined ? (
            <button
              type="button"
              className="min-h-11 rounded-sm border border-parchment/40 px-4 font-semibold hover:bg-parchment hover:text-night-deep"
              onClick={askForSignIn}
            >
              {t('sign_in')}
            </button>
          ) : (
            <button
              type="button"
              className="min-h-11 rounded-sm px-3 hover:underline"
              onClick={leave}
              title={t('signed_in_as', { name: session.account.email })}
            >
              {t('sign_out')}
            </button>
          )}
        </nav>
      </div>
    </header>
  )
}

export function SiteFooter() {
  const { t } = useI18n()
  const { locale, theme, currency } = usePreferences()
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
        <div className="flex flex-wrap gap-3">
          <Choice
            label={t('language')}
            value={locale}
            options={LOCALES.map((each) => [each, LANGUAGE_NAMES[each]])}
            onValue={(value) => prefer({ locale: value as Locale })}
          />
          <Choice
            label={t('currency')}
            value={currency}
            options={CURRENCIES.map((each) => [each, each])}
            onValue={(value) => prefer({ currency: value })}
          />
          <Choice
            label={t('theme')}
            value={theme}
            options={THEMES.map((each) => [each, t(`theme_${each}`)])}
            onValue={(value) => prefer({ theme: value as Theme })}
          />
        </div>
      </div>
    </footer>
  )
}

type ChoiceProps = {
  label: string
  value: string
  options: readonly (readonly [value: string, name: string])[]
  onValue(value: string): void
}

function Choice({ label, value, options, onValue }: ChoiceProps) {
  return (
    <label className="flex flex-col gap-0.5 text-xs text-muted">
      {label}
      <select className="field w-auto text-sm" value={value} onChange={(event) => onValue(event.target.value)}>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
