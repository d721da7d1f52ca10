import { useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { serai } from '../../api/client.ts'
import { navigate, useAddress } from '../../browser/router.ts'
import { TextField } from '../../ui/text-field.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { When } from '../parts/facts.tsx'
import { type Column, ListTable } from '../parts/list-table.tsx'
import type { SectionProps } from '../section-props.ts'
import { AccountView } from './account.tsx'
import { NewAccount } from './new-account.tsx'

type Account = components['schemas']['OperatorAccount']

const COLUMNS: readonly Column<Account>[] = [
  {
    title: 'E-mail',
    cell: ({ id, email }) => (
      <a className="link" href={`/console/accounts/${id}`}>
        {email}
      </a>
    ),
  },
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Role', cell: ({ role, disabled_at }) => (disabled_at === null ? role : `${role}, disabled`) },
  { title: 'Sees net prices', cell: ({ see_net }) => (see_net ? 'yes' : 'no') },
  { title: 'One-time codes', cell: ({ one_time_codes }) => (one_time_codes ? 'yes' : 'no') },
  { title: 'Keys', className: 'figures text-right', cell: ({ key_count }) => key_count },
  { title: 'Bookings', className: 'figures text-right', cell: ({ booking_count }) => booking_count },
  { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
  {
    title: 'Last sign-in',
    cell: ({ last_signed_in_at }) => (last_signed_in_at === null ? 'never' : <When at={last_signed_in_at} />),
  },
]

export default function AccountsSection({ rest: [id] }: SectionProps) {
  return id === undefined ? <AccountList /> : <AccountView id={id} />
}

function AccountList() {
  const { query } = useAddress()
  const text = query.get('q') ?? ''
  return (
    <ConsolePage
      title="Accounts"
      intro="Accounts that can use the service, with their roles and keys."
      actions={<NewAccount />}
    >
      <SearchForm key={text} text={text} />
      <ListTable
        caption="Accounts, newest first"
        queryKey={['console', 'accounts', text]}
        read={(paging) =>
          serai.operator.accounts({ ...paging, ...(text === '' ? {} : { filters: [`email:ilike<${text}`] }) })
        }
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={text === '' ? 'No accounts yet.' : `No account’s e-mail contains “${text}”.`}
      />
    </ConsolePage>
  )
}

function SearchForm({ text }: { text: string }) {
  const [typed, setTyped] = useState(text)
  return (
    <form
      className="mb-4 flex max-w-md flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = typed.trim()
        navigate(`/console/accounts${wanted === '' ? '' : `?q=${encodeURIComponent(wanted)}`}`)
      }}
    >
      <div className="min-w-0 flex-1">
        <TextField
          id="accounts-q"
          label="E-mail contains"
          value={typed}
          onValue={setTyped}
          error={undefined}
          autoComplete="off"
          maxLength={200}
        />
      </div>
      <button type="submit" className="btn btn-quiet">
        Find
      </button>
    </form>
  )
}
