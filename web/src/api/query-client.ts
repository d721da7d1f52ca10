import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './problem.ts'

const RETRIES = 2

/** Offline requests fail at once: a queued one would look like loading and could cancel a booking much later. */
const networkMode = 'always'

export function createQueryClient(): QueryClient {
  // Notifies buttons at once: with the default delay a second click came through.
  notifyManager.setScheduler(queueMicrotask)
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode,
        refetchOnReconnect: true,
        // Queries change nothing. Vendors that failed a moment ago fail again, so 502 and 504 are left to the visitor.
        retry: (count, error) =>
          error instanceof ApiProblem && (error.status === 0 || error.status === 503) && count < RETRIES,
        refetchOnWindowFocus: false,
        staleTime: 30_000,
      },
      mutations: { networkMode },
    },
  })
}
