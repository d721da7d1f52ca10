import { prefer, usePreferences } from '../browser/preferences.ts'
import { navigate, onNavigate, useAddress } from '../browser/router.ts'
import { readLink, stayOf, writeStay } from './stay-form.ts'

/** The page whose prices were asked for again because the visitor chose another currency, for as long as it is open. */
let asked: string | undefined
onNavigate(() => {
  if (asked !== pageOf(location)) asked = undefined
})

/** A page of prices without its filters and order: other dates or guests make another one. */
const pageOf = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string =>
  `${pathname} ${writeStay(stayOf(readLink(new URLSearchParams(search))))}`

/**
 * Takes effect at once: the prices of the list or property that is open are asked for again in the new currency.
 * Limits of the price filter are amounts of the old one, and go.
 */
export function changeCurrency(currency: string): void {
  prefer({ currency })
  const query = new URLSearchParams(location.search)
  if (!/^\/(search|property\/)/.test(location.pathname)) return
  query.set('cur', currency)
  for (const name of ['search_id', 'min', 'max']) query.delete(name)
  asked = pageOf({ pathname: location.pathname, search: `${query}` })
  navigate(`${location.pathname}?${query}`, { replace: true })
}

/** Of the prices that are shown: a link may name another currency than the one this visitor prefers. */
export function useCurrency(): string {
  const { currency } = usePreferences()
  const named = useAddress().query.get('cur') ?? ''
  return /^[A-Z]{3}$/.test(named) ? named : currency
}

/** Whether the prices of this page are shown because the visitor has just chosen their currency. */
export const wasJustChosen = (): boolean => asked !== undefined
