import { Redis } from 'ioredis'
import { monotonicMs } from '../lib/clock.ts'

/** How many were used of an allowance, and how long until it begins anew. Atomic, so that no two nodes count past each other. */
const COUNT = `
local used = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  left = tonumber(ARGV[2])
end
return { used, left }`

/** Takes a lock away only from whoever holds it: its time may have run out, and another may have it by now. */
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0`

export type RedisCommands = {
  getBuffer(key: string): Promise<Buffer | null>
  setBuffer(key: string, value: Buffer, ttlMs: number): Promise<unknown>
  count(key: string, cost: number, windowMs: number): Promise<[used: number, leftMs: number]>
  /** True for the one who has it now. It ends by itself after `ttlMs`. */
  lock(key: string, token: string, ttlMs: number): Promise<boolean>
  release(key: string, token: string): Promise<unknown>
}

/**
 * Redis is a help, never a need: whoever asks gets undefined at once while it is away, and goes on without. A Redis that
 * hangs costs one caller the patience, not every one of them.
 */
export type RedisLink = {
  ask<T>(work: (redis: RedisCommands) => Promise<T>): Promise<T | undefined>
  isUp(): boolean
  close(): Promise<void>
}

export type RedisOptions = {
  /** How long an answer is waited for. */
  readonly patienceMs?: number
  /** Told when it goes away and when it is back. */
  onChange?(isUp: boolean, why: string): void
}

const PATIENCE_MS = 250
const CONNECT_TIMEOUT_MS = 1_000
const RECONNECT_MAX_MS = 1_000
/** After an answer that did not come, nobody asks for this long; then one does. */
const REST_MS = 1_000

export function openRedis(url: string, { patienceMs = PATIENCE_MS, onChange }: RedisOptions = {}): RedisLink {
  const client = new Redis(url.replace(/^valkey/, 'redis'), {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: patienceMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: true,
    disableClientInfo: true,
    keyPrefix: 'serai:',
    retryStrategy: (times) => Math.min(RECONNECT_MAX_MS, 50 * 2 ** Math.min(times, 6)),
  })
  client.defineCommand('seraiCount', { numberOfKeys: 1, lua: COUNT })
  client.defineCommand('seraiRelease', { numberOfKeys: 1, lua: RELEASE })
  const scripts = client as unknown as WithScripts
  const commands: RedisCommands = {
    getBuffer: (key) => client.getBuffer(key),
    setBuffer: (key, value, ttlMs) => client.set(key, value, 'PX', Math.max(1, Math.ceil(ttlMs))),
    count: (key, cost, windowMs) => scripts.seraiCount(key, cost, windowMs),
    lock: async (key, token, ttlMs) => (await client.set(key, token, 'PX', Math.ceil(ttlMs), 'NX')) === 'OK',
    release: (key, token) => scripts.seraiRelease(key, token),
  }

  let restsUntil = 0
  /** After an answer that did not come: one tries, the others go on without until it has succeeded. */
  let doubted = false
  let trying = false
  let wasUp = false
  const tell = (isUp: boolean, why: string) => {
    if (wasUp !== isUp) onChange?.(isUp, why)
    wasUp = isUp
  }
  const isUp = () => client.status === 'ready' && monotonicMs() >= restsUntil
  let failure = 'not connected yet'
  client.on('error', (error: Error) => {
    failure = error.message
  })
  client.on('ready', () => {
    restsUntil = 0
    doubted = false
    tell(true, 'connected')
  })
  client.on('close', () => tell(false, failure))

  return {
    async ask(work) {
      if (!isUp() || (doubted && trying)) return undefined
      trying = true
      try {
        const answer = await work(commands)
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
      client.disconnect()
    },
  }
}

type WithScripts = {
  seraiCount(key: string, cost: number, windowMs: number): Promise<[number, number]>
  seraiRelease(key: string, token: string): Promise<number>
}
