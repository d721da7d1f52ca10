import { callApi, serai } from '../api/client.ts'
import type { BookBody, Payment } from '../api/shapes.ts'

/** The offer is the key: repeating it returns the same payment. */
export function createPayment(offer: Pick<BookBody, 'price_check_uri' | 'terms_digest'>): Promise<Payment> {
  return callApi(serai.payments.create(offer))
}

/** The service asks the provider while the payment is open. */
export function fetchPayment(id: string): Promise<Payment> {
  return callApi(serai.payments.show({ payment_id: id }))
}

/** Best effort: the service releases unused payments by itself, only later. */
export function releasePayment(id: string): void {
  callApi(serai.payments.release({ payment_id: id })).catch(() => undefined)
}
