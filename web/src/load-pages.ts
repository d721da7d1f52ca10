import { preloadSearchForm } from './search/search-form-lazy.tsx'
import { loadable } from './ui/loadable.tsx'
import { preloadModal } from './ui/modal.tsx'

/** Pages other than the home page, loaded when first needed. */
export const LazyResultsPage = loadable(() => import('./results/results-page.tsx'))
export const LazyPropertyPage = loadable(() => import('./property/property-page.tsx'))
export const LazyCheckoutPage = loadable(() => import('./checkout/checkout-page.tsx'))
export const LazyBookingsPage = loadable(() => import('./bookings/bookings-page.tsx'))
export const LazyBookingPage = loadable(() => import('./bookings/booking-page.tsx'))
export const LazyPayPage = loadable(() => import('./payment/pay-page.tsx'))
export const LazyConsole = loadable(() => import('./console/console.tsx'))

/** Preloads the results page before a search starts. */
export const preloadResults = (): void => void LazyResultsPage.preload().catch(() => undefined)

/** Preloads the property page and the dialogs once the list is shown. */
export function preloadProperty(): void {
  LazyPropertyPage.preload().catch(() => undefined)
  preloadModal()
}

/** Preloads the page at this address, so that no placeholder is shown first. */
export async function preloadPage(path: string): Promise<void> {
  if (path === '/') preloadSearchForm()
  if (path === '/search') await LazyResultsPage.preload()
  if (path.startsWith('/property/')) await LazyPropertyPage.preload()
}
