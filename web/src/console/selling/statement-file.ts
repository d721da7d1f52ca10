import { callApi, serai } from '../../api/client.ts'

export type StatementQuery = {
  readonly from: string
  readonly to: string
  readonly by: 'booking' | 'check_out'
  readonly account: string
}

export const toStatementArguments = ({ from, to, by, account }: StatementQuery) => ({
  from: from.trim(),
  to: to.trim() === '' ? from.trim() : to.trim(),
  by,
  ...(account.trim() !== '' && { account: account.trim() }),
})

/** A plain link could not request CSV. */
export async function downloadStatement(query: StatementQuery): Promise<void> {
  const { from, to, by } = toStatementArguments(query)
  const address = URL.createObjectURL(await callApi(serai.operator.statementFile(toStatementArguments(query))))
  const link = document.createElement('a')
  link.href = address
  link.download = `statement-${by}-${from}-${to}.csv`
  link.click()
  URL.revokeObjectURL(address)
}
