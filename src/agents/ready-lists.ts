import { LRUCache } from 'lru-cache'
import type { Agent } from './api.ts'

/** An answer as bytes, without the id of its request. */
type ReadyList = { readonly headers: Headers; readonly start: Buffer; readonly end: Buffer }

/** An entry has about 17 KB. */
const ENTRIES_MAX = 32
const KEY_LENGTH_MAX = 1_000
/** Headers that the SDK reads for a `tools/list`. */
const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

/**
 * Keeps answers to `tools/list`, which never change. The SDK checks and answers the first request of each kind; requests
 * that differ from it only in their id get the same bytes.
 */
export function createReadyLists() {
  const kept = new LRUCache<string, ReadyList>({ max: ENTRIES_MAX })
  return async (request: Request, agent: Agent, body: unknown, serve: () => Promise<Response>): Promise<Response> => {
    const { method, id } = Object(body)
    if (method !== 'tools/list' || !(typeof id === 'string' || Number.isSafeInteger(id))) return serve()
    const headers = PROTOCOL_HEADERS.map((name) => request.headers.get(name))
    const key = JSON.stringify([agent.scopes, headers, { ...Object(body), id: null }])
    const ready = kept.get(key)
    if (ready !== undefined) {
      const bytes = Buffer.concat([ready.start, Buffer.from(JSON.stringify(id)), ready.end])
      return new Response(bytes, { headers: ready.headers })
    }
    const answer = await serve()
    if (answer.status !== 200 || key.length > KEY_LENGTH_MAX) return answer
    const text = await answer.text()
    const parts = splitAtId(text, JSON.stringify(id))
    if (parts !== undefined) kept.set(key, { headers: answer.headers, ...parts })
    return new Response(text, { headers: answer.headers })
  }
}

/** Splits a response at its id, the last member of a result. Undefined for errors. */
function splitAtId(text: string, id: string) {
  const position = text.lastIndexOf(`"id":${id}}`)
  if (position === -1) return undefined
  const start = position + '"id":'.length
  return { start: Buffer.from(text.slice(0, start)), end: Buffer.from(text.slice(start + id.length)) }
}
