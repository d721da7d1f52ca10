/** The first search of places nobody has searched before. Nothing is read ahead, so that every place is new. */
import { DEMO } from '../src/cli/dev.ts'
import { systemClock } from '../src/lib/clock.ts'
import { addDays, dateIn } from '../src/lib/plain-date.ts'
import { median, round } from './support/figures.ts'
import { report } from './support/report.ts'
import { startSerai } from './support/servers.ts'

const PLACES =
  'Paris|Madrid|Naples|Tokyo|Lisbon|Chicago|Vienna|Zermatt|Lyon|Porto|Seville|Florence|Athens|Kyoto|Seoul|Hanoi|Cusco|' +
  'Boston|Montreal|Denver|Kraków|Tallinn|Bergen|Antalya|Marrakesh|Cape Town|Melbourne|Osaka|Salzburg|Nice'

type Searched = { readonly firstMs: number; readonly wholeMs: number; readonly isWhole: boolean }

export async function benchFirstSearch({ quick }: { quick: boolean }): Promise<Record<string, number>> {
  const serai = await startSerai()
  try {
    const ask = await signIn(serai.url)
    const searched: Searched[] = []
    for (const place of PLACES.split('|').slice(0, quick ? 10 : 30)) searched.push(await searchTwice(ask, place))
    const whole = searched.map(({ wholeMs }) => wholeMs)
    return {
      first_search_first_p50_ms: round(median(searched.map(({ firstMs }) => firstMs)), 0),
      first_search_p50_ms: round(median(whole), 0),
      first_search_worst_ms: round(Math.max(...whole), 0),
      first_search_whole_share: round(searched.filter(({ isWhole }) => isWhole).length / searched.length, 2),
      first_search_places: searched.length,
    }
  } finally {
    await serai.close()
  }
}

type Ask = (path: string, init?: { readonly body?: object; readonly accept?: string }) => Promise<Response>

async function signIn(url: string): Promise<Ask> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ user: DEMO })
  const answer = await fetch(`${url}/api/accounts/get_token`, { method: 'POST', headers, body })
  const { token } = (await answer.json()) as { token: string }
  return (path, { body: sent, accept = 'application/json' } = {}) =>
    fetch(url + path, {
      headers: { ...headers, authorization: `bearer: ${token}`, accept },
      ...(sent !== undefined && { method: 'POST', body: JSON.stringify(sent) }),
    })
}

/** Streamed first, then once more: a search a moment later finds no more than the first one did, or than that said. */
async function searchTwice(ask: Ask, place: string): Promise<Searched> {
  const found = (await (await ask(`/api/locations/search?starts_with=${encodeURIComponent(place)}`)).json()) as {
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
  const { text, firstMs } = await readStream(await ask(search, { body, accept: 'text/event-stream' }), startedAt)
  const wholeMs = performance.now() - startedAt
  const done = JSON.parse(/event: done\ndata: (.*)/.exec(text)?.[1] ?? '{"data":{"order":[],"partial":true}}') as {
    data: { order: string[]; partial: boolean }
  }
  const later = (await (await ask(search, { body })).json()) as { data?: { availability: unknown[] } }
  const isWhole = !done.data.partial && later.data?.availability.length === done.data.order.length
  return { firstMs, wholeMs, isWhole }
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
