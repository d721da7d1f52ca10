import { prefer, usePreferences } from './preferences.ts'
import { navigate, useAddress } from './router.ts'

let chosen: string | undefined

/**
 * Takes effect at once: the prices of the list or property that is open are asked for again in the new currency.
 * Limits of the price filter are amounts of the old one, and go.
 */
export function changeCurrency(currency: string): void {
  chosen = currency
  prefer({ currency })
  const query = new URLSearchParams(location.search)
  if (!/^\/(search|property\/)/.test(location.pathname)) return
  query.set('cur', currency)
  for (const name of ['search_id', 'min', 'max']) query.delete(name)
  navigate(`${location.pathname}?${query}`, { replace: true })
}

/** Of the prices that are shown: a link may name another currency than the one this visitor prefers. */
export function useCurrency(): string {
  const { currency } = usePreferences()
  const named = useAddress().query.get('cur') ?? ''
  return /^[A-Z]{3}$/.test(named) ? named : currency
}

/** Whether these prices are shown because the visitor has just chosen their currency. */
export const wasJustChosen = (currency: string): boolean => chosen === currency
