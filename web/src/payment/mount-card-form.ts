import type { CardForm, CardFormOptions } from './card-form.ts'

/** Rejects if the form cannot be loaded. Each driver is a chunk of its own. */
export async function mountCardForm(options: CardFormOptions): Promise<CardForm> {
  if (options.source.form === undefined) return (await import('./stripe-form.ts')).mountStripeForm(options)
  return (await import('./sandbox-form.ts')).mountSandboxForm(options, options.source.form)
}
