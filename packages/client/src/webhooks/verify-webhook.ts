import type { WebhookMessage, WebhookTestMessage } from '../generated/api-types.ts'

/** The message was not sent by the service, was modified, or is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

export type WebhookEvent = (WebhookMessage | WebhookTestMessage) & {
  /** Same for every delivery attempt; use it to skip events that were already handled. */
  readonly id: string
}

/** Headers of any fetch implementation, or of Node. */
export type HeaderList = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>

export type WebhookToVerify = {
  /** As shown when the webhook was created (`whsec_…`); both secrets in the day after a change. */
  readonly secret: string | readonly string[]
  readonly headers: HeaderList
  /** Raw body, before parsing. */
  readonly body: string | Uint8Array
  /** Maximum difference between the message's timestamp and now. */
  readonly toleranceSeconds?: number
  /** In milliseconds; for tests. */
  readonly now?: number
}

const DEFAULT_TOLERANCE_SECONDS = 300

/** Verifies a message per Standard Webhooks; throws a WebhookError if it is invalid. Needs only WebCrypto. */
export async function verifyWebhook(message: WebhookToVerify): Promise<WebhookEvent> {
  const { secret, headers, body, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now() } = message
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is not a time.')
  const ageSeconds = Math.abs(now / 1000 - Number(timestamp))
  if (ageSeconds > toleranceSeconds) throw new WebhookError('The message is too old, or the clocks differ.')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const sent = signatures.split(' ').flatMap((part) => decodeBase64(/^v1,(.+)$/.exec(part)?.[1]) ?? [])
  for (const candidate of [secret].flat())
    if (await isSignedWith(candidate, signed, sent)) return { ...JSON.parse(text), id }
  throw new WebhookError('The message is not signed with this secret.')
}

/** Signs as the service does, for tests of a receiver. */
export async function signWebhook(secret: string, id: string, timestamp: number, body: string): Promise<string> {
  const key = await importKey(secret, 'sign')
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`
}

/** `crypto.subtle.verify` compares in constant time. */
async function isSignedWith(secret: string, signed: Bytes, sent: readonly Bytes[]): Promise<boolean> {
  const key = await importKey(secret, 'verify')
  const results = await Promise.all(sent.map((mac) => crypto.subtle.verify('HMAC', key, mac, signed)))
  return results.includes(true)
}

function importKey(secret: string, use: 'sign' | 'verify') {
  const raw = decodeBase64(secret.replace(/^whsec_/, ''))
  if (raw === undefined || raw.length === 0) throw new WebhookError('The secret is not a webhook secret (whsec_…).')
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [use])
}

type Bytes = Uint8Array<ArrayBuffer>

function decodeBase64(base64: string | undefined): Bytes | undefined {
  if (base64 === undefined) return undefined
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function readHeader(headers: HeaderList, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = Array.isArray(value) ? value[0] : value
  if (typeof text !== 'string' || text === '') throw new WebhookError(`The header ${name} is missing.`)
  return text
}
