import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/app.ts'

type Schema = {
  readonly format?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}
type Operation = { readonly operationId: string; readonly parameters?: readonly { readonly name: string }[] }
type Document = {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Schema> }
}

let app: TestApp
let document: Document
beforeAll(async () => {
  app = await testApp()
  document = (await app.call({ url: '/openapi.json' })).json()
})
afterAll(() => app.close())

/** Names that are older than the rule, or are the beginning or end of a period. Add none. */
const OTHER_MOMENTS = [
  ...[
    'as_of',
    'at',
    'back_to',
    'capture_before',
    'earlier_secret_until',
    'expires',
    'failing_since',
    'free_cancellation_until',
    'from',
  ],
  ...['held_until', 'late_since', 'now', 'overdue_since', 'since', 'timestamp', 'until'],
]

const isMoment = ({ format, anyOf = [] }: Schema): boolean => format === 'date-time' || anyOf.some(isMoment)

function listMoments(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as Schema
  const own = Object.entries(properties).flatMap(([name, member]) => (isMoment(member) ? [name] : []))
  return [...own, ...Object.values(schema).flatMap(listMoments)]
}

test('every member that is a moment ends in _at, except those of earlier versions', () => {
  const names = [...new Set(listMoments(document.components.schemas))]
  expect(names.filter((name) => name.endsWith('_at')).length).toBeGreaterThan(10)
  expect(names.filter((name) => !name.endsWith('_at')).sort()).toEqual(OTHER_MOMENTS)
})

/** Reading with a body, signing in and out, and the notifications of vendors and payment providers. */
const WITHOUT_KEY = [
  ...[
    'accountsGetToken',
    'operatorSellingTry',
    'paymentsNotify',
    'searchCreate',
    'sessionCloseBooking',
    'sessionOpenBooking',
  ],
  ...['sessionSendBookingLink', 'sessionSignIn', 'sessionStartGuest', 'vendorNotify'],
]

test('every operation that creates or changes something takes an idempotency key', () => {
  const changing = Object.values(document.paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, operation]) => (method === 'get' ? [] : [operation])),
  )
  const without = changing.filter(({ parameters = [] }) => !parameters.some(({ name }) => name === 'idempotency-key'))
  expect(changing.length).toBeGreaterThan(without.length + 20)
  expect(without.map(({ operationId }) => operationId).sort()).toEqual(WITHOUT_KEY)
})
