import { setPreferences, usePreferences } from '../browser/preferences.ts'
import { navigate, onNavigate, useAddress } from '../browser/router.ts'
import { loadPageConfig } from '../session/session.ts'
import { convertRun } from './search-store.ts'
import { readLink, toStayForm, writeStay } from './stay-form.ts'

/** Page whose prices were refreshed after a change of currency, while it is open. */
let changedPage: string | undefined
onNavigate(() => {
  if (changedPage !== pageKey(location)) changedPage = undefined
})

/** Identifies a page of prices by its stay, without filters and order. */
const pageKey = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string =>
  `${pathname} ${stayKey(search)}`

const stayKey = (search: string): string => writeStay(toStayForm(readLink(new URLSearchParams(search)))).toString()

/**
 * Shows the open list or property in the new currency. A complete list is converted, everything else is asked for again.
 * Removes price limits, which are in the old currency.
 */
export async function changeCurrency(currency: string): Promise<void> {
  setPreferences({ currency })
  if (!/^\/(search|property\/)/.test(location.pathname)) return
  const { exchange_rates: rates } = await loadPageConfig()
  const { pathname, search } = location
  const query = new URLSearchParams(search)
  const key = stayKey(search)
  query.set('cur', currency)
  for (const name of ['search_id', 'min', 'max']) query.delete(name)
  const isConverted = pathname === '/search' && convertRun(key, stayKey(`${query}`), currency, rates)
  changedPage = isConverted ? undefined : pageKey({ pathname, search: `${query}` })
  navigate(`${pathname}?${query}`, { replace: true })
}

/** Currency of the prices shown; a link may name another one than the visitor prefers. */
export function useCurrency(): string {
  const { currency } = usePreferences()
  const named = useAddress().query.get('cur') ?? ''
  return /^[A-Z]{3}$/.test(named) ? named : currency
}

/** True if the prices were refreshed because the visitor changed the currency. */
export const wasCurrencyJustChosen = (): boolean => changedPage !== undefined
