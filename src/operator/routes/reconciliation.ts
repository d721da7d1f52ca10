import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Reconcile } from '../../booking/reconcile/reconcile.ts'
import { toOperator } from '../../http/middleware/request-context.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import { presentDifference, presentReconciliation } from '../present/reconciliation.ts'
import {
  type CarryOutBody,
  CarryOutRequest,
  DifferenceResponse,
  type ReconcileBody,
  ReconcileRequest,
  ReconciliationResponse,
} from '../schemas/reconciliation.ts'

type Deps = { reconcile: Reconcile }

/** Finds and restores bookings lost by a failover or a restored backup. */
export const reconciliationRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { reconcile }) => {
  app.post<{ Body: ReconcileBody }>('/api/operator/reconciliation', RECONCILE, async ({ body }) => ({
    data: presentReconciliation(await reconcile.report(body.from, body.end ?? undefined)),
  }))

  app.post<{ Body: CarryOutBody }>('/api/operator/reconciliation/carry_out', CARRY_OUT, async (request) => {
    const { from, vendor_id: vendorId, reference, action, account_id: accountId } = request.body
    const order = { from, vendorId, reference, action, accountId: accountId ?? undefined, by: toOperator(request) }
    return { data: presentDifference(await reconcile.carryOut(order)) }
  })
}

const RECONCILE = operation('operator.reconciliation', {
  access: 'operator',
  cost: 20,
  summary: 'Compare our bookings with the vendors’ lists',
  description:
    'For the time after a restored backup or a failover of the database, which may have lost bookings. Compares all bookings made since `from` and proposes what to do; changes no booking. A complete reconciliation without bookings to adopt or to cancel ends the look-ups before sending.',
  body: ReconcileRequest,
  answers: { 200: jsonResponse('The differences.', ReconciliationResponse) },
  problems: ['invalid_request'],
})

const CARRY_OUT = operation('operator.reconciliation.carry_out', {
  access: 'operator',
  cost: 20,
  summary: 'Carry out a proposal of a reconciliation',
  description:
    'Compares again first. `adopt` stores the vendor’s booking for an account; its client gets it if it repeats the request. `cancel` cancels it at the vendor, at its terms. `review` reads our booking again at once.',
  body: CarryOutRequest,
  answers: { 200: jsonResponse('The difference as it was before.', DifferenceResponse) },
  problems: ['not_possible', 'invalid_request', 'vendors_failed', 'vendor_timeout', 'overloaded'],
})
