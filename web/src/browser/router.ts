import { useMemo, useSyncExternalStore } from 'react'
import { randomId } from '../../../packages/client/src/random-id.ts'
import { createListeners, type Listener } from './listeners.ts'

/** A minimal router: the path names the page, the query holds its state. */
export type Address = { readonly path: string; readonly query: URLSearchParams }

/** True in the operators' part of the page, which has neither languages nor currencies. */
export const isConsole = (path: string): boolean => /^\/console(\/|$)/.test(path)

const listeners = createListeners()
const scrollPositions = new Map<string, number>()
const followedLinks = new Map<string, string>()
let wasPopped = false

const historyKey = (): string => (history.state as { key?: string } | null)?.key ?? 'first'

export function startRouter(): void {
  history.scrollRestoration = 'manual'
  restoreAfterReload()
  addEventListener('scrollend', () => scrollPositions.set(historyKey(), scrollY))
  addEventListener('popstate', () => {
    wasPopped = true
    listeners.notify()
  })
  document.addEventListener('click', followLink)
}

const SCROLL_KEY = 'serai.scroll'

/** A reload continues at the same place. */
function restoreAfterReload(): void {
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(SCROLL_KEY, JSON.stringify({ key: historyKey(), y: scrollY }))
    } catch {
      // Storage may be full or blocked; the page then opens at its top.
    }
  })
  const [opened] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const left = JSON.parse(sessionStorage.getItem(SCROLL_KEY) ?? 'null') as { key: string; y: number } | null
  if (opened?.type !== 'reload' || left?.key !== historyKey()) return
  scrollPositions.set(left.key, left.y)
  wasPopped = true
}

export function navigate(to: string, options: { replace?: boolean; keepScroll?: boolean } = {}): void {
  if (options.replace) {
    history.replaceState({ ...history.state, key: historyKey() }, '', to)
  } else {
    scrollPositions.set(historyKey(), scrollY)
    history.pushState({ key: randomId('page'), from: location.pathname + location.search }, '', to)
    if (options.keepScroll !== true) scrollTo(0, 0)
  }
  wasPopped = false
  listeners.notify()
}

/** Goes back if the page was opened from this address, so that it is found as it was left. */
export function returnTo(to: string): void {
  if ((history.state as { from?: string } | null)?.from === to) history.back()
  else navigate(to)
}

export function useAddress(): Address {
  const text = useSyncExternalStore(listeners.subscribe, () => location.pathname + location.search)
  return useMemo(() => {
    const { pathname, searchParams } = new URL(text, 'http://page')
    return { path: pathname, query: searchParams }
  }, [text])
}

/** After the back button, restores the scroll position once the page is tall enough. */
export function restoreScroll(): void {
  if (!wasPopped) return
  const wanted = scrollPositions.get(historyKey()) ?? 0
  const until = performance.now() + 1000
  const attempt = () => {
    const reachable = document.documentElement.scrollHeight - innerHeight >= wanted
    if (reachable || performance.now() > until) scrollTo(0, wanted)
    else requestAnimationFrame(attempt)
  }
  attempt()
}

/** True if the page was reached with the back button. */
export const isBackNavigation = (): boolean => wasPopped

/** The link that was last followed from this page. */
export const lastFollowedLink = (): string | undefined => followedLinks.get(historyKey())

/** Handles clicks on plain links, so that "open in new tab" and "copy address" keep working. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.target !== '' || link.origin !== location.origin || link.hasAttribute('download')) return
  if (/^\/(docs|openapi\.json|api)/.test(link.pathname) || (link.hash !== '' && link.pathname === location.pathname))
    return
  event.preventDefault()
  followedLinks.set(historyKey(), link.getAttribute('href') ?? '')
  navigate(link.pathname + link.search)
}

/** Runs the listener on every change of the address, before the page is rendered. */
export function onNavigate(listener: Listener): void {
  listeners.subscribe(listener)
}
