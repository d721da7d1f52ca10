import format from 'icu-minify/format'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { formattingLocale, type Locale, usePreferences } from '../browser/preferences.ts'
import { amenityName } from './amenity-names.ts'
import { en, type MessageKey, type Messages } from './en.ts'
import { createFormats, type Formats } from './format.ts'

type Values = Readonly<Record<string, string | number>>

export type I18n = Formats & {
  readonly language: Locale
  /** Chosen language that could not be loaded; English is shown instead. */
  readonly missing: Locale | undefined
  amenity(slug: string): string
  /** Translates a short word of a vendor's content (amenity, bed, fee); returns it unchanged if unknown. */
  word(text: string): string
  /** Translates a place name such as "Munich, Bavaria, Germany", as far as known. */
  placeName(name: string): string
  /** Text for a key with its values; the build compiles the messages. */
  t(key: MessageKey, values?: Values): string
  has(key: string): key is MessageKey
}

type Language = {
  readonly messages: Messages
  word(text: string): string | undefined
  placeName(name: string): string
}

/** English is part of the first download; other languages are loaded when chosen. */
const LOADERS: Record<Exclude<Locale, 'en'>, () => Promise<Language>> = {
  de: async () => {
    const [{ de }, { translatePlace: germanPlace, translateWord: germanWord }] = await Promise.all([
      import('./de.ts'),
      import('./de-words.ts'),
    ])
    return { messages: de, word: germanWord, placeName: germanPlace }
  },
}
const ENGLISH: Language = { messages: en, word: () => undefined, placeName: (name) => name }
const loaded = new Map<Locale, Language>([['en', ENGLISH]])

/** Returns true if the language is available. */
export async function loadMessages(locale: Locale): Promise<boolean> {
  if (locale === 'en' || loaded.has(locale)) return true
  try {
    loaded.set(locale, await LOADERS[locale]())
    return true
  } catch {
    return false
  }
}

function createI18n(locale: Locale, missing?: Locale): I18n {
  const formats = createFormats(formattingLocale(locale))
  const { messages, word, placeName } = loaded.get(locale) ?? ENGLISH
  return {
    ...formats,
    language: locale,
    missing,
    amenity: (slug) => amenityName(slug, locale),
    word: (text) => word(text) ?? text,
    placeName,
    t(key, values = {}) {
      return format(messages[key], formats.locale, values, formats) as string
    },
    has: (key): key is MessageKey => Object.hasOwn(messages, key),
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
    loadMessages(locale).then(
      (isLoaded) => current && setShown(isLoaded ? { language: locale } : { language: 'en', missing: locale }),
    )
    return () => {
      current = false
    }
  }, [locale])
  useEffect(() => {
    document.documentElement.lang = shown.language
  }, [shown])
  const i18n = useMemo(() => createI18n(shown.language, shown.missing), [shown])
  return (
    <I18nContext value={i18n}>
      <I18nProvider locale={i18n.locale}>{children}</I18nProvider>
    </I18nContext>
  )
}
