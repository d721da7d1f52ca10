/**
 * The first search of places that were never searched: without content read ahead, so that every place is new; and as
 * with `npm start`, which reads the content of well-known places while idle.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { DEMO } from '../src/cli/commands/dev.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { addDays, dateIn } from '../src/lib/time/plain-date.ts'
import { median, round } from './support/figures.ts'
import { report } from './support/report.ts'
import { startSerai } from './support/servers.ts'

const PLACES =
  'Paris|Madrid|Naples|Tokyo|Lisbon|Chicago|Vienna|Zermatt|Lyon|Porto|Seville|Florence|Athens|Kyoto|Seoul|Hanoi|Cusco|' +
  'Boston|Montreal|Denver|Kraków|Tallinn|Bergen|Antalya|Marrakesh|Cape Town|Melbourne|Osaka|Salzburg|Nice'

type Searched = { readonly firstMs: number; readonly completeMs: number; readonly isComplete: boolean }

/** Idle time after a first start. */
const IDLE_MS = 180_000

export async function benchFirstSearch({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const places = PLACES.split('|').slice(0, quick ? 10 : 30)
  const cold = await searchAll(places, 'first_search')
  if (quick) return cold
  return { ...cold, ...(await searchAll(places, 'first_search_ahead', { SERAI_CONTENT_JOB: 'areas' }, IDLE_MS)) }
}

async function searchAll(
  places: readonly string[],
  name: string,
  env: Record<string, string> = {},
  idleMs = 0,
): Promise<Record<string, number>> {
  const serai = await startSerai(env)
  try {
    await wait(idleMs)
    const request = await openSession(serai.url)
    const searched: Searched[] = []
    for (const place of places) searched.push(await searchTwice(request, place))
    const completeTimes = searched.map(({ completeMs }) => completeMs)
    return {
      [`${name}_first_p50_ms`]: round(median(searched.map(({ firstMs }) => firstMs)), 0),
      [`${name}_p50_ms`]: round(median(completeTimes), 0),
      [`${name}_worst_ms`]: round(Math.max(...completeTimes), 0),
      [`${name}_whole_share`]: round(searched.filter(({ isComplete }) => isComplete).length / searched.length, 2),
      [`${name}_places`]: searched.length,
    }
  } finally {
    await serai.close()
  }
}

type SendRequest = (path: string, init?: { readonly body?: object; readonly accept?: string }) => Promise<Response>

async function openSession(url: string): Promise<SendRequest> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ user: DEMO })
  const answer = await fetch(`${url}/api/accounts/get_token`, { method: 'POST', headers, body })
  const { token } = (await answer.json()) as { token: string }
  return (path, { body: payload, accept = 'application/json' } = {}) =>
    fetch(url + path, {
      headers: { ...headers, authorization: `bearer: ${token}`, accept },
      ...(payload !== undefined && { method: 'POST', body: JSON.stringify(payload) }),
    })
}

/**
 * Streams the first search, then repeats it: the second one must not find more, unless the first reported that it was
 * partial.
 */
async function searchTwice(request: SendRequest, place: string): Promise<Searched> {
  const found = (await (await request(`/api/locations/search?starts_with=${encodeURIComponent(place)}`)).json()) as {
    data: { id: string }[]
  }
  const checkIn = addDays(dateIn('UTC', systemClock.now()), 60)
  const body = {
    destination_id: found.data[0]?.id,
    check_in: checkIn,
    check_out: addDays(checkIn, 3),
    occupancies: [{ adults: 2 }],
  }
  const search = '/api/accommodation_searches/search'
  const startedAt = performance.now()
  const { text, firstMs } = await readStream(await request(search, { body, accept: 'text/event-stream' }), startedAt)
  const completeMs = performance.now() - startedAt
  const done = JSON.parse(/event: done\ndata: (.*)/.exec(text)?.[1] ?? '{"data":{"order":[],"partial":true}}') as {
    data: { order: string[]; partial: boolean }
  }
  const later = (await (await request(search, { body })).json()) as { data?: { availability: unknown[] } }
  const isComplete = !done.data.partial && later.data?.availability.length === done.data.order.length
  return { firstMs, completeMs, isComplete }
}

async function readStream(answer: Response, startedAt: number): Promise<{ text: string; firstMs: number }> {
  const decoder = new TextDecoder()
  const parts: string[] = []
  let firstMs: number | undefined
  for await (const chunk of answer.body ?? []) {
    const part = decoder.decode(chunk, { stream: true })
    parts.push(part)
    if (firstMs === undefined && part.includes('event: properties')) firstMs = performance.now() - startedAt
  }
  return { text: parts.join(''), firstMs: firstMs ?? performance.now() - startedAt }
}

if (import.meta.main) await report(benchFirstSearch)
