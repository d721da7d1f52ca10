import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../../domain/access.ts'
import type { By } from '../../domain/actor.ts'
import { toActor } from './request-context.ts'

export type AuditLog = {
  begin(entry: { by: By; action: string; subject: string; reason: string | undefined }): Promise<string>
  finish(id: string, outcome: string, changes: FastifyRequest['changes']): Promise<void>
}

const AUDITED: readonly (Access | undefined)[] = ['admin', 'operator', 'operator_person', 'person']
const READING = ['GET', 'HEAD']

/** Records operators' changes in the audit log: before they run, and then their outcome. */
export function auditActions(app: FastifyInstance, audit: AuditLog): void {
  const entries = new WeakMap<FastifyRequest, string>()

  app.addHook('preHandler', async (request) => {
    const { operation, access } = request.routeOptions.config
    const isAction = AUDITED.includes(access) && !READING.includes(request.method)
    if (operation === undefined || !isAction || request.caller?.role !== 'operator') return
    const by = { actor: toActor(request), requestId: request.id }
    const action = request.caller.isCommandLine === true ? `cli.${operation}` : operation
    // Only ids of the path and the reason are recorded: bodies may contain secrets and personal data.
    const subject = Object.values(Object(request.params)).join(' ')
    entries.set(request, await audit.begin({ by, action, subject, reason: readReason(request) }))
  })

  app.addHook('onSend', async (request, reply) => {
    const entry = entries.get(request)
    if (entry === undefined) return
    // A refused action has changed nothing.
    const changes = reply.statusCode < 400 ? request.changes : undefined
    const done = request.created === undefined ? 'done' : `done: created ${request.created}`
    const outcome = reply.statusCode < 400 ? done : `refused with ${reply.statusCode}`
    await audit
      .finish(entry, outcome, changes)
      .catch((error) => request.log.error({ err: error }, 'audit entry left open'))
  })
}

function readReason({ body }: FastifyRequest): string | undefined {
  const { reason } = Object(body)
  return typeof reason === 'string' ? reason : undefined
}
