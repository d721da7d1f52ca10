import { AppError } from '../domain/app-error.ts'
import { presentStatementLine, statementCsv } from '../http/present/statement.ts'
import { StatementQuery } from '../http/schemas/statements.ts'
import { systemClock } from '../lib/clock.ts'
import type { ReadStatement } from '../selling/statements.ts'
import { checkBody } from './check-body.ts'
import { type Command, print, tryParseArgs } from './command.ts'
import { withApp } from './with-app.ts'

const USAGE = `serai statements [--by booking|check_out] [--from MONTH] [--to MONTH] [--account ID] [--json]
                                          sold, net, margin, penalties and what is to be paid to each vendor, by month,
                                          as CSV or JSON. Months are written as 2027-03; this month without --from`

export const statements: Command = {
  usage: USAGE,
  run: (args) => withApp((app) => run(args, app.operator.readStatement)),
}

async function run(args: string[], readStatement: ReadStatement): Promise<number> {
  const options = {
    by: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    account: { type: 'string' },
    json: { type: 'boolean' },
  } as const
  const read = tryParseArgs({ args, options })
  if (read === undefined) return print(USAGE, 2)
  const { json, account, ...asked } = read.values
  const from = asked.from ?? new Date(systemClock.now()).toISOString().slice(0, 7)
  try {
    const query = checkBody(StatementQuery, { ...asked, from })
    const lines = await readStatement({
      by: query.by ?? 'booking',
      from,
      to: query.to ?? from,
      ...(account !== undefined && { accountId: account }),
    })
    return print(
      json === true ? JSON.stringify(lines.map(presentStatementLine), null, 2) : statementCsv(lines).trimEnd(),
      0,
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return print(error.errors.map(({ message }) => message).join('\n'), 2)
  }
}
