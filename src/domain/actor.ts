export const ACTOR_KINDS = ['account', 'key', 'operator', 'vendor', 'system'] as const

/** Who did something: an account or one of its keys, an operator, a vendor of its own accord, or a job of ours. */
export type Actor = { readonly kind: (typeof ACTOR_KINDS)[number]; readonly id: string }

/** Who did something, and by which request where it was one. */
export type By = { readonly actor: Actor; readonly requestId?: string }

export const bySystem = (job: 'settling' | 'reading'): By => ({ actor: { kind: 'system', id: job } })

export const byVendor = (vendorId: string): By => ({ actor: { kind: 'vendor', id: vendorId } })

export const byOperator = (id: string): By => ({ actor: { kind: 'operator', id } })
