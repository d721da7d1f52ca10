import { parseArgs } from 'node:util'
import { checkBody } from '../../http/body/check-body.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { presentStatementLine, statementCsv } from '../../operator/present/statement.ts'
import { StatementQuery } from '../../operator/schemas/statements.ts'
import { type Command, print } from '../command.ts'
import { withApp } from '../with-app.ts'

const USAGE = `serai statements [--by booking|check_out] [--from MONTH] [--to MONTH] [--account ID] [--json]
                                          sold, net, margin, penalties and what is to be paid to each vendor, by month,
                                          as CSV or JSON. Months are written as 2027-03; this month without --from`

const OPTIONS = {
  by: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  account: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const statements: Command = {
  usage: USAGE,
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS })
    const { json, account, ...asked } = values
    const from = asked.from ?? new Date(systemClock.now()).toISOString().slice(0, 7)
    const { by = 'booking', to = from } = checkBody(StatementQuery, { ...asked, from })
    return withApp(async ({ operator: { readStatement } }) => {
      const lines = await readStatement({ by, from, to, ...(account !== undefined && { accountId: account }) })
      return print(
        json === true ? JSON.stringify(lines.map(presentStatementLine), null, 2) : statementCsv(lines).trimEnd(),
        0,
      )
    })
  },
}
