import { SeraiError } from '../../../packages/client/src/index.ts'
import { createOperatorClient } from '../../../packages/client/src/operator.ts'
import { isOpened } from '../session/opened-booking.ts'
import { checkSession, requireSession, waitForSignIn } from '../session/session.ts'
import { toApiProblem } from './problem.ts'
import type { PageSession } from './shapes.ts'

// Proves that the call comes from the service's own page: other sites cannot send this header.
const SETTINGS = { baseUrl: '', retries: 0, headers: { 'x-serai-page': '1' } }

/** For a booking that was opened with the link of a mail: needs neither a session nor a sign-in. */
const linked = createOperatorClient(SETTINGS)

export const clientFor = (bookingId: string) => (isOpened(bookingId) ? linked : serai)

/**
 * Sends the session's cookie. Asks for sign-in without a session, after it has expired, or if a guest may not make
 * the call; other failures are repeated only by the visitor.
 */
export const serai = createOperatorClient({
  ...SETTINGS,
  async token() {
    await requireSession(startGuest)
    return undefined
  },
  async onDenied({ status, code }) {
    if (code === 'sign_in_needed') {
      await waitForSignIn('needed')
      return true
    }
    if (status !== 401) return false
    await checkSession()
    return true
  },
})

const startGuest = (): Promise<PageSession> => serai.session.startGuest()

/** Converts the failure of a call into the page's `ApiProblem`. */
export async function callApi<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw error instanceof SeraiError ? toApiProblem(error) : error
  }
}
