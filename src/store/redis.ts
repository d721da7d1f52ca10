import { Redis } from 'ioredis'
import { monotonicMs } from '../lib/time/clock.ts'

export type RedisLink = {
  /** For libraries with their own commands; use it inside `ask`. */
  readonly client: Redis
  /** Returns undefined at once while Redis is unavailable. If it hangs, only one caller waits for the timeout. */
  run<T>(work: (client: Redis) => Promise<T>): Promise<T | undefined>
  isUp(): boolean
  close(): Promise<void>
}

type RedisOptions = {
  /** Called when Redis becomes unavailable and when it is back. */
  onChange?(isUp: boolean, why: string): void
}

const COMMAND_TIMEOUT_MS = 250
const CONNECT_TIMEOUT_MS = 1_000
const RECONNECT_MAX_MS = 1_000
/** Pause after a failed command. */
const PAUSE_MS = 1_000

export function openRedis(url: string, { onChange }: RedisOptions = {}): RedisLink {
  const client = createClient(url)
  let pausedUntil = 0
  /** After a failure, one caller at a time tries until it succeeds. */
  let hasFailed = false
  let trying = false
  // Undefined at first, so that a Redis that is unavailable from the start is reported too.
  let wasUp: boolean | undefined
  let failure = 'not connected yet'
  const report = (isUp: boolean, why: string) => {
    if (wasUp !== isUp) onChange?.(isUp, why)
    wasUp = isUp
  }
  const isUp = () => client.status === 'ready' && monotonicMs() >= pausedUntil
  client.on('error', (error: Error) => {
    failure = error.message
  })
  client.on('ready', () => {
    pausedUntil = 0
    hasFailed = false
    report(true, 'connected')
  })
  const onLost = () => report(false, failure)
  client.on('close', onLost)

  return {
    client,
    async run(work) {
      if (!isUp() || (hasFailed && trying)) return undefined
      trying = true
      try {
        const answer = await work(client)
        hasFailed = false
        report(true, 'responding')
        return answer
      } catch (error) {
        hasFailed = true
        pausedUntil = monotonicMs() + PAUSE_MS
        report(false, error instanceof Error ? error.message : String(error))
        return undefined
      } finally {
        trying = false
      }
    },
    isUp,
    async close() {
      // Closing the connection ourselves is not reported.
      client.off('close', onLost)
      client.disconnect()
    },
  }
}

/** Commands fail at once without a connection. */
function createClient(url: string): Redis {
  return new Redis(url.replace(/^valkey/, 'redis'), {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    disableClientInfo: true,
    keyPrefix: 'serai:',
    retryStrategy: (times) => Math.min(RECONNECT_MAX_MS, 50 * 2 ** Math.min(times, 6)),
  })
}
