import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { hash } from '../../world/hash.ts'

/** Hotelbeds' responses: an audit block in each, and two kinds of error body. */

const HEADERS = { 'content-type': 'application/json;charset=UTF-8' }

/** Part of every response of the application, but not of the gateway. */
export type Audit = {
  readonly processTime: string
  readonly timestamp: string
  readonly requestHost: string
  readonly serverId: string
  readonly environment: string
  readonly release: string
  readonly token: string
  readonly internal: string
}

export function createAuditData(now: number, call: number): Audit {
  const token = [1, 2, 3, 4]
    .map((part) =>
      hash(call, now & 0x7fffffff, part)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('')
  return {
    processTime: String(5 + (hash(call) % 200)),
    timestamp: new Date(now).toISOString().replace('T', ' ').slice(0, 23),
    requestHost: '127.0.0.1',
    serverId: 'sandbox',
    environment: '[sandbox]',
    release: '',
    token: token.toUpperCase(),
    internal: '0||||0|0||||||||||||0||||0||0||||',
  }
}

/** The response to one request, before it is serialised. */
export type Reply = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

export const success = (body: Reply['body']): Reply => ({ status: 200, body })

type Category = 'INVALID_REQUEST' | 'INVALID_DATA' | 'PRODUCT_ERROR' | 'SYSTEM_ERROR' | 'CONFIGURATION_ERROR'

/** An application error; its token is added during serialisation. */
export const refusal = (status: number, category: Category, message: string): Reply => ({
  status,
  body: { error: { code: category, message } },
})
export const requestError = (message: string): Reply =>
  refusal(400, 'INVALID_REQUEST', `The request is not compliant with the specified version of the API. ${message}`)
export const invalidData = (message: string, status = 400): Reply =>
  refusal(status, 'INVALID_DATA', `Invalid data. ${message}`)
export const productError = (step: string, reason: string): Reply =>
  refusal(500, 'PRODUCT_ERROR', `Product error. ProductException(${step}, ${reason})`)

export const rateKeyExpired = (rateKey: string): Reply =>
  invalidData(
    `Invalid rateKey: The rateKey value that you have entered does not exist or it has expired (please note that rateKeys only last 30 minutes): ${rateKey}`,
  )
export const paymentDataMissing = refusal(402, 'INVALID_DATA', 'Payment data is mandatory for a rate paid at the hotel')
export const bookingNotFound = invalidData(
  'The booking does not exist or you do not have permissions to access it.',
  404,
)

/** Gateway errors are flat and have no audit block. */
export const gatewayError = (status: number, message: string): StandInAnswer => ({
  status,
  headers: HEADERS,
  body: JSON.stringify({ error: message }),
})

export function writeReply({ status, body }: Reply, audit: Audit): StandInAnswer {
  const error = body.error as { code: string; message: string } | undefined
  const content = error === undefined ? body : { ...body, error: { ...error, code: `${error.code}-${audit.token}` } }
  return { status, headers: HEADERS, body: JSON.stringify({ auditData: audit, ...content }) }
}
