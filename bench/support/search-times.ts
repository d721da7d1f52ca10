import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/** One request as the service itself saw it, in milliseconds of one clock. */
export type Seen = {
  readonly startedAt: number
  /** By upstream call: when it was made, and when the last byte of its answer was there. */
  readonly calls: { readonly askedAt: number; arrivedAt: number }[]
  /** When the last byte of the answer was handed to the socket. */
  finishedAt: number
}

/**
 * Times of requests by their `x-request-id`, taken where Node and the HTTP client tell of them, without a line in the service: a
 * client's own times hold the client's work too, and on two cores that is much.
 */
export function watchSearches() {
  const seen = new Map<string, Seen>()
  const current = new AsyncLocalStorage<Seen>()
  const calls = new WeakMap<object, Seen['calls'][number]>()
  const requests = new WeakMap<object, Seen>()

  const onStart = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    const one: Seen = { startedAt: performance.now(), calls: [], finishedAt: Number.NaN }
    seen.set(String(request.headers['x-request-id']), one)
    requests.set(request, one)
    current.enterWith(one)
  }
  const onFinish = (message: unknown) => {
    const one = requests.get((message as { request: object }).request)
    if (one !== undefined) one.finishedAt = performance.now()
  }
  const onAsk = (message: unknown) => {
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
    ['undici:request:create', onAsk],
    ['undici:request:trailers', onAnswer],
  ] as const
  for (const [name, listener] of channels) subscribe(name, listener)
  return {
    of: (requestId: string): Seen | undefined => seen.get(requestId),
    stop() {
      for (const [name, listener] of channels) unsubscribe(name, listener)
    },
  }
}
