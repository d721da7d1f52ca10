/** Form of the payment provider in which guests type their card. */
export type CardForm = {
  readonly provider: string
  readonly publishableKey: string
  /** Stripe's script, or the form of the stand-in. */
  readonly source: { readonly script: string } | { readonly form: string }
  /** For the content security policy of the page. */
  readonly hosts: Readonly<Record<'script' | 'frame' | 'connect', readonly string[]>>
}
