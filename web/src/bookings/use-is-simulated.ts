import type { Booking } from '../api/shapes.ts'
import { usePageConfig } from '../session/use-page-config.ts'

/** True if no property knows about the booking; with the sandbox, none does. */
export function useIsSimulated({ simulated }: Booking): boolean {
  return usePageConfig().data?.sandbox === true || simulated
}
