import { Redis } from 'ioredis'
import { monotonicMs } from '../lib/time/clock.ts'

/**
 * Redis is a help, never a need: a caller gets undefined at once while it is away, and goes on without. A Redis that
 * hangs costs one caller the patience, not every one of them.
 */
export type RedisLink = {
  /** For libraries that bring their own commands; to be used inside `ask`. */
  readonly client: Redis
  ask<T>(work: (client: Redis) => Promise<T>): Promise<T | undefined>
  isUp(): boolean
  close(): Promise<void>
}

type RedisOptions = {
  /** Told when it goes away and when it is back. */
  onChange?(isUp: boolean, why: string): void
}

/** Time limit for an answer. */
const PATIENCE_MS = 250
const CONNECT_TIMEOUT_MS = 1_000
const RECONNECT_MAX_MS = 1_000
/** After an answer that did not come, nobody asks for this long; then one does. */
const REST_MS = 1_000

export function openRedis(url: string, { onChange }: RedisOptions = {}): RedisLink {
  const client = createClient(url)
  let restsUntil = 0
  /** After an answer that did not come: one caller tries, the others go on without Redis until it has succeeded. */
  let doubted = false
  let trying = false
  // Undefined at first, so that a Redis that is away from the start is reported too.
  let wasUp: boolean | undefined
  let failure = 'not connected yet'
  const tell = (isUp: boolean, why: string) => {
    if (wasUp !== isUp) onChange?.(isUp, why)
    wasUp = isUp
  }
  const isUp = () => client.status === 'ready' && monotonicMs() >= restsUntil
  client.on('error', (error: Error) => {
    failure = error.message
  })
  client.on('ready', () => {
    restsUntil = 0
    doubted = false
    tell(true, 'connected')
  })
  const lost = () => tell(false, failure)
  client.on('close', lost)

  return {
    client,
    async ask(work) {
      if (!isUp() || (doubted && trying)) return undefined
      trying = true
      try {
        const answer = await work(client)
        doubted = false
        tell(true, 'answering')
        return answer
      } catch (error) {
        doubted = true
        restsUntil = monotonicMs() + REST_MS
        tell(false, error instanceof Error ? error.message : String(error))
        return undefined
      } finally {
        trying = false
      }
    },
    isUp,
    async close() {
      // A connection that we end ourselves is not reported.
      client.off('close', lost)
      client.disconnect()
    },
  }
}

/** A client that never waits for a connection: while there is none, a caller gets an error at once. */
function createClient(url: string): Redis {
  return new Redis(url.replace(/^valkey/, 'redis'), {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: PATIENCE_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    disableClientInfo: true,
    keyPrefix: 'serai:',
    retryStrategy: (times) => Math.min(RECONNECT_MAX_MS, 50 * 2 ** Math.min(times, 6)),
  })
}
