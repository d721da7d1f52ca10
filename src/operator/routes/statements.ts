import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { chooseMediaType } from '../../http/body/accepted-media.ts'
import { refuseWithoutNet } from '../../http/middleware/permissions.ts'
import { operation } from '../../http/operation.ts'
import { jsonResponse } from '../../http/schemas/answer.ts'
import type { SeesNet } from '../../selling/can-see-net-price.ts'
import { presentStatementLine, statementCsv } from '../present/statement.ts'
import { StatementQuery, StatementResponse } from '../schemas/statements.ts'
import type { ReadStatement } from '../statements/read-statement.ts'

export type StatementRouteDeps = {
  readStatement: ReadStatement
  seesNet: SeesNet
}

/** Default first. */
const MEDIA = ['application/json', 'text/csv'] as const

export const statementRoutes: FastifyPluginAsyncTypebox<StatementRouteDeps> = async (
  app,
  { readStatement, seesNet },
) => {
  app.get('/api/operator/statements', STATEMENT, async (request, reply) => {
    await refuseWithoutNet(request, seesNet)
    reply.header('vary', 'accept')
    const media = chooseMediaType(request.headers.accept, MEDIA)
    const { by = 'booking', from, to = from, account: accountId } = request.query
    const lines = await readStatement({ by, from, to, ...(accountId !== undefined && { accountId }) })
    if (media === 'application/json') return { data: lines.map(presentStatementLine) }
    const fileName = `statement-${by}-${from}-${to}.csv`
    reply.header('content-disposition', `attachment; filename="${fileName}"`).type('text/csv; charset=utf-8')
    return reply.send(statementCsv(lines))
  })
}

const STATEMENT = operation('operator.statements', {
  access: 'operator',
  cost: 10,
  summary: 'Read sales by month and vendor',
  description:
    'Totals of real bookings: sales, net, margin, penalties, and the amount payable to each vendor. JSON or CSV, depending on `accept`. For operators who may see net prices.',
  querystring: StatementQuery,
  answers: {
    200: {
      description: 'One line for each month, vendor and pair of currencies.',
      content: {
        ...jsonResponse('', StatementResponse).content,
        'text/csv': { schema: Type.String({ description: 'RFC 4180, with a header row.' }) },
      },
    },
  },
  problems: ['not_found', 'not_acceptable', 'invalid_request'],
})
