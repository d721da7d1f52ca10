import { createCall } from '../../../packages/client/src/call.ts'
import { createMethods } from '../../../packages/client/src/create-client.ts'
import { callApi, PAGE_CLIENT } from '../api/client.ts'
import type { BookBody, Payment } from '../api/shapes.ts'

type Methods = {
  readonly payments: {
    create(args: object): Promise<Payment>
    show(args: { payment_id: string }): Promise<Payment>
    release(args: { payment_id: string }): Promise<Payment>
  }
}

const { payments } = createMethods<Methods>(createCall(PAGE_CLIENT), {
  payments: {
    create: { method: 'POST', path: '/api/payments', hasBody: true },
    show: { method: 'GET', path: '/api/payments/{payment_id}' },
    release: { method: 'POST', path: '/api/payments/{payment_id}/release' },
  },
})

/** Repeating it returns the same payment. */
export function createPayment(body: BookBody): Promise<Payment> {
  return callApi(payments.create(body))
}

/** The service asks the provider while the payment is open. */
export function fetchPayment(id: string): Promise<Payment> {
  return callApi(payments.show({ payment_id: id }))
}

/** Best effort: the service releases unused payments by itself, only later. */
export function releasePayment(id: string): void {
  callApi(payments.release({ payment_id: id })).catch(() => undefined)
}
