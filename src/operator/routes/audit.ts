import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AUDIT_LIST, type Audit } from '../../accounts/audit.ts'
import { presentAuditEntry } from '../../accounts/present/audit.ts'
import { AuditList } from '../../accounts/schemas/audit.ts'
import { sendList } from '../../http/body/list-request.ts'
import { operation } from '../../http/operation.ts'
import { listResponses } from '../../http/schemas/answer.ts'
import type { CursorCodec } from '../../lists/cursor.ts'

type Deps = {
  audit: Pick<Audit, 'list'>
  nameObjects(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  cursors: CursorCodec
}

export const auditRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { audit, nameObjects, cursors }) => {
  app.get('/api/operator/audit', AUDIT, async (request, reply) => {
    let names: ReadonlyMap<string, string> = new Map()
    return sendList(request, reply, {
      cursors,
      async run(plan, charge) {
        const page = await audit.list(plan, charge)
        names = await nameObjects(page.data.flatMap(({ by, subject }) => [by.actor.id, ...subject.split(' ')]))
        return page
      },
      present: (entry) => presentAuditEntry(entry, names),
    })
  })
}

const AUDIT = operation('operator.audit', {
  access: 'operator',
  list: AUDIT_LIST,
  summary: 'List operator actions',
  description: 'From the API and the command line. Entries are never changed or deleted.',
  answers: listResponses('The actions, newest first.', AuditList),
})
