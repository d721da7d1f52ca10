import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../../src/lib/time/clock.ts'
import { DAY_MS } from '../../src/lib/time/durations.ts'

/** The account of every fresh `serai dev`. */
const DEMO = { email: 'demo@example.com', password: 'demo-demo-demo' }
const SIGN_IN_TRIES = 8

/** Sends a request and returns the body; throws unless it succeeds. */
export type SendRequest = (method: string, path: string, body?: unknown) => Promise<string>

/** Signs in at a running server. */
export async function openSession(url: string): Promise<{ request: SendRequest; headers: Record<string, string> }> {
  const headers: Record<string, string> = {}
  const request: SendRequest = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    return text
  }
  headers.authorization = `bearer: ${await fetchToken(request)}`
  return { request, headers }
}

/** Retries, because the account is created while the server is already listening. */
async function fetchToken(request: SendRequest): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await request('POST', '/api/accounts/get_token', { user: DEMO })
      return (JSON.parse(answer) as { token: string }).token
    } catch (error) {
      if (tries === SIGN_IN_TRIES) throw error
      await wait(200)
    }
  }
}

/** Two nights for two adults, starting in `inDays` days. */
export function createStay(inDays: number) {
  const day = (days: number) => new Date(systemClock.now() + days * DAY_MS).toISOString().slice(0, 10)
  return { check_in: day(inDays), check_out: day(inDays + 2), occupancies: [{ adults: 2 }], currency: 'EUR' }
}

/** Id of the best-known place whose name has this prefix. */
export async function findPlaceId(request: SendRequest, prefix: string): Promise<string> {
  const answer = await request('GET', `/api/locations/search?starts_with=${encodeURIComponent(prefix)}`)
  return (JSON.parse(answer) as { data: { id: string }[] }).data[0]?.id ?? ''
}

export type SearchAnswer = { data: { search_id: string; availability: { property_id: string }[] } }

export const detailPath = (searchId: string, propertyId: string): string =>
  `/api/accommodation_searches/accommodation?search_id=${searchId}&property_id=${propertyId}`
