import { loadable } from '../components/loadable.tsx'
import { preloadSearchForm } from '../components/search-form-lazy.tsx'

/** The pages other than the start page; each is loaded when it is first needed. */
export const ResultsPage = loadable(() => import('./results.tsx'))
export const PropertyPage = loadable(() => import('./property.tsx'))
export const CheckoutPage = loadable(() => import('./checkout.tsx'))
export const BookingsPage = loadable(() => import('./bookings.tsx'))
export const BookingPage = loadable(() => import('./booking.tsx'))
export const Console = loadable(() => import('../console/console.tsx'))

/** Loads the code of the page at this address, so that no placeholder is shown first. */
export async function preloadPage(path: string): Promise<void> {
  if (path === '/') preloadSearchForm()
  if (path === '/search') await ResultsPage.preload()
  if (path.startsWith('/property/')) await PropertyPage.preload()
}
