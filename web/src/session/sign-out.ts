import { ApiProblem } from '../api/problem.ts'

const KEY = 'serai.sign-out'
const TIMEOUT_MS = 15_000

/**
 * Asks the service to end the session; what could not be asked stays owed, in all tabs. Not by `serai`, which would ask to sign
 * in if the session had ended already.
 */
export async function askToSignOut(): Promise<void> {
  note(true)
  const call = { method: 'POST', headers: { 'x-serai-page': '1' }, signal: AbortSignal.timeout(TIMEOUT_MS) }
  const answer = await fetch('/api/accounts/revoke_token', call).catch(() => undefined)
  if (answer?.ok || answer?.status === 401) note(false)
}

/** Before the page reads or begins a session: whoever has signed out must not be signed in again. */
export async function settleSignOut(): Promise<void> {
  if (!isOwed()) return
  await askToSignOut()
  if (isOwed()) throw new ApiProblem(0, { code: 'unreachable', detail: 'The session could not be ended.' })
}

/** Signing in has replaced the session that was to be ended. */
export const forgetSignOut = (): void => note(false)

function isOwed(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

function note(isOwed: boolean): void {
  try {
    if (isOwed) localStorage.setItem(KEY, 'owed')
    else localStorage.removeItem(KEY)
  } catch {
    // Storage may be full or forbidden; then it is not asked again.
  }
}
