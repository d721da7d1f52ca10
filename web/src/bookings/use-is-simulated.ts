import { usePageConfig } from '../session/use-page-config.ts'

/** True if the booking does not reach a real property. */
export function useIsSimulated({ simulated }: { readonly simulated: boolean }): boolean {
  return usePageConfig().data?.sandbox === true || simulated
}
