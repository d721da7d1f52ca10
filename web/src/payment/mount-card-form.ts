import type { CardForm, CardFormOptions } from './card-form.ts'

/** Rejects if the form cannot be loaded. Each driver is a chunk of its own. */
export async function mountCardForm(options: CardFormOptions): Promise<CardForm> {
  const { form } = options.source
  const mount =
    form === undefined
      ? (await import('./stripe-form.ts')).mountStripeForm
      : (await import('./sandbox-form.ts')).mountSandboxForm
  // Imports may end in any order. An unmounted form must not replace its successor.
  options.signal.throwIfAborted()
  return mount(options)
}
