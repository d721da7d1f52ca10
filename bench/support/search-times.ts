import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/** One request as measured by the service itself, in milliseconds of one clock. */
export type Seen = {
  readonly startedAt: number
  /** Start time and arrival of the last response byte of each upstream call. */
  readonly calls: { readonly askedAt: number; arrivedAt: number }[]
  /** Time at which the last byte of the response was handed to the socket. */
  finishedAt: number
}

/**
 * Times of requests by `x-request-id`, from diagnostics channels of Node and the HTTP client, without changes to the
 * service. A client's own times would include its work, which is significant on two cores.
 */
export function watchSearches() {
  const seen = new Map<string, Seen>()
  const current = new AsyncLocalStorage<Seen>()
  const calls = new WeakMap<object, Seen['calls'][number]>()
  const requests = new WeakMap<object, Seen>()

  const onStart = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    const entry: Seen = { startedAt: performance.now(), calls: [], finishedAt: Number.NaN }
    seen.set(String(request.headers['x-request-id']), entry)
    requests.set(request, entry)
    current.enterWith(entry)
  }
  const onFinish = (message: unknown) => {
    const entry = requests.get((message as { request: object }).request)
    if (entry !== undefined) entry.finishedAt = performance.now()
  }
  const onCall = (message: unknown) => {
    const call = { askedAt: performance.now(), arrivedAt: Number.NaN }
    current.getStore()?.calls.push(call)
    calls.set((message as { request: object }).request, call)
  }
  const onAnswer = (message: unknown) => {
    const call = calls.get((message as { request: object }).request)
    if (call !== undefined) call.arrivedAt = performance.now()
  }
  const channels = [
    ['http.server.request.start', onStart],
    ['http.server.response.finish', onFinish],
    ['undici:request:create', onCall],
    ['undici:request:trailers', onAnswer],
  ] as const
  for (const [name, listener] of channels) subscribe(name, listener)
  return {
    find: (requestId: string): Seen | undefined => seen.get(requestId),
    stop() {
      for (const [name, listener] of channels) unsubscribe(name, listener)
    },
  }
}
