import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

export const LOCALES = ['en', 'de'] as const
export type Locale = (typeof LOCALES)[number]
/** Each in its own language. */
export const LANGUAGE_NAMES: Record<Locale, string> = { en: 'English', de: 'Deutsch' }
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
export const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'PLN', 'JPY', 'INR', 'AED', 'AUD', 'CAD', 'BRL'] as const

export type Preferences = { readonly locale: Locale; readonly theme: Theme; readonly currency: string }

const KEY = 'serai.preferences'
const EURO = 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'
const OTHERS: Record<string, string> = {
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
let current: Preferences = { ...guess(), ...readStored() }

export const preferences = (): Preferences => current
export const usePreferences = (): Preferences => useSyncExternalStore(listeners.subscribe, preferences)

export function prefer(change: Partial<Preferences>): void {
  current = { ...current, ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // Storage may be full or forbidden; then it holds until the page is closed.
  }
  applyTheme()
  listeners.tell()
}

/** The colours of each are in styles.css. A `color-scheme` set here would not change them: the build replaces `light-dark()`. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = current.theme
}

/** The browser's own locale (`en-GB`), so that dates and prices look as usual for the user. */
export function formattingLocale(locale: Locale): string {
  return navigator.languages.find((language) => language.toLowerCase().startsWith(locale)) ?? locale
}

/** The guest's market, where the browser names one. */
export function regionOf(language = navigator.language): string | undefined {
  try {
    const { region } = new Intl.Locale(language)
    // Some are areas of several countries, such as 419.
    return region !== undefined && /^[A-Z]{2}$/.test(region) ? region : undefined
  } catch {
    return undefined
  }
}

function guess(): Preferences {
  const region = regionOf() ?? ''
  const locale = navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en'
  const euro = locale === 'de' || EURO.split(' ').includes(region)
  return { locale, theme: 'system', currency: OTHERS[region] ?? (euro ? 'EUR' : 'USD') }
}

function readStored(): Partial<Preferences> {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>
    return {
      ...(LOCALES.some((locale) => locale === stored.locale) ? { locale: stored.locale } : {}),
      ...(THEMES.some((theme) => theme === stored.theme) ? { theme: stored.theme } : {}),
      ...(CURRENCIES.some((code) => code === stored.currency) ? { currency: stored.currency } : {}),
    } as Partial<Preferences>
  } catch {
    return {}
  }
}
