import { useEffect } from 'react'

/**
 * Reloads the page if the Back button restores it from memory during a payment: after the redirect to the bank, the
 * provider's script never responds.
 */
export function useReloadWhenRestored(isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return
    const reload = ({ persisted }: PageTransitionEvent) => persisted && location.reload()
    addEventListener('pageshow', reload)
    return () => removeEventListener('pageshow', reload)
  }, [isWaiting])
}
