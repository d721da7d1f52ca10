export const ACTOR_KINDS = ['account', 'key', 'operator', 'vendor', 'system'] as const

/** `vendor`: the vendor acted on its own. `system`: one of our jobs. */
export type Actor = { readonly kind: (typeof ACTOR_KINDS)[number]; readonly id: string }

/** Actor, and the request if there was one. */
export type By = { readonly actor: Actor; readonly requestId?: string }

export const bySystem = (job: 'settling' | 'reading' | 'payments'): By => ({ actor: { kind: 'system', id: job } })

export const byVendor = (vendorId: string): By => ({ actor: { kind: 'vendor', id: vendorId } })

export const byOperator = (id: string): By => ({ actor: { kind: 'operator', id } })
