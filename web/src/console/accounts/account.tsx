import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { resultOf, serai } from '../../api/client.ts'
import { Failure } from '../../ui/failure.tsx'
import { ActionButton, Done } from '../parts/action-button.tsx'
import { Block, ConsolePage } from '../parts/console-page.tsx'
import { Code, Facts, When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { SelectField } from '../parts/select-field.tsx'
import type { AccountDetail } from './account-detail.ts'
import { Keys } from './keys.tsx'
import { ROLES, type Role } from './new-account.tsx'
import { Secret } from './secret.tsx'
import { Webhooks } from './webhooks.tsx'

type Session = AccountDetail['sessions'][number]

const accountKey = (id: string) => ['console', 'account', id]

/** One account: what it may do, its keys and webhooks, and where somebody is signed in. */
export function AccountView({ id }: { id: string }) {
  const account = useQuery({
    queryKey: accountKey(id),
    queryFn: () => resultOf(serai.operator.account({ account_id: id })),
    staleTime: 0,
  })
  const failure = account.isError && <Failure error={account.error} onRetry={() => account.refetch()} />
  // If reloading fails, the account stays visible: it may show a password or key that is shown only once.
  if (account.data !== undefined) return <Shown account={account.data} failure={failure} />
  return <ConsolePage title="Account">{failure || <p className="text-muted">Loading …</p>}</ConsolePage>
}

function Shown({ account, failure }: { account: AccountDetail; failure: ReactNode }) {
  const client = useQueryClient()
  const [done, setDone] = useState<string>()
  const [secret, setSecret] = useState<{ readonly label: string; readonly value: string }>()
  const onDone = (what: string) => {
    setDone(what)
    void client.invalidateQueries({ queryKey: accountKey(account.id) })
  }
  return (
    <ConsolePage
      title={account.email}
      actions={
        <a className="link" href="/console/accounts">
          All accounts
        </a>
      }
    >
      <div className="flex flex-col gap-5">
        {failure}
        {done !== undefined && <Done what={done} />}
        {secret !== undefined && <Secret {...secret} />}
        <div className="grid gap-5 xl:grid-cols-2">
          <AccountFacts account={account} />
          {/* The role that is offered begins with the one the account has, also after somebody else has changed it. */}
          <Changes key={account.role} account={account} onDone={onDone} onSecret={setSecret} />
        </div>
        <Keys account={account} onDone={onDone} onSecret={setSecret} />
        <Webhooks webhooks={account.webhooks} onDone={onDone} />
        <Sessions account={account} onDone={onDone} />
      </div>
    </ConsolePage>
  )
}

const AccountFacts = ({ account }: { account: AccountDetail }) => (
  <Block title="Account">
    <Facts
      rows={[
        ['Id', <Code key="id">{account.id}</Code>],
        ['Name', account.name],
        ['Role', account.role],
        ['Sees net prices', account.see_net ? 'yes' : 'no'],
        ['One-time codes', account.one_time_codes ? 'yes' : 'no: set them up with “serai accounts totp”'],
        ['Created', <When key="created" at={account.created_at} />],
        [
          'Last sign-in',
          account.last_signed_in_at === null ? 'never' : <When key="seen" at={account.last_signed_in_at} />,
        ],
        ['Disabled', account.disabled_at && <When key="disabled" at={account.disabled_at} />],
        ['Real bookings', account.booking_count],
      ]}
    />
  </Block>
)

type ChangeProps = {
  account: AccountDetail
  onDone(what: string): void
  onSecret(secret: { label: string; value: string }): void
}

function Changes({ account, onDone, onSecret }: ChangeProps) {
  const [role, setRole] = useState<Role>(account.role)
  const at = { account_id: account.id }
  return (
    <Block title="Change">
      <div className="flex flex-col items-start gap-3">
        <div className="flex flex-wrap items-end gap-2">
          <SelectField id="role" label="Role" value={role} options={ROLES} onValue={setRole} />
          {role !== account.role && (
            <ActionButton
              label="Change the role"
              run={async (reason) => {
                await resultOf(serai.operator.changeAccount({ ...at, role, reason }))
                return `${account.email} has the role ${role} from now on.`
              }}
              onDone={onDone}
              confirm={{
                title: `Give ${account.email} the role ${role}?`,
                text: 'It holds for its tokens and keys within a second.',
                reason: true,
              }}
            />
          )}
        </div>
        <ActionButton
          label={account.see_net ? 'Hide net prices from it' : 'Show it net prices'}
          run={async (reason) => {
            await resultOf(serai.operator.changeAccount({ ...at, see_net: !account.see_net, reason }))
            return account.see_net ? 'Net prices are hidden from it.' : 'It sees net prices from now on.'
          }}
          onDone={onDone}
          confirm={{
            title: account.see_net ? 'Hide net prices?' : 'Show net prices?',
            text: 'Net prices are what the vendors charge us.',
            reason: true,
          }}
        />
        <ActionButton
          label="Make a new password"
          run={async (reason) => {
            const { password } = await resultOf(serai.operator.setPassword({ ...at, reason }))
            if (password !== null) onSecret({ label: 'Password', value: password })
            return 'The account has a new password, and everybody was signed out.'
          }}
          onDone={onDone}
          confirm={{
            title: 'Make a new password?',
            text: 'The old one ends, and everybody who is signed in with it is signed out. A disabled account is enabled again.',
            reason: true,
          }}
        />
        {account.disabled_at === null && <Disable account={account} onDone={onDone} />}
      </div>
    </Block>
  )
}

const Disable = ({ account, onDone }: { account: AccountDetail; onDone(what: string): void }) => (
  <ActionButton
    label="Disable the account"
    look="danger"
    run={async (reason) => {
      await resultOf(serai.operator.disableAccount({ account_id: account.id, reason }))
      return 'The account is disabled. A new password enables it again.'
    }}
    onDone={onDone}
    confirm={{
      title: `Disable ${account.email}?`,
      text: 'Nobody can sign in to it, and its keys do not count any more. Its bookings stay.',
      reason: true,
    }}
  />
)

function Sessions({ account, onDone }: { account: AccountDetail; onDone(what: string): void }) {
  const end = async (reason: string, session?: string) => {
    const only = session === undefined ? {} : { session_id: session }
    await resultOf(serai.operator.endSessions({ account_id: account.id, reason, ...only }))
    return session === undefined ? 'Everybody was signed out.' : 'The session was ended.'
  }
  const columns: readonly Column<Session>[] = [
    { title: 'With', cell: ({ kind }) => (kind === 'page' ? 'a browser' : 'a token') },
    { title: 'Since', cell: ({ created_at }) => <When at={created_at} /> },
    { title: 'Until', cell: ({ expires_at }) => <When at={expires_at} /> },
    { title: 'Id', cell: ({ id }) => <Code>{id}</Code> },
    {
      title: 'Action',
      cell: ({ id }) => (
        <ActionButton
          label="End"
          run={(reason) => end(reason, id)}
          onDone={onDone}
          confirm={{ title: 'End this session?', text: 'Whoever uses it must sign in again.', reason: true }}
        />
      ),
    },
  ]
  return (
    <Block title="Signed in">
      {account.sessions.length === 0 ? (
        <p className="text-muted">Nobody is signed in.</p>
      ) : (
        <div className="flex flex-col items-start gap-3">
          <div className="w-full">
            <Table caption="Sessions, newest first" columns={columns} rows={account.sessions} rowKey={({ id }) => id} />
          </div>
          <ActionButton
            label="End all sessions"
            look="danger"
            run={(reason) => end(reason)}
            onDone={onDone}
            confirm={{ title: 'End all sessions?', text: 'Everybody must sign in again. Keys stay.', reason: true }}
          />
        </div>
      )}
    </Block>
  )
}
