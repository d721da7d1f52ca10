import { useCallback, useEffect, useRef } from 'react'

/** Signal that aborts when the component is gone. */
export function useUnmountSignal(): () => AbortSignal {
  const controller = useRef(new AbortController())
  useEffect(() => {
    controller.current = new AbortController()
    return () => controller.current.abort()
  }, [])
  return useCallback(() => controller.current.signal, [])
}
