import type { Amount, CardFormSource } from '../api/shapes.ts'

/** Result of the guest's confirmation, as far as the browser knows it. */
export type Confirmation =
  | { readonly kind: 'authorised' }
  /** `code` is the provider's; nothing is reserved on the card. */
  | { readonly kind: 'declined'; readonly code: string }
  /** The guest closed the bank's page; usually nothing is reserved. */
  | { readonly kind: 'closed' }
  /** The connection was lost or the provider did not decide: only the service can find out. */
  | { readonly kind: 'unknown' }

/** Card fields in frames of the provider. The page never sees what is typed. */
export type CardForm = {
  /** Shows wrong or missing fields beside them, focuses the first, and returns false. */
  check(): Promise<boolean>
  /** Confirms one payment; 3-D Secure is part of it. Never rejects. */
  confirm(clientSecret: string): Promise<Confirmation>
  /** Keeps what was typed. */
  update(change: { readonly amount: Amount; readonly isDark: boolean }): void
  unmount(): void
}

export type CardFormOptions = {
  readonly node: HTMLElement
  /** Aborted when the form is unmounted. */
  readonly signal: AbortSignal
  readonly source: CardFormSource
  readonly amount: Amount
  readonly language: string
  readonly isDark: boolean
  /** Page to return to if a bank insists on leaving it. */
  readonly returnUrl: string
  /** Name of the frame. */
  readonly title: string
}
