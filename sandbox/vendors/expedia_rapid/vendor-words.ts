import type { StandInAnswer } from '../../server/answer-under-faults.ts'

/** Rapid's own error texts, by the types in its documentation and reported by integrators. */
type ErrorField = { readonly name: string; readonly type: string; readonly value?: string | number }
export type NestedError = { readonly type: string; readonly message: string; readonly fields?: readonly ErrorField[] }

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): StandInAnswer => ({
  status,
  headers,
  body: JSON.stringify(body),
})

export const flatError = (status: number, type: string, message: string): StandInAnswer =>
  json(status, { type, message })

export const invalidInput = (errors: readonly NestedError[]): StandInAnswer =>
  json(400, {
    type: 'invalid_input',
    message: 'An invalid request was sent in, please check the nested errors for details.',
    errors,
  })

export const nested = (type: string, message: string, name: string, where: string, value?: string): NestedError => ({
  type,
  message,
  fields: [{ name, type: where, ...(value === undefined ? {} : { value }) }],
})

export const linkInvalid = invalidInput([{ type: 'link.invalid', message: 'Link is invalid.' }])
export const linkExpired = flatError(
  410,
  'link.expired',
  'The link you followed has expired. Please build a new request to restart pagination.',
)
export const notFound = flatError(404, 'resource_not_found', 'Itinerary was not found with provided request.')
export const internalError = flatError(500, 'unknown_internal_error', 'An internal server error has occurred.')
export const serviceUnavailable = flatError(503, 'service_unavailable', 'This service is currently unavailable.')
export const soldOut = flatError(410, 'rooms_unavailable', 'One or more requested rooms are unavailable.')
export const alreadyCancelled = flatError(400, 'room_already_cancelled', 'Room is already cancelled.')
export const afterCheckout = flatError(
  400,
  'cancel.post_checkout',
  'Room cannot be cancelled after checkout/completion of stay.',
)
export const declined = invalidInput([{ type: 'payments.invalid', message: 'Payment information is invalid.' }])

export const throttled = (resetAt: number): StandInAnswer => ({
  ...flatError(429, 'too_many_requests', 'You have reached your capacity for this type of request.'),
  headers: { 'rate-limit-minute-remaining': '0', 'rate-limit-minute-reset': String(resetAt) },
})

export const priceMismatch = json(409, {
  type: 'price_mismatch',
  message: 'The price of the rate has changed since it was last checked.',
  fields: [{ name: 'price.amount', type: 'body' }],
})
