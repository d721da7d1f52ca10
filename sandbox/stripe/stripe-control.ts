import type { Fault } from '../server/faults.ts'
import { sendControl } from '../server/remote-control.ts'
import type { IntentChange } from './commands.ts'
import type { SandboxEvent, WebhookTarget } from './events.ts'
import type { StripeSandboxSettings } from './parts.ts'
import type { KeptIntent, MoneyEntry } from './state.ts'

type SendCommand = (method: string, path: string, body?: unknown) => Promise<unknown>
type CardChoice = { readonly month?: number; readonly year?: number; readonly cvc?: string }

export type StripeControl = ReturnType<typeof createStripeControl>

/** Controls of the stand-in, for tests, in this process or in another one. */
export function createStripeControl(send: SendCommand) {
  return {
    async addFaults(...faults: readonly Fault[]): Promise<void> {
      await send('POST', 'faults', faults)
    },
    async clearFaults(): Promise<void> {
      await send('DELETE', 'faults')
    },
    async change(settings: Partial<StripeSandboxSettings>): Promise<void> {
      await send('PUT', 'settings', settings)
    },
    ledger: async () => (await send('GET', 'ledger')) as readonly MoneyEntry[],
    intents: async () => (await send('GET', 'intents')) as readonly KeptIntent[],
    /** Pays with a card as the guest would; returns the status, or the code of the refusal. */
    async confirm(intent: string, number: string, card: CardChoice = {}): Promise<string> {
      const answer = (await send('POST', 'confirm', { intent, number, ...card })) as ConfirmAnswer
      return 'error' in answer ? (answer.error.decline_code ?? answer.error.code ?? 'error') : answer.status
    },
    async authenticate(intent: string, isCompleted: boolean): Promise<string> {
      return ((await send('POST', 'authenticate', { intent, isCompleted })) as { status: string }).status
    },
    /** A change by Stripe, the bank, or a person at the dashboard. */
    async changeIntent(intent: string, change: IntentChange, amount?: number): Promise<void> {
      await send('POST', 'change', amount === undefined ? { intent, change } : { intent, change, amount })
    },
    async setWebhook(target: WebhookTarget): Promise<void> {
      await send('PUT', 'webhook', target)
    },
    events: async () =>
      (await send('GET', 'events')) as { all: readonly SandboxEvent[]; held: readonly SandboxEvent[] },
    /** Delivers these events in this order; earlier ones may be sent again. */
    async release(ids: readonly string[]): Promise<void> {
      await send('POST', 'release', { ids })
    },
    /** Returns true if the service accepted the event. */
    async forge(event: unknown, options: { signature?: string; isSigned?: boolean } = {}): Promise<boolean> {
      return ((await send('POST', 'forge', { event, ...options })) as { isAccepted: boolean }).isAccepted
    },
    /** Resolves when all deliveries under way are done. */
    async settled(): Promise<void> {
      await send('POST', 'settled')
    },
    /** Stripe may forget keys after a day. */
    async forgetKeys(): Promise<void> {
      await send('POST', 'forget_keys')
    },
  }
}

type ConfirmAnswer = { readonly status: string } | { readonly error: { code?: string; decline_code?: string } }

export const remoteStripeControl = (origin: string): StripeControl =>
  createStripeControl((method, path, body) => sendControl(origin, method, `/_sandbox/${path}`, body))
