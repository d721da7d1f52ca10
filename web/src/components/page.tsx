import { type ReactNode, useEffect, useRef } from 'react'
import { cameBack, restoreScroll } from '../state/router.ts'

type Props = { title: string; className?: string; children: ReactNode }

let first = true

/**
 * Sets the window title and, after navigation, moves focus to the heading, as loading a new document would.
 */
export function Page({ title, className = 'wrap py-8', children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    document.title = `${title} · Serai`
  }, [title])
  useEffect(() => {
    const heading = frame.current?.querySelector('h1')
    if (!first && !cameBack()) {
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    }
    first = false
    restoreScroll()
  }, [])
  return (
    <div ref={frame} className={className}>
      {children}
    </div>
  )
}
