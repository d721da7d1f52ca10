import { type ReactNode, useEffect, useRef } from 'react'
import { isBackNavigation, lastFollowedLink, restoreScroll } from '../browser/router.ts'

type Props = {
  title: string
  className?: string
  /** When it changes, the heading gets focus if the focused element is gone. */
  focusKey?: string
  children: ReactNode
}

let isFirstPage = true

/** Sets the title and, after navigation, focuses the heading, or the followed link after the back button. */
export function Page({ title, className = 'wrap py-8', focusKey = '', children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const shown = useRef<string>(undefined)
  useEffect(() => {
    document.title = `${title} · Serai`
  }, [title])
  useEffect(() => {
    const isNew = shown.current === undefined
    const isFirst = isFirstPage
    shown.current = focusKey
    isFirstPage = false
    if (isNew) restoreScroll()
    if ((isFirst && isNew) || frame.current === null) return
    if (!isNew && !isFocusLost()) return
    return focusWhenReady(frame.current, isBackNavigation() ? lastFollowedLink() : undefined)
  }, [focusKey])
  return (
    <div ref={frame} className={className}>
      {children}
    </div>
  )
}

const isFocusLost = () => document.activeElement === null || document.activeElement === document.body

export function focusHeading(): void {
  const main = document.getElementById('main')
  if (main !== null) focusWhenReady(main, undefined)
}

/** Matches by path: the query of result links changes when the search ends. */
function findLink(frame: HTMLElement, href: string): HTMLElement | null {
  const path = CSS.escape(href.split('?')[0] ?? '')
  return frame.querySelector(`a[href="${path}"], a[href^="${path}?"]`)
}

/** Waits for the element, unless the visitor focuses something else first. */
function focusWhenReady(frame: HTMLElement, href: string | undefined): () => void {
  const attempt = (): boolean => {
    const link = href === undefined ? null : findLink(frame, href)
    const target = link ?? frame.querySelector('h1')
    if (target === null) return false
    if (link === null) target.setAttribute('tabindex', '-1')
    target.focus({ preventScroll: true })
    return true
  }
  if (attempt()) return () => undefined
  const observer = new MutationObserver(() => {
    if (!isFocusLost() || attempt()) observer.disconnect()
  })
  observer.observe(frame, { childList: true, subtree: true })
  return () => observer.disconnect()
}
