import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

/** Each language is one file of messages. */
export const PAGE_LOCALES = [
  'en',
  ...Object.keys(import.meta.glob(['../i18n/??.ts', '!../i18n/en.ts'])).flatMap(readLanguage),
]
export type Locale = string
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
export const OFFERED_CURRENCIES = [
  'EUR',
  'USD',
  'GBP',
  'CHF',
  'SEK',
  'PLN',
  'JPY',
  'INR',
  'AED',
  'AUD',
  'CAD',
  'BRL',
] as const

export type Preferences = { readonly locale: Locale; readonly theme: Theme; readonly currency: string }

function readLanguage(path: string): string[] {
  return /[a-z]{2}(?=\.ts$)/.exec(path) ?? []
}

/** Name of a language in that language. */
export const languageName = (locale: Locale): string =>
  new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale

const KEY = 'serai.preferences'
const EURO_COUNTRIES = 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'
const CURRENCY_BY_COUNTRY: Record<string, string> = {
  US: 'USD',
  GB: 'GBP',
  CH: 'CHF',
  SE: 'SEK',
  PL: 'PLN',
  JP: 'JPY',
  IN: 'INR',
  AE: 'AED',
  AU: 'AUD',
  CA: 'CAD',
  BR: 'BRL',
}

const listeners = createListeners()
let current: Preferences = { ...guessPreferences(), ...readStored() }

export const getPreferences = (): Preferences => current
export const usePreferences = (): Preferences => useSyncExternalStore(listeners.subscribe, getPreferences)

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // Storage may be full or blocked; the preference then lasts until the page is closed.
  }
  applyTheme()
  listeners.notify()
}

/** styles.css defines the colours. Setting `color-scheme` here would not change them: the build replaces `light-dark()`. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = current.theme
}

/**
 * Prefers the browser's own variant (`en-US`), so that dates and prices look familiar. If English is not the browser's
 * first language, its variant is often only the default of the browser, whose American dates visitors misread.
 */
export function formattingLocale(locale: Locale): string {
  const own = navigator.languages.find((language) => language.toLowerCase().startsWith(locale))
  if (locale !== 'en') return own ?? locale
  const isFirst = own === navigator.language
  const isOfRegion = own !== undefined && readRegion(own) !== undefined && readRegion(own) === readRegion()
  return isFirst || isOfRegion ? own : 'en-GB'
}

/** Country of the browser's language; undefined if it names none. */
export function readRegion(language = navigator.language): string | undefined {
  try {
    const { region } = new Intl.Locale(language)
    // Regions such as 419 cover several countries.
    return region !== undefined && /^[A-Z]{2}$/.test(region) ? region : undefined
  } catch {
    return undefined
  }
}

function guessPreferences(): Preferences {
  const region = readRegion() ?? ''
  const locale = PAGE_LOCALES.find((each) => navigator.language.toLowerCase().startsWith(each)) ?? 'en'
  const euro = locale === 'de' || EURO_COUNTRIES.split(' ').includes(region)
  return { locale, theme: 'system', currency: CURRENCY_BY_COUNTRY[region] ?? (euro ? 'EUR' : 'USD') }
}

function readStored(): Partial<Preferences> {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>
    return {
      ...(PAGE_LOCALES.some((locale) => locale === stored.locale) ? { locale: stored.locale } : {}),
      ...(THEMES.some((theme) => theme === stored.theme) ? { theme: stored.theme } : {}),
      ...(OFFERED_CURRENCIES.some((code) => code === stored.currency) ? { currency: stored.currency } : {}),
    } as Partial<Preferences>
  } catch {
    return {}
  }
}
