import type { FastifyPluginAsync, RouteShorthandOptions } from 'fastify'
import { AUDIT_LIST, type Audit } from '../../accounts/audit.ts'
import type { CursorCodec } from '../../lists/cursor.ts'
import { answerList } from '../frame/list-request.ts'
import { presentAuditEntry } from '../present/audit.ts'
import { listAnswers } from '../schemas/answer.ts'
import { AuditList } from '../schemas/audit.ts'

type Deps = { audit: Pick<Audit, 'list'>; cursors: CursorCodec }

/** For operators. */
export const operatorRoutes: FastifyPluginAsync<Deps> = async (app, { audit, cursors }) => {
  app.get('/api/operator/audit', AUDIT, (request, reply) =>
    answerList(request, reply, { cursors, run: audit.list, present: presentAuditEntry }),
  )
}

const AUDIT = {
  config: { operation: 'operator.audit', access: 'operator', list: AUDIT_LIST },
  schema: {
    tags: ['Operation'],
    summary: 'List what operators have done',
    description: 'By the API and by the command line. Entries are never changed or deleted.',
    response: listAnswers('The actions, newest first.', AuditList),
  },
} satisfies RouteShorthandOptions
