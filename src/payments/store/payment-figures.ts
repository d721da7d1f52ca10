import type { PaymentState } from '../../domain/payment/payment.ts'
import type { Database } from '../../store/database.ts'

/** In these states something is left to do, by the guest, the provider or an operator. */
export const UNDERWAY_STATES = [
  'creating',
  'open',
  'authorised',
  'held',
  'capturing',
  'refunding',
  'voiding',
  'lapsed',
  'needs_review',
] as const satisfies readonly PaymentState[]

type Figure = { readonly isLive: boolean; readonly count: number }
export type PaymentCounts = {
  readonly byState: readonly (Figure & { readonly state: PaymentState; readonly since: number })[]
  readonly byReason: readonly (Figure & { readonly reason: string })[]
}

export async function countPayments({ read }: Pick<Database, 'read'>): Promise<PaymentCounts> {
  const states = await read
    .selectFrom('payments')
    .select(({ fn }) => ['state', 'is_live', fn.countAll().as('count'), fn.min('state_since').as('since')])
    .where('state', 'in', UNDERWAY_STATES)
    .groupBy(['state', 'is_live'])
    .execute()
  const reasons = await read
    .selectFrom('payments')
    .select(({ fn }) => ['reason', 'is_live', fn.countAll().as('count')])
    .where('reason', 'is not', null)
    .groupBy(['reason', 'is_live'])
    .execute()
  return {
    byState: states.map(({ state, is_live, count, since }) => ({
      ...{ state, isLive: is_live === 1, count: Number(count), since: Number(since) },
    })),
    byReason: reasons.flatMap(({ reason, is_live, count }) =>
      reason === null ? [] : [{ reason, isLive: is_live === 1, count: Number(count) }],
    ),
  }
}
