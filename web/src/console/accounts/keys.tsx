import { useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { useI18n } from '../../i18n/i18n.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import { Block } from '../parts/console-page.tsx'
import { Code, When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import type { AccountDetail, Key } from './account-detail.ts'
import { BudgetForm } from './budget-form.tsx'
import { KeyForm } from './key-form.tsx'

type Props = {
  account: AccountDetail
  onDone(what: string): void
  onSecret(secret: { label: string; value: string }): void
}

/** API keys of an account with their remaining budgets. */
export function Keys({ account, onDone, onSecret }: Props) {
  const [isNew, setNew] = useState(false)
  const [budgetKey, setBudgetKey] = useState<Key>()
  const columns: readonly Column<Key>[] = [
    {
      title: 'Key',
      cell: ({ name, hint }) => (
        <>
          {name}
          <span className="block">
            <Code>{hint}</Code>
          </span>
        </>
      ),
    },
    { title: 'Mode', cell: ({ mode }) => mode },
    { title: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
    { title: 'Per minute', className: 'figures text-right', cell: ({ per_minute }) => per_minute ?? 'account’s limit' },
    { title: 'Budget', cell: ({ budget }) => <Budget budget={budget} /> },
    {
      title: 'Last used',
      cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <When at={last_used_at} />),
    },
    {
      title: 'Actions',
      cell: (key) => <KeyButtons {...{ account, onDone }} apiKey={key} onBudget={() => setBudgetKey(key)} />,
    },
  ]
  return (
    <Block title="API keys">
      <div className="flex flex-col items-start gap-3">
        {account.keys.length === 0 ? (
          <p className="text-muted">The account has no keys.</p>
        ) : (
          <div className="w-full">
            <Table caption="API keys, oldest first" columns={columns} rows={account.keys} rowKey={({ id }) => id} />
          </div>
        )}
        <button type="button" className="btn btn-quiet" onClick={() => setNew(true)}>
          New key
        </button>
      </div>
      {isNew && (
        <KeyForm
          accountId={account.id}
          onClose={() => setNew(false)}
          onMade={(name, key) => {
            setNew(false)
            onSecret({ label: `Key ${name}`, value: key })
            onDone(`The key ${name} was created.`)
          }}
        />
      )}
      {budgetKey !== undefined && (
        <BudgetForm
          accountId={account.id}
          apiKey={budgetKey}
          onClose={() => setBudgetKey(undefined)}
          onDone={(what) => {
            setBudgetKey(undefined)
            onDone(what)
          }}
        />
      )}
    </Block>
  )
}

type ButtonProps = { account: AccountDetail; apiKey: Key; onDone(what: string): void; onBudget(): void }

const KeyButtons = ({ account, apiKey, onDone, onBudget }: ButtonProps) => (
  <div className="flex flex-wrap gap-2">
    <button
      type="button"
      className="btn btn-quiet"
      aria-label={`Change the budget of ${apiKey.name}`}
      onClick={onBudget}
    >
      Budget
    </button>
    <ActionButton
      label="Revoke"
      run={async (reason) => {
        await callApi(serai.operator.revokeKey({ account_id: account.id, key_id: apiKey.id, reason }))
        return `The key ${apiKey.name} was revoked.`
      }}
      onDone={onDone}
      confirm={{
        title: `Revoke ${apiKey.name}?`,
        text: 'It stops working within a second. This cannot be undone. Bookings made with it are kept.',
        reason: true,
      }}
    />
  </div>
)

function Budget({ budget }: { budget: Key['budget'] }) {
  const { money } = useI18n()
  if (budget === null) return <>none</>
  return (
    <>
      {money(budget.amount, budget.currency)} per {budget.per}
      <span className="block text-muted">
        {budget.left === null ? 'remaining amount unknown' : `${money(budget.left, budget.currency)} left`}
      </span>
    </>
  )
}
