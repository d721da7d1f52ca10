import { setPreferences, usePreferences } from '../browser/preferences.ts'
import { navigate, onNavigate, useAddress } from '../browser/router.ts'
import { readLink, toStayForm, writeStay } from './stay-form.ts'

/** Page whose prices were refreshed after a change of currency, while it is open. */
let changedPage: string | undefined
onNavigate(() => {
  if (changedPage !== pageKey(location)) changedPage = undefined
})

/** Identifies a page of prices by its stay, without filters and order. */
const pageKey = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string =>
  `${pathname} ${writeStay(toStayForm(readLink(new URLSearchParams(search))))}`

/** Refreshes the open list or property in the new currency. Removes price limits, which are in the old one. */
export function changeCurrency(currency: string): void {
  setPreferences({ currency })
  const query = new URLSearchParams(location.search)
  if (!/^\/(search|property\/)/.test(location.pathname)) return
  query.set('cur', currency)
  for (const name of ['search_id', 'min', 'max']) query.delete(name)
  changedPage = pageKey({ pathname: location.pathname, search: `${query}` })
  navigate(`${location.pathname}?${query}`, { replace: true })
}

/** Currency of the prices shown; a link may name another one than the visitor prefers. */
export function useCurrency(): string {
  const { currency } = usePreferences()
  const named = useAddress().query.get('cur') ?? ''
  return /^[A-Z]{3}$/.test(named) ? named : currency
}

/** True if the prices were refreshed because the visitor changed the currency. */
export const wasCurrencyJustChosen = (): boolean => changedPage !== undefined
