import { useEffect } from 'react'

/**
 * Reloads a page that the Back button restores from memory while it waits for an answer. The provider's script, which
 * has left for the bank's page, never gives that answer.
 */
export function useReloadWhenRestored(isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return
    const reload = ({ persisted }: PageTransitionEvent) => persisted && location.reload()
    addEventListener('pageshow', reload)
    return () => removeEventListener('pageshow', reload)
  }, [isWaiting])
}
