import { createClient, SeraiError } from '../../../packages/client/src/index.ts'
import { checkSession, requireSession, signedIn } from '../session/session.ts'
import { problemOf } from './problem.ts'
import type { PageSession } from './shapes.ts'

/**
 * Sends with the session's cookie. Without a session, when it has expired, or for what a guest may not do, asks for sign-in and
 * then sends. The page repeats other calls only where a visitor asks for it.
 */
export const serai = createClient({
  baseUrl: '',
  retries: 0,
  // Shows the service that its own page asks: other sites cannot send it.
  headers: { 'x-serai-page': '1' },
  async token() {
    await requireSession(startGuest)
    return undefined
  },
  async onDenied({ status, code }) {
    if (code === 'sign_in_needed') {
      await signedIn('needed')
      return true
    }
    if (status !== 401) return false
    await checkSession()
    return true
  },
})

const startGuest = (): Promise<PageSession> => serai.session.startGuest()

/** The result of a call; its failure as the page shows it. */
export async function resultOf<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw error instanceof SeraiError ? problemOf(error) : error
  }
}
