import { useSyncExternalStore } from 'react'

/** Whether the window is at least this wide. */
export function useWide(width: string): boolean {
  const query = `(min-width: ${width})`
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}
