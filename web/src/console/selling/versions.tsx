import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { Failure } from '../../ui/failure.tsx'
import { ActionButton, Done } from '../parts/action-button.tsx'
import { Block } from '../parts/console-page.tsx'
import { Code, When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { describeRule, diffRules } from './describe-rule.ts'

export type Rules = components['schemas']['SellingRules']
type Version = Rules['versions'][number]

export const rulesKey = ['console', 'selling', 'rules'] as const

/** History of the rules, comparison with the rules in force, and rollback. */
export function Versions({ rules }: { rules: Rules }) {
  const client = useQueryClient()
  const [open, setOpen] = useState<number>()
  const [done, setDone] = useState<string>()
  const names = useOperators()
  const columns: readonly Column<Version>[] = [
    { title: 'Version', className: 'figures', cell: ({ version }) => version },
    { title: 'When', cell: ({ changed_at }) => <When at={changed_at} /> },
    {
      title: 'Who',
      cell: ({ changed_by }) => changed_by && (names.get(changed_by.id) ?? <Code>{changed_by.id}</Code>),
    },
    {
      title: 'Actions',
      cell: ({ version }) =>
        version === rules.version ? (
          'in force'
        ) : (
          <button
            type="button"
            className="btn-plain"
            aria-expanded={open === version}
            aria-label={`Compare version ${version}`}
            onClick={() => setOpen(version)}
          >
            Compare
          </button>
        ),
    },
  ]
  if (rules.versions.length === 0) return <p className="text-muted">No rules have been stored yet.</p>
  return (
    <div className="flex flex-col gap-5">
      {done !== undefined && <Done what={done} />}
      <Table
        caption="Versions of the rules, newest first"
        columns={columns}
        rows={rules.versions}
        rowKey={({ version }) => String(version)}
      />
      {open !== undefined && (
        <VersionBlock
          key={open}
          version={open}
          rules={rules}
          onTried={() => void client.invalidateQueries({ queryKey: rulesKey })}
          onDone={(what) => {
            setOpen(undefined)
            setDone(what)
          }}
        />
      )}
    </div>
  )
}

type OneProps = { version: number; rules: Rules; onTried(): void; onDone(what: string): void }

function VersionBlock({ version, rules, onTried, onDone }: OneProps) {
  const found = useQuery({
    queryKey: ['console', 'selling', 'version', version],
    queryFn: () => callApi(serai.operator.sellingVersion({ version: String(version) })),
  })
  if (found.isPending) return <p className="text-muted">Loading …</p>
  if (found.isError) return <Failure error={found.error} onRetry={() => found.refetch()} />
  const changes = diffRules(rules.rules, found.data.rules)
  const goBack = async (reason: string) => {
    const order = { rules: found.data.rules, based_on: rules.version, reason }
    // If another operator has stored rules, the comparison is outdated too.
    const stored = await callApi(serai.operator.sellingSetRules(order)).finally(onTried)
    return `The rules of version ${version} are in force again, as version ${stored.version}.`
  }
  return (
    <Block title={`Version ${version}`}>
      <ul className="mb-3 list-disc pl-5">
        {found.data.rules.map((rule) => (
          <li key={describeRule(rule)}>{describeRule(rule)}</li>
        ))}
      </ul>
      <h3 className="font-semibold">Changes when going back to it</h3>
      <Differences {...changes} />
      <div className="mt-3">
        <ActionButton
          label="Go back to this version"
          look="primary"
          run={goBack}
          onDone={onDone}
          confirm={{ title: `Go back to version ${version}?`, text: <Differences {...changes} />, reason: true }}
        />
      </div>
    </Block>
  )
}

export function Differences({ added, removed }: { added: readonly string[]; removed: readonly string[] }) {
  if (added.length + removed.length === 0) return <p className="text-muted">No differences.</p>
  return (
    <ul className="flex flex-col gap-1">
      {removed.map((line) => (
        <li key={line} className="rounded-sm bg-bad-wash px-2 py-1 text-bad">
          Removed: {line}
        </li>
      ))}
      {added.map((line) => (
        <li key={line} className="rounded-sm bg-good-wash px-2 py-1 text-good">
          Added: {line}
        </li>
      ))}
    </ul>
  )
}

/** E-mail addresses of operators by id: versions contain only the id. */
function useOperators(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['console', 'operators'],
    queryFn: () => callApi(serai.operator.accounts({ filters: ['role:==<operator'], limit: 100 })),
  })
  return new Map(data?.data.map(({ id, email }) => [id, email]))
}
