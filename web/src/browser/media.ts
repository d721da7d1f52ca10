import { useSyncExternalStore } from 'react'

export const useWide = (width: string): boolean => useMedia(`(min-width: ${width})`)

export const useTall = (height: string): boolean => useMedia(`(min-height: ${height})`)

export const useDark = (): boolean => useMedia('(prefers-color-scheme: dark)')

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}
