import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../../src/lib/time/clock.ts'
import { DAY_MS } from '../../src/lib/time/durations.ts'

/** The account every fresh `serai dev` has. */
const DEMO = { email: 'demo@example.com', password: 'demo-demo-demo' }
const SIGN_IN_TRIES = 8

/** The bytes of one answer; throws for anything but success. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<string>

/** Somebody signed in at a running server. */
export async function signIn(url: string): Promise<{ ask: Ask; headers: Record<string, string> }> {
  const headers: Record<string, string> = {}
  const ask: Ask = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    return text
  }
  headers.authorization = `bearer: ${await tokenOf(ask)}`
  return { ask, headers }
}

/** The account is made while the server already listens. */
async function tokenOf(ask: Ask): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await ask('POST', '/api/accounts/get_token', { user: DEMO })
      return (JSON.parse(answer) as { token: string }).token
    } catch (error) {
      if (tries === SIGN_IN_TRIES) throw error
      await wait(200)
    }
  }
}

/** Two nights for two that begin in `inDays` days. */
export function stay(inDays: number) {
  const day = (days: number) => new Date(systemClock.now() + days * DAY_MS).toISOString().slice(0, 10)
  return { check_in: day(inDays), check_out: day(inDays + 2), occupancies: [{ adults: 2 }], currency: 'EUR' }
}

/** The id of the best-known place whose name begins so. */
export async function placeIdOf(ask: Ask, beginning: string): Promise<string> {
  const answer = await ask('GET', `/api/locations/search?starts_with=${encodeURIComponent(beginning)}`)
  return (JSON.parse(answer) as { data: { id: string }[] }).data[0]?.id ?? ''
}

export type SearchAnswer = { data: { search_id: string; availability: { property_id: string }[] } }

export const detailPathOf = (searchId: string, propertyId: string): string =>
  `/api/accommodation_searches/accommodation?search_id=${searchId}&property_id=${propertyId}`
