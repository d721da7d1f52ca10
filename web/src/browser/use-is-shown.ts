import { type RefObject, useEffect, useRef } from 'react'

/** Whether the component is still mounted: an answer that arrives later must not navigate. */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
