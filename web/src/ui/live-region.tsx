import { useEffect, useRef, useState } from 'react'

const QUIET_MS = 2000

/** Announces changes to screen readers, at most every two seconds. */
export function LiveRegion({ text }: { text: string }) {
  const [said, setSaid] = useState('')
  const last = useRef(0)
  useEffect(() => {
    const wait = Math.max(0, last.current + QUIET_MS - performance.now())
    const timer = setTimeout(() => {
      last.current = performance.now()
      setSaid(text)
    }, wait)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {said}
    </p>
  )
}
