import { type ReactNode, useEffect, useRef } from 'react'
import { cameBack, restoreScroll } from '../state/router.ts'

type Props = { title: string; className?: string; children: ReactNode }

let first = true

/**
 * A page of the application: names the window, and gives focus to its heading when one was navigated to, as a browser
 * would begin to read a new page at its top.
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
