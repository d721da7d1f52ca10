import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { Failure } from '../../ui/failure.tsx'
import { ActionButton, Done } from '../parts/action-button.tsx'
import { Block, ConsolePage } from '../parts/console-page.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Code, Facts, When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { SelectField } from '../parts/select-field.tsx'
import type { AccountDetail } from './account-detail.ts'
import { Keys } from './keys.tsx'
import { ROLE_OPTIONS, type Role } from './new-account.tsx'
import { Secret } from './secret.tsx'
import { Webhooks } from './webhooks.tsx'

type Session = AccountDetail['sessions'][number]

const accountKey = (id: string) => ['console', 'account', id]

/** An account with its role, keys, webhooks and sessions. */
export function AccountView({ id }: { id: string }) {
  const account = useQuery({
    queryKey: accountKey(id),
    queryFn: () => callApi(serai.operator.account({ account_id: id })),
    staleTime: 0,
  })
  const failure = account.isError && <Failure error={account.error} onRetry={() => account.refetch()} />
  // If reloading fails, the account stays visible: it may show a password or key that is shown only once.
  if (account.data !== undefined) return <LoadedAccount account={account.data} failure={failure} />
  return <ConsolePage title="Account">{failure || <p className="text-muted">Loading …</p>}</ConsolePage>
}

function LoadedAccount({ account, failure }: { account: AccountDetail; failure: ReactNode }) {
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
          {/* Remounted on a change of role, so that the select shows the current one. */}
          <ChangeBlock key={account.role} account={account} onDone={onDone} onSecret={setSecret} />
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
        ['Id', <Copyable key="id" what="account id" text={account.id} />],
        ['Name', account.name],
        ['Role', account.role],
        ['Sees net prices', account.see_net ? 'yes' : 'no'],
        ['One-time codes', account.one_time_codes ? 'yes' : 'no; set up with “serai accounts totp”'],
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

function ChangeBlock({ account, onDone, onSecret }: ChangeProps) {
  const [role, setRole] = useState<Role>(account.role)
  const target = { account_id: account.id }
  return (
    <Block title="Change">
      <div className="flex flex-col items-start gap-3">
        <div className="flex flex-wrap items-end gap-2">
          <SelectField id="role" label="Role" value={role} options={ROLE_OPTIONS} onValue={setRole} />
          {role !== account.role && (
            <ActionButton
              label="Change the role"
              run={async (reason) => {
                await callApi(serai.operator.changeAccount({ ...target, role, reason }))
                return `${account.email} now has the role ${role}.`
              }}
              onDone={onDone}
              confirm={{
                title: `Give ${account.email} the role ${role}?`,
                text: 'The new role applies to its tokens and keys within a second.',
                reason: true,
              }}
            />
          )}
        </div>
        <ActionButton
          label={account.see_net ? 'Hide net prices' : 'Show net prices'}
          run={async (reason) => {
            await callApi(serai.operator.changeAccount({ ...target, see_net: !account.see_net, reason }))
            return account.see_net ? 'Net prices are now hidden.' : 'Net prices are now visible.'
          }}
          onDone={onDone}
          confirm={{
            title: account.see_net ? 'Hide net prices?' : 'Show net prices?',
            text: 'Net prices are what vendors charge us.',
            reason: true,
          }}
        />
        <ActionButton
          label="Reset the password"
          run={async (reason) => {
            const { password } = await callApi(serai.operator.setPassword({ ...target, reason }))
            if (password !== null) onSecret({ label: 'Password', value: password })
            return 'The password was reset and all sessions were ended.'
          }}
          onDone={onDone}
          confirm={{
            title: 'Reset the password?',
            text: 'The old password stops working and all sessions end. A disabled account is enabled again.',
            reason: true,
          }}
        />
        {account.disabled_at === null && <DisableButton account={account} onDone={onDone} />}
      </div>
    </Block>
  )
}

const DisableButton = ({ account, onDone }: { account: AccountDetail; onDone(what: string): void }) => (
  <ActionButton
    label="Disable the account"
    look="danger"
    run={async (reason) => {
      await callApi(serai.operator.disableAccount({ account_id: account.id, reason }))
      return 'The account is disabled. Resetting the password enables it again.'
    }}
    onDone={onDone}
    confirm={{
      title: `Disable ${account.email}?`,
      text: 'Sign-in is blocked and its keys stop working. Its bookings are kept.',
      reason: true,
    }}
  />
)

function Sessions({ account, onDone }: { account: AccountDetail; onDone(what: string): void }) {
  const end = async (reason: string, session?: string) => {
    const only = session === undefined ? {} : { session_id: session }
    await callApi(serai.operator.endSessions({ account_id: account.id, reason, ...only }))
    return session === undefined ? 'All sessions were ended.' : 'The session was ended.'
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
          confirm={{ title: 'End this session?', text: 'The user must sign in again.', reason: true }}
        />
      ),
    },
  ]
  return (
    <Block title="Sessions">
      {account.sessions.length === 0 ? (
        <p className="text-muted">No active sessions.</p>
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
            confirm={{
              title: 'End all sessions?',
              text: 'All users must sign in again. API keys stay valid.',
              reason: true,
            }}
          />
        </div>
      )}
    </Block>
  )
}
