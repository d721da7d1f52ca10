import { useEffect, useState } from 'react'

/** Longer than this nobody waits for a busy browser. */
const PATIENCE_MS = 2_000

/** True once the browser has had time to paint what became ready, for work that may come after it. */
export function useIdle(isReady: boolean): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    if (!isReady || isIdle) return
    const go = () => setIdle(true)
    // Safari has no such callback in older versions.
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(go, PATIENCE_MS / 4)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(go, { timeout: PATIENCE_MS })
    return () => cancelIdleCallback(waiting)
  }, [isReady, isIdle])
  return isIdle
}
