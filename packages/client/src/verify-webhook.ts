import type { WebhookMessage, WebhookTestMessage } from './shapes.ts'

/** The message is not the service's, was changed on its way, or is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

export type WebhookEvent = (WebhookMessage | WebhookTestMessage) & {
  /** The same for every attempt: what was handled already can be told by it. */
  readonly id: string
}

/** Of fetch, whichever library it is of, or of Node. */
type HeaderList = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>

export type WebhookToVerify = {
  /** As it was shown when the webhook was made (`whsec_…`); both of them in the day after it was changed. */
  readonly secret: string | readonly string[]
  readonly headers: HeaderList
  /** As it arrived, before anything has parsed it. */
  readonly body: string | Uint8Array
  /** How old, or how far ahead, a message may be. */
  readonly toleranceSeconds?: number
  /** In milliseconds; for tests. */
  readonly now?: number
}

const USUAL_TOLERANCE_SECONDS = 300

/** Returns the event if it is signed per Standard Webhooks; throws a WebhookError if not. Needs WebCrypto only. */
export async function verifyWebhook(message: WebhookToVerify): Promise<WebhookEvent> {
  const { secret, headers, body, toleranceSeconds = USUAL_TOLERANCE_SECONDS, now = Date.now() } = message
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is not a time.')
  const ageSeconds = Math.abs(now / 1000 - Number(timestamp))
  if (ageSeconds > toleranceSeconds) throw new WebhookError('The message is too old, or the clocks differ.')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const sent = signatures.split(' ').flatMap((one) => bytesOf(/^v1,(.+)$/.exec(one)?.[1]) ?? [])
  for (const one of [secret].flat()) if (await isSignedWith(one, signed, sent)) return { ...JSON.parse(text), id }
  throw new WebhookError('The message is not signed with this secret.')
}

/** Signs as the service does: for tests of a receiver. */
export async function signWebhook(secret: string, id: string, timestamp: number, body: string): Promise<string> {
  const key = await keyOf(secret, 'sign')
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`
}

/** `verify` compares in constant time. */
async function isSignedWith(secret: string, signed: Bytes, sent: readonly Bytes[]): Promise<boolean> {
  const key = await keyOf(secret, 'verify')
  const results = await Promise.all(sent.map((mac) => crypto.subtle.verify('HMAC', key, mac, signed)))
  return results.includes(true)
}

function keyOf(secret: string, use: 'sign' | 'verify') {
  const raw = bytesOf(secret.replace(/^whsec_/, ''))
  if (raw === undefined || raw.length === 0) throw new WebhookError('The secret is not one of a webhook (whsec_…).')
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [use])
}

type Bytes = Uint8Array<ArrayBuffer>

function bytesOf(base64: string | undefined): Bytes | undefined {
  if (base64 === undefined) return undefined
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function headerOf(headers: HeaderList, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = Array.isArray(value) ? value[0] : value
  if (typeof text !== 'string' || text === '') throw new WebhookError(`The header ${name} is missing.`)
  return text
}
