import { type ReactNode, useEffect, useRef } from 'react'
import { cameBack, leftBy, restoreScroll } from '../browser/router.ts'

type Props = {
  title: string
  className?: string
  /** When it changes, the page shows something else; if what had focus is gone, the heading gets it. */
  focusKey?: string
  children: ReactNode
}

let first = true

/**
 * Sets the window title and, after navigation, moves focus to the heading, as loading a new document would. After the
 * back button it goes to the link that was followed.
 */
export function Page({ title, className = 'wrap py-8', focusKey = '', children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const shown = useRef<string>(undefined)
  useEffect(() => {
    document.title = `${title} · Serai`
  }, [title])
  useEffect(() => {
    const isNew = shown.current === undefined
    const isFirst = first
    shown.current = focusKey
    first = false
    if (isNew) restoreScroll()
    if ((isFirst && isNew) || frame.current === null) return
    if (!isNew && !isFocusLost()) return
    return focusIn(frame.current, cameBack() ? leftBy() : undefined)
  }, [focusKey])
  return (
    <div ref={frame} className={className}>
      {children}
    </div>
  )
}

const isFocusLost = () => document.activeElement === null || document.activeElement === document.body

/** Focuses the heading of the page that is open. */
export function focusHeading(): void {
  const main = document.getElementById('main')
  if (main !== null) focusIn(main, undefined)
}

/** Finds the link by its path. Its query may have changed: the links of results get the id of their search when it ends. */
function linkIn(frame: HTMLElement, href: string): HTMLElement | null {
  const path = CSS.escape(href.split('?')[0] ?? '')
  return frame.querySelector(`a[href="${path}"], a[href^="${path}?"]`)
}

/** As soon as it is there, and unless the visitor has gone elsewhere in the meantime. */
function focusIn(frame: HTMLElement, href: string | undefined): () => void {
  const attempt = (): boolean => {
    const link = href === undefined ? null : linkIn(frame, href)
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
