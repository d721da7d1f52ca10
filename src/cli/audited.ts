import type { Audit } from '../accounts/audit.ts'
import { byOperator } from '../domain/actor.ts'
import { operatorName } from './operator-name.ts'
import type { ParsedCommand } from './read-verb.ts'

export type Audited = (action: string, subject: string, work: () => Promise<number>) => Promise<number>

/** Runs a command and records it in the audit log. The operator is the current user of the operating system. */
export const createAuditedRunner =
  (audit: Pick<Audit, 'during'>): Audited =>
  (action, subject, work) =>
    audit.during({ by: byOperator(operatorName()), action: `cli.${action}`, subject }, work, (exitCode) =>
      exitCode === 0 ? 'done' : `refused with exit code ${exitCode}`,
    )

/** Records the command in the audit log only if its verb changes data. */
export const runWithAudit = <Deps>(
  audit: Pick<Audit, 'during'>,
  group: string,
  changing: readonly string[],
  { verb, words, work }: ParsedCommand<Deps>,
  deps: Deps,
): Promise<number> =>
  changing.includes(verb)
    ? createAuditedRunner(audit)(`${group}.${verb}`, words.join(' '), () => work(deps))
    : work(deps)
