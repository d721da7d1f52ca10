import { type RefObject, useEffect, useRef } from 'react'

/** False after unmounting: a late response must not navigate. */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}
