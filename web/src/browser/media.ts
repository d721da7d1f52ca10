import { useSyncExternalStore } from 'react'
import { usePreferences } from './preferences.ts'

export const useWide = (width: string): boolean => useMedia(`(min-width: ${width})`)

export const useTall = (height: string): boolean => useMedia(`(min-height: ${height})`)

export const useDark = (): boolean => useMedia('(prefers-color-scheme: dark)')

/** True if the page is shown in dark colours, by the visitor's choice or the system's. */
export function useIsDark(): boolean {
  const { theme } = usePreferences()
  const isSystemDark = useDark()
  return theme === 'system' ? isSystemDark : theme === 'dark'
}

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
