import { dropToken, requireToken } from '../state/session.ts'
import { readProblem, unreachable } from './problem.ts'

export type Call = {
  readonly method?: 'GET' | 'POST'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** False for the operations that need no token. */
  readonly signedIn?: boolean
}

/** Sends with a token. Without one, or when it has expired, asks for sign-in and then sends. */
export async function send(path: string, call: Call = {}): Promise<Response> {
  if (call.signedIn === false) return check(await attempt(path, call, undefined))
  const token = await requireToken()
  const first = await attempt(path, call, token)
  if (first.status !== 401) return check(first)
  // A request with a refused token had no effect, so every operation may be repeated.
  dropToken(token)
  return check(await attempt(path, call, await requireToken()))
}

export async function sendForJson<T>(path: string, call: Call = {}): Promise<T> {
  const response = await send(path, call)
  return (await response.json()) as T
}

async function attempt(path: string, call: Call, token: string | undefined): Promise<Response> {
  try {
    return await fetch(path, {
      method: call.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `bearer: ${token}` }),
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
