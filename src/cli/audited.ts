import { userInfo } from 'node:os'
import type { Audit } from '../accounts/audit.ts'
import { byOperator } from '../domain/actor.ts'

export type Audited = (action: string, subject: string, work: () => Promise<number>) => Promise<number>

/** Runs a command that changes something and writes it into the audit log. The user of this machine is the operator. */
export const createAudited =
  (audit: Pick<Audit, 'during'>): Audited =>
  (action, subject, work) =>
    audit.during({ by: byOperator(userInfo().username), action: `cli.${action}`, subject }, work, (exitCode) =>
      exitCode === 0 ? 'done' : `refused with exit code ${exitCode}`,
    )

/** The same for a command of which only these `verbs` change something. Options may stand before the verb as well as behind it. */
export function auditVerbs(
  audit: Pick<Audit, 'during'>,
  group: string,
  verbs: readonly string[],
  args: readonly string[],
  work: () => Promise<number>,
): Promise<number> {
  const at = args.findIndex((argument) => verbs.includes(argument))
  if (at === -1) return work()
  const [verb, ...more] = args.slice(at)
  const options = more.findIndex((argument) => argument.startsWith('--'))
  const subject = (options === -1 ? more : more.slice(0, options)).join(' ')
  return createAudited(audit)(`${group}.${verb}`, subject, work)
}
