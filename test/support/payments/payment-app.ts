import { ACCOUNT } from '../app/app.ts'
import { type LedgerApp, ledgerApp, type Room } from '../app/ledger-app.ts'
import { type ScriptedProvider, scriptedProvider } from './scripted-provider.ts'

type Json = Readonly<Record<string, unknown>>
type Paid = { readonly paymentId: string; readonly amount: number; readonly body: Json; readonly room: Room }

export type PaymentApp = LedgerApp & {
  readonly provider: ScriptedProvider
  post(url: string, payload?: Json, headers?: Record<string, string>): ReturnType<LedgerApp['request']>
  payment(paymentId: string): Promise<{ readonly [field: string]: unknown; readonly status: string }>
  booking(bookingId: string): ReturnType<PaymentApp['payment']>
  /** Creates a payment for a fresh room. */
  create(room?: Room): Promise<Paid>
  /** Creates it, and the guest authorises it. */
  authorise(room?: Room): Promise<Paid>
  /** Runs the job of payments until nothing is due, with time passing in between. */
  drive(rounds?: number, everyMs?: number): Promise<void>
}

/** The whole application with a scripted provider; its first account pays by card. */
export async function paymentApp(settings: Parameters<typeof ledgerApp>[0] = {}): Promise<PaymentApp> {
  const clock = { now: () => app.clock.now() }
  const provider = scriptedProvider(clock)
  const app: LedgerApp = await ledgerApp(settings, { paymentProvider: provider.provider })
  await app.manageAccounts.setPayment(ACCOUNT.email, 'card')
  const post = (url: string, payload: Json = {}, headers: Record<string, string> = {}) =>
    app.request({ method: 'POST', url, payload, headers })
  const read = async (url: string) => (await app.request({ url })).json().data
  const create = async (room?: Room): Promise<Paid> => {
    const offered = room ?? (await app.room())
    const answer = await post('/api/payments', offered.booking_info)
    if (answer.statusCode !== 201) throw new Error(`a payment answered ${answer.statusCode}: ${answer.body}`)
    const { payment_id: paymentId, amount, room: checked, terms_digest } = answer.json().data
    return { paymentId, amount, room: offered, body: { ...checked.booking_info, terms_digest, payment_id: paymentId } }
  }
  return {
    ...app,
    get searchId() {
      return app.searchId
    },
    get propertyIds() {
      return app.propertyIds
    },
    provider,
    post,
    create,
    payment: (id) => read(`/api/payments/${id}`),
    booking: (id) => read(`/api/accommodation/bookings/${id}`),
    async authorise(room) {
      const paid = await create(room)
      provider.confirm(paid.paymentId)
      return paid
    },
    async drive(rounds = 3, everyMs = 2_000) {
      for (let round = 0; round < rounds; round += 1) {
        app.clock.advance(everyMs)
        await app.drivePayments()
      }
    },
  }
}
