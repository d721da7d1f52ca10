import { resultOf, serai } from '../../api/client.ts'

export type StatementQuery = {
  readonly from: string
  readonly to: string
  readonly by: 'booking' | 'check_out'
  readonly account: string
}

export const argumentsOf = ({ from, to, by, account }: StatementQuery) => ({
  from: from.trim(),
  to: to.trim() === '' ? from.trim() : to.trim(),
  by,
  ...(account.trim() !== '' && { account: account.trim() }),
})

/** Fetches the statement as CSV and hands it to the browser as a file: a link alone could not ask for CSV. */
export async function downloadStatement(query: StatementQuery): Promise<void> {
  const { from, to, by } = argumentsOf(query)
  const address = URL.createObjectURL(await resultOf(serai.operator.statementFile(argumentsOf(query))))
  const link = document.createElement('a')
  link.href = address
  link.download = `statement-${by}-${from}-${to}.csv`
  link.click()
  URL.revokeObjectURL(address)
}
