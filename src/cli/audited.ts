import type { Audit } from '../accounts/audit.ts'
import { byOperator } from '../domain/actor.ts'
import { operatorName } from './operator-name.ts'
import type { Order } from './read-verb.ts'

export type Audited = (action: string, subject: string, work: () => Promise<number>) => Promise<number>

/** Runs a command that changes something and writes it into the audit log. The user of this machine is the operator. */
export const createAudited =
  (audit: Pick<Audit, 'during'>): Audited =>
  (action, subject, work) =>
    audit.during({ by: byOperator(operatorName()), action: `cli.${action}`, subject }, work, (exitCode) =>
      exitCode === 0 ? 'done' : `refused with exit code ${exitCode}`,
    )

/** The same for a command of which only some verbs change something. */
export const runOrder = <Deps>(
  audit: Pick<Audit, 'during'>,
  group: string,
  changing: readonly string[],
  { verb, words, work }: Order<Deps>,
  deps: Deps,
): Promise<number> =>
  changing.includes(verb) ? createAudited(audit)(`${group}.${verb}`, words.join(' '), () => work(deps)) : work(deps)
