import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { AppError } from '../../domain/errors.ts'
import { sendList } from '../../http/body/list-request.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse, listResponses } from '../../http/schemas/answer.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { presentVendorDetail, presentVendorHealth } from '../present/vendors.ts'
import { VendorDetailResponse, VendorHealthList } from '../schemas/vendors.ts'
import { VENDOR_LIST, type VendorHealth } from '../vendors/vendor-health.ts'

export type OperatorVendorDeps = { vendorHealth: Pick<VendorHealth, 'list' | 'show'>; cursors: CursorCodec }

const VendorId = Type.Object({ id: Type.String({ maxLength: 100 }) })

export const operatorVendorRoutes: FastifyPluginAsyncTypebox<OperatorVendorDeps> = async (
  app,
  { vendorHealth, cursors },
) => {
  app.get('/api/operator/vendors', LIST, (request, reply) =>
    sendList(request, reply, { cursors, run: vendorHealth.list, present: presentVendorHealth }),
  )

  app.get<{ Params: Static<typeof VendorId> }>('/api/operator/vendors/:id', SHOW, async ({ params: { id } }) => {
    const vendor = await vendorHealth.show(id)
    if (vendor === undefined) throw new AppError('not_found', 'No vendor with this id is connected.')
    return { data: presentVendorDetail(vendor) }
  })
}

const LIST = operation('operator.vendors', {
  access: 'operator',
  list: VENDOR_LIST,
  summary: 'List the vendors and their health',
  description:
    'Calls, latency and errors of the last hour, day and week, breakers, quotas, content and searches per booking. Totals of all processes, up to 15 seconds old. For operators.',
  answers: listResponses('The connected vendors.', VendorHealthList),
})

const SHOW = operation('operator.vendor', {
  access: 'operator',
  summary: 'Read the health of one vendor',
  description:
    'The same figures by operation, the breakers of each process, and searches per booking by account. For operators.',
  params: VendorId,
  answers: { 200: jsonResponse('The vendor.', VendorDetailResponse) },
  problems: ['not_found'],
})
