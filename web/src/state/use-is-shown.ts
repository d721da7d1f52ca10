import { type RefObject, useEffect, useRef } from 'react'

/** Whether the component is still on the page: an answer that arrives after it has gone must not lead anywhere. */
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
