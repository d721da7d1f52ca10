import { useEffect, useState } from 'react'

/** Maximum wait for a busy browser. */
const MAX_WAIT_MS = 2_000

/** True once the browser has painted what became ready; for work that can wait. */
export function useIdle(isReady: boolean): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    if (!isReady || isIdle) return
    const go = () => setIdle(true)
    // Older versions of Safari lack this callback.
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(go, MAX_WAIT_MS / 4)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(go, { timeout: MAX_WAIT_MS })
    return () => cancelIdleCallback(waiting)
  }, [isReady, isIdle])
  return isIdle
}
