import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './problem.ts'

const RETRIES = 2

/** Offline, a request fails at once: waiting for the connection would look like loading, and cancel long after it was asked for. */
const networkMode = 'always'

export function createQueryClient(): QueryClient {
  // Buttons are told at once that their action runs: with the default delay a second click came through.
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
