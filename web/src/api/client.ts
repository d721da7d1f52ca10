import { dropSession, requireSession, signedIn } from '../state/session.ts'
import { readProblem, unreachable } from './problem.ts'
import type { PageSession } from './shapes.ts'

export type Call = {
  readonly method?: 'GET' | 'POST'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** False for the operations that need no session. */
  readonly signedIn?: boolean
}

/**
 * Sends with the session's cookie. Without a session, when it has expired, or for what a guest may not do, asks for sign-in and
 * then sends. A refused request had no effect, so every operation may be repeated.
 */
export async function send(path: string, call: Call = {}): Promise<Response> {
  if (call.signedIn === false) return check(await attempt(path, call))
  const used = await requireSession(startGuest)
  const first = await attempt(path, call)
  if (first.ok) return first
  if (first.status === 401) {
    dropSession(used)
    await requireSession(startGuest)
    return check(await attempt(path, call))
  }
  const problem = await readProblem(first)
  if (problem.code !== 'sign_in_needed') throw problem
  await signedIn('needed')
  return check(await attempt(path, call))
}

export async function sendForJson<T>(path: string, call: Call = {}): Promise<T> {
  const response = await send(path, call)
  return (await response.json()) as T
}

async function startGuest(): Promise<PageSession> {
  const answer = await sendForJson<{ data: PageSession }>('/api/session/guest', { method: 'POST', signedIn: false })
  return answer.data
}

async function attempt(path: string, call: Call): Promise<Response> {
  try {
    return await fetch(path, {
      method: call.method ?? 'GET',
      headers: {
        accept: 'application/json',
        // Shows the service that its own page asks: other sites cannot send it.
        'x-serai-page': '1',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw unreachable(error)
  }
}

async function check(response: Response): Promise<Response> {
  if (response.ok) return response
  throw await readProblem(response)
}
