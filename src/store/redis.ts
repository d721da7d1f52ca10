import { randomUUID } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import { monotonicMs } from '../lib/time/clock.ts'
import { createRedisClient } from './redis-client.ts'

type Client = Redis | Cluster

export type RedisLink = {
  /** For libraries with their own commands; use it inside `run`. */
  readonly client: Client
  /** Returns undefined at once while Redis is unavailable. If it hangs, only one caller waits for the timeout. */
  run<T>(work: (client: Client) => Promise<T>): Promise<T | undefined>
  isUp(): boolean
  /** Returns true if written values can be read. */
  probe(): Promise<boolean>
  close(): Promise<void>
}

type RedisOptions = {
  /** Called when Redis becomes unavailable and when it is back. */
  onChange?(isUp: boolean, why: string): void
}

/** Pause after a failed command. */
const PAUSE_MS = 1_000
/** Enough to reach every primary of a small cluster: one server of a cluster stores only its share of the keys. */
const PROBE_KEYS = 8
const PROBE_TTL_MS = 10_000

export function openRedis(url: string, { onChange }: RedisOptions = {}): RedisLink {
  const client = createRedisClient(url)
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
    failure = 'the connection was closed'
    report(true, 'connected')
  })
  const onLost = () => report(false, failure)
  client.on('close', onLost)

  const run: RedisLink['run'] = async (work) => {
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
  }
  return {
    client,
    run,
    isUp,
    async probe() {
      const keys = Array.from({ length: PROBE_KEYS }, () => `probe:${randomUUID()}`)
      await run(() => Promise.all(keys.map((key) => client.set(key, key, 'PX', PROBE_TTL_MS))))
      const values = await run(() => Promise.all(keys.map((key) => client.get(key))))
      return values?.every((value, index) => value === keys[index]) ?? false
    },
    async close() {
      // Closing the connection ourselves is not reported.
      client.off('close', onLost)
      client.disconnect()
    },
  }
}
