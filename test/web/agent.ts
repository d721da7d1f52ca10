import type { Site } from '../support/servers/browser.ts'

/** An agent that calls the service's tools for one account. */

type Answer = ReturnType<typeof JSON.parse>
export type Agent = (tool: string, args: object) => Promise<Answer>

export async function startAgent(site: Site, token: string): Promise<Agent> {
  let calls = 0
  let session = ''
  const post = async (method: string, params: object) => {
    const answer = await fetch(`${site.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `bearer: ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== '' && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: calls++, method, params }),
    })
    session ||= answer.headers.get('mcp-session-id') ?? ''
    const text = await answer.text()
    const [, data = text] = /^data: (\{.*)$/m.exec(text) ?? []
    return JSON.parse(data)
  }
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  await post('initialize', client)
  return async (name, args) => {
    const { result, error } = await post('tools/call', { name, arguments: args })
    return result?.structuredContent ?? result ?? error
  }
}

const DAY_MS = 86_400_000

export type Prepared = {
  readonly prepared_id: string
  readonly terms_digest: string
  readonly payment: { readonly payment_id: string; readonly pay_link: string }
}

/** Prepares a booking of the first room that it finds. */
export async function prepareFirstRoom(agent: Agent): Promise<Prepared> {
  const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10)
  const { places } = await agent('search_places', { query: 'Funchal' })
  const stay = { check_in: day(60), check_out: day(62), rooms: [{ adults: 2 }], currency: 'EUR' }
  const { search_id, stays } = await agent('search_stays', { place_id: places[0].id, ...stay })
  const { rooms } = await agent('get_rooms', { search_id, property_id: stays[0].property_id })
  const guests = [{ given_name: 'Ada', family_name: 'Lovelace' }]
  return agent('prepare_booking', { offer_id: rooms[0].offer_id, guests })
}
