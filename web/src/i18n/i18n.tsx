import format from 'icu-minify/format'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { STAY_BOUNDS } from '../api/service-rules.ts'
import { formattingLocale, type Locale, usePreferences } from '../browser/preferences.ts'
import { en, type MessageKey, type Messages } from './en.ts'
import { createFormats, type Formats } from './format.ts'

type Values = Readonly<Record<string, string | number>>

export type I18n = Formats & {
  readonly language: Locale
  /** Chosen language that could not be loaded; English is shown instead. */
  readonly missing: Locale | undefined
  /** Name of an amenity of ours; another vendor's slug is shown as text. */
  amenity(slug: string): string
  /** Text for a key that ends with a code of the service, or `fallback` if there is none. */
  named(key: string, fallback: string): string
  /** Text for a key with its values and the limits of a stay; the build compiles the messages. */
  t(key: MessageKey, values?: Values): string
  has(key: string): key is MessageKey
}

/** English is part of the first download; other languages are loaded when chosen. */
const MESSAGES = import.meta.glob<Record<string, Messages>>(['./??.ts', '!./en.ts'])

const loaded = new Map<Locale, Messages>([['en', en]])

/** Returns true if the language is available. */
export async function loadMessages(locale: Locale): Promise<boolean> {
  if (loaded.has(locale)) return true
  const module = await MESSAGES[`./${locale}.ts`]?.().catch(() => undefined)
  const messages = module?.[locale]
  if (messages !== undefined) loaded.set(locale, messages)
  return messages !== undefined
}

function createI18n(locale: Locale, missing?: Locale): I18n {
  const formats = createFormats(formattingLocale(locale))
  const messages = loaded.get(locale) ?? en
  const has = (key: string): key is MessageKey => Object.hasOwn(messages, key)
  const t: I18n['t'] = (key, values = {}) =>
    format(messages[key], formats.locale, { ...STAY_BOUNDS, ...values }, formats) as string
  const named: I18n['named'] = (key, fallback) => (has(key) ? t(key) : fallback)
  return {
    ...formats,
    language: locale,
    missing,
    amenity: (slug) =>
      named(
        `amenity_${slug}`,
        slug.replaceAll('_', ' ').replace(/^\p{L}/u, (letter) => letter.toUpperCase()),
      ),
    named,
    t,
    has,
  }
}

const I18nContext = createContext<I18n | undefined>(undefined)

export function useI18n(): I18n {
  const i18n = use(I18nContext)
  if (i18n === undefined) throw new Error('useI18n needs a LanguageProvider around it')
  return i18n
}

/** For the console, which is in English only. */
export function EnglishOnly({ children }: { children: ReactNode }) {
  const i18n = useMemo(() => createI18n('en'), [])
  return (
    <I18nContext value={i18n}>
      <I18nProvider locale={i18n.locale}>
        <div lang="en">{children}</div>
      </I18nProvider>
    </I18nContext>
  )
}

type Shown = { readonly language: Locale; readonly missing?: Locale }

export function LanguageProvider({ children }: { children: ReactNode }) {
  const { locale } = usePreferences()
  const [shown, setShown] = useState<Shown>({ language: loaded.has(locale) ? locale : 'en' })
  useEffect(() => {
    let current = true
    loadMessages(locale).then((isLoaded) => {
      const next: Shown = isLoaded ? { language: locale } : { language: 'en', missing: locale }
      // The same language again would draw the whole page again.
      if (current) setShown((last) => (last.language === next.language && last.missing === next.missing ? last : next))
    })
    return () => {
      current = false
    }
  }, [locale])
  useEffect(() => {
    const root = document.documentElement
    if (root.lang !== shown.language) root.lang = shown.language
  }, [shown])
  const i18n = useMemo(() => createI18n(shown.language, shown.missing), [shown])
  return (
    <I18nContext value={i18n}>
      <I18nProvider locale={i18n.locale}>{children}</I18nProvider>
    </I18nContext>
  )
}
