import { useEffect, useRef, useState } from 'react'

const QUIET_MS = 2000

/** Tells screen readers how things stand, politely and at most every two seconds. */
export function LiveRegion({ words }: { words: string }) {
  const [said, setSaid] = useState('')
  const last = useRef(0)
  useEffect(() => {
    const wait = Math.max(0, last.current + QUIET_MS - performance.now())
    const timer = setTimeout(() => {
      last.current = performance.now()
      setSaid(words)
    }, wait)
    return () => clearTimeout(timer)
  }, [words])
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {said}
    </p>
  )
}
