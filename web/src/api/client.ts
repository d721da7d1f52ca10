import { createClient, SeraiError } from '../../../packages/client/src/index.ts'
import { recheckSession, requireSession, signedIn } from '../state/session.ts'
import { ApiProblem, problemOf } from './problem.ts'
import type { PageSession } from './shapes.ts'

/** Shows the service that its own page asks: other sites cannot send it. */
const FROM_PAGE = { 'x-serai-page': '1' }

/**
 * Sends with the session's cookie, and so without a token. Without a session, when it has expired, or for what a guest may not do,
 * asks for sign-in and then sends. The page repeats calls where a visitor asks for it.
 */
export const serai = createClient({
  baseUrl: '',
  retries: 0,
  headers: FROM_PAGE,
  async token() {
    await requireSession(startGuest)
    return undefined
  },
  async onDenied({ status, problem }) {
    if (status === 401) await recheckSession()
    else if (String(problem?.code) === 'sign_in_needed') await signedIn('needed')
    else return false
    return true
  },
})

/** The result of a call; its failure as the page shows it. */
export async function resultOf<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw error instanceof SeraiError ? problemOf(error) : error
  }
}

export const startSession = (email: string, password: string): Promise<PageSession> =>
  postSession('/api/session', { user: { email, password } })

const startGuest = (): Promise<PageSession> => postSession('/api/session/guest', {})

/** For the page alone, so the client for programs does not have them. */
async function postSession(path: string, body: object): Promise<PageSession> {
  const headers = { ...FROM_PAGE, 'content-type': 'application/json' }
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined)
  const read = await answer?.json().catch(() => ({}))
  if (answer?.ok) return read.data
  const retryAfterMs = Number(answer?.headers.get('retry-after')) * 1000
  throw new ApiProblem(answer?.status ?? 0, read ?? {}, retryAfterMs || 0)
}
