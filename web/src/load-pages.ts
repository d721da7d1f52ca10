import { preloadSearchForm } from './search/search-form-lazy.tsx'
import { loadable } from './ui/loadable.tsx'

/** The pages other than the start page; each is loaded when it is first needed. */
export const ResultsPage = loadable(() => import('./results/results-page.tsx'))
export const PropertyPage = loadable(() => import('./property/property-page.tsx'))
export const CheckoutPage = loadable(() => import('./checkout/checkout-page.tsx'))
export const BookingsPage = loadable(() => import('./bookings/bookings-page.tsx'))
export const BookingPage = loadable(() => import('./bookings/booking-page.tsx'))
export const Console = loadable(() => import('./console/console.tsx'))

/** Loads the code of the results before a search starts. */
export const preloadResults = (): void => void ResultsPage.preload().catch(() => undefined)

/** Loads the code of the page at this address, so that no placeholder is shown first. */
export async function preloadPage(path: string): Promise<void> {
  if (path === '/') preloadSearchForm()
  if (path === '/search') await ResultsPage.preload()
  if (path.startsWith('/property/')) await PropertyPage.preload()
}
