import { ApiProblem } from '../api/problem.ts'

const STORAGE_KEY = 'serai.sign-out'
const TIMEOUT_MS = 15_000

/**
 * Asks the service to end the session; a failed request is repeated later, in any tab. Does not use `serai`, which
 * would ask for sign-in if the session had already ended.
 */
export async function askToSignOut(): Promise<void> {
  setOwed(true)
  const call = { method: 'POST', headers: { 'x-serai-page': '1' }, signal: AbortSignal.timeout(TIMEOUT_MS) }
  const answer = await fetch('/api/accounts/revoke_token', call).catch(() => undefined)
  if (answer?.ok || answer?.status === 401) setOwed(false)
}

/**
 * Runs before the page reads or starts a session, so that a signed-out user is not signed in again. Returns true if it
 * has ended a session.
 */
export async function settleSignOut(): Promise<boolean> {
  if (!isOwed()) return false
  await askToSignOut()
  if (isOwed()) throw new ApiProblem(0, { code: 'unreachable', detail: 'The session could not be ended.' })
  return true
}

/** For a sign-in, which replaces the session. */
export const forgetSignOut = (): void => setOwed(false)

function isOwed(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null
  } catch {
    return false
  }
}

function setOwed(isOwed: boolean): void {
  try {
    if (isOwed) localStorage.setItem(STORAGE_KEY, 'owed')
    else localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Storage may be full or blocked; the sign-out is then not repeated.
  }
}
