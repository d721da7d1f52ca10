import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { MINUTE_MS } from '../../../lib/time/durations.ts'
import type { ProviderNotification } from '../../provider.ts'

/** The official client accepts any timestamp in the future; a signature of next year would stay valid until then. */
const SIGNATURE_TOLERANCE_MS = 5 * MINUTE_MS

type Options = { readonly secrets: readonly string[]; readonly isLive: boolean; readonly now: number }

/** Checks the signature of the raw bytes before it reads any of them. */
export function readStripeNotification(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { secrets, isLive, now }: Options,
): ProviderNotification | 'unsigned' | undefined {
  if (!isSigned(headers['stripe-signature'], body, secrets, now)) return 'unsigned'
  const event = asRecord(parseJson(body))
  const { id, type } = event
  const references = readReferences(asRecord(asRecord(event.data).object))
  if (typeof id !== 'string' || typeof type !== 'string' || references.length === 0) return undefined
  // An endpoint of the other mode may share our address.
  if (event.livemode !== isLive) return undefined
  return { eventId: id, type, references }
}

/** The header is `t=SECONDS,v1=HEX`, with one `v1` for each secret in use. Other schemes prove nothing. */
function isSigned(header: unknown, body: Buffer, secrets: readonly string[], now: number): boolean {
  if (typeof header !== 'string') return false
  const parts = header.split(',').map((part) => part.trim().split('='))
  const timestamps = parts.flatMap(([name, value = '']) => (name === 't' ? [value] : []))
  const signatures = parts.flatMap(([name, value = '']) => (name === 'v1' ? [value] : []))
  const [timestamp = ''] = timestamps
  if (timestamps.length !== 1 || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now - Number(timestamp) * 1_000) > SIGNATURE_TOLERANCE_MS) return false
  return secrets
    .filter((secret) => secret.trim() !== '')
    .some((secret) => {
      const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
      return signatures.some((signature) => isEqual(signature, expected))
    })
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The payment of an event: the object itself, or the one that a charge, refund, dispute or review belongs to. */
function readReferences(object: Readonly<Record<string, unknown>>): string[] {
  const payment = object.object === 'payment_intent' ? object.id : object.payment_intent
  const id = typeof payment === 'string' ? payment : asRecord(payment).id
  return typeof id === 'string' ? [id] : []
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
