import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi, serai } from '../../api/client.ts'
import { navigate } from '../../browser/router.ts'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ActionButton, Done } from '../parts/action-button.tsx'
import { Block, ConsolePage } from '../parts/console-page.tsx'
import { Code, When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { Evidence, formatPercent } from './evidence.tsx'
import { type Matched, Records } from './records.tsx'
import { RoomTypes } from './room-types.tsx'
import { describeSeparation } from './separation.ts'

const matchKey = (id: string) => ['console', 'match', id]

const useMatch = (id: string) =>
  useQuery({
    queryKey: matchKey(id),
    queryFn: () => callApi(serai.operator.match({ property_id: id })),
    staleTime: 0,
  })

/** A property with its vendors' records; with `other`, a pair that may be the same property. */
export function MatchView({ id, other }: { id: string; other: string | undefined }) {
  return other === undefined ? <PropertyMatch id={id} /> : <PropertyPair id={id} other={other} />
}

const BackLink = () => (
  <a className="link" href="/console/matches">
    All matches
  </a>
)

function MatchLoading({ match }: { match: ReturnType<typeof useMatch> }) {
  return (
    <ConsolePage title="Match" actions={<BackLink />}>
      {match.isError ? (
        <Failure error={match.error} onRetry={() => match.refetch()} />
      ) : (
        <p className="text-muted">Loading …</p>
      )}
    </ConsolePage>
  )
}

function PropertyMatch({ id }: { id: string }) {
  const client = useQueryClient()
  const match = useMatch(id)
  const [done, setDone] = useState<string>()
  if (!match.isSuccess) return <MatchLoading match={match} />
  const onDone = (what: string) => {
    setDone(what)
    void client.invalidateQueries({ queryKey: ['console'] })
  }
  return (
    <ConsolePage title={match.data.name} actions={<BackLink />}>
      <div className="flex flex-col gap-5">
        {done !== undefined && <Done what={done} />}
        <Records properties={[match.data]} onDone={onDone} />
        <LookAlikes match={match.data} />
        <RoomTypes match={match.data} onDone={onDone} />
        <Decisions match={match.data} />
      </div>
    </ConsolePage>
  )
}

function PropertyPair({ id, other }: { id: string; other: string }) {
  const client = useQueryClient()
  const [one, two] = [useMatch(id), useMatch(other)]
  const [done, setDone] = useState<string>()
  if (!one.isSuccess) return <MatchLoading match={one} />
  if (!two.isSuccess) return <MatchLoading match={two} />
  const ids = { property_id: one.data.property_id, other_property_id: two.data.property_id }
  const isOne = ids.property_id === ids.other_property_id
  const onDone = (what: string) => {
    setDone(what)
    void client.invalidateQueries({ queryKey: ['console'] })
  }
  return (
    <ConsolePage title={isOne ? one.data.name : `${one.data.name} and ${two.data.name}`} actions={<BackLink />}>
      <div className="flex flex-col gap-5">
        {done !== undefined && <Done what={done} />}
        {isOne ? (
          <p>
            They are the same property:{' '}
            <a className="link" href={`/console/matches/${ids.property_id}`}>
              {one.data.name}
            </a>
            .
          </p>
        ) : (
          <div className="flex flex-wrap gap-3">
            <ActionButton
              label="Join them"
              look="primary"
              run={async (reason) => {
                const joined = await callApi(serai.operator.joinProperties({ ...ids, reason }))
                return `Joined as ${joined.property_id}. The other id redirects to it.`
              }}
              onDone={onDone}
              confirm={{
                title: 'Join the two properties?',
                text: `${one.data.name} keeps its id; the id of ${two.data.name} redirects to it. Automatic matching never undoes this.`,
                reason: true,
              }}
            />
            <ActionButton
              label="Decide later"
              run={async () => {
                await callApi(serai.operator.postponeNearMatch(ids))
                return 'The pair returns to the list in 30 days.'
              }}
              onDone={onDone}
            />
            <ActionButton
              label="Keep separate"
              run={async (reason) => {
                await callApi(serai.operator.keepSeparate({ ...ids, reason }))
                return 'Recorded as two properties. Automatic matching never joins them.'
              }}
              onDone={onDone}
              confirm={{
                title: 'Keep the properties separate?',
                text: 'The pair leaves the list, and automatic matching never joins it. Nothing else changes.',
                reason: true,
              }}
            />
          </div>
        )}
        {!isOne && <Comparison {...ids} />}
        <Records properties={isOne ? [one.data] : [one.data, two.data]} onDone={onDone} />
      </div>
    </ConsolePage>
  )
}

/** Reasons why two properties are separate, and the evidence. */
function Comparison(ids: { property_id: string; other_property_id: string }) {
  const { property_id: one, other_property_id: other } = ids
  const comparison = useQuery({
    queryKey: ['console', 'compare', one, other],
    queryFn: () => callApi(serai.operator.compareProperties({ property_id: one, other_property_id: other })),
    staleTime: 0,
  })
  if (!comparison.isSuccess) return null
  const { score, evidence, reasons } = comparison.data
  return (
    <Block
      title={
        score === null
          ? 'Matching never joins them'
          : `${formatPercent(score)} certain that they are the same; 79 % is required`
      }
    >
      <h3 className="font-semibold">Not joined because</h3>
      <ul className="mb-3 list-disc pl-5">
        {reasons.map((reason) => (
          <li key={reason}>{describeSeparation(reason)}</li>
        ))}
      </ul>
      {evidence.length > 0 && <Evidence evidence={evidence} />}
    </Block>
  )
}

function LookAlikes({ match }: { match: Matched }) {
  const [typed, setTyped] = useState('')
  const columns: readonly Column<Matched['look_alikes'][number]>[] = [
    { title: 'Certainty', className: 'figures text-right', cell: ({ score }) => formatPercent(score) },
    {
      title: 'Property',
      cell: ({ property_id, name }) => (
        <a className="link" href={`/console/matches/${match.property_id}/${property_id}`}>
          {name}
        </a>
      ),
    },
    { title: 'Evidence', cell: ({ evidence }) => <Evidence evidence={evidence} /> },
  ]
  return (
    <Block title="Similar properties nearby">
      {match.look_alikes.length === 0 ? (
        <p className="text-muted">No similar properties.</p>
      ) : (
        <Table
          caption="Similar properties, most similar first"
          columns={columns}
          rows={match.look_alikes}
          rowKey={({ property_id }) => property_id}
        />
      )}
      <form
        className="mt-3 flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const id = typed.trim()
          if (id !== '') navigate(`/console/matches/${match.property_id}/${encodeURIComponent(id)}`)
        }}
      >
        <div className="w-full max-w-72">
          <TextField
            id="compare-with"
            label="Compare with the property"
            hint="Property id."
            value={typed}
            onValue={setTyped}
            error={undefined}
            autoComplete="off"
          />
        </div>
        <button type="submit" className="btn btn-quiet mb-6">
          Compare
        </button>
      </form>
    </Block>
  )
}

const DECISION_COLUMNS: readonly Column<Matched['decisions'][number]>[] = [
  { title: 'When', cell: ({ decided_at }) => <When at={decided_at} /> },
  { title: 'Decision', cell: ({ kind }) => (kind === 'join' ? 'same property' : 'different properties') },
  { title: 'Records', cell: ({ records }) => <Code>{records.join(' and ')}</Code> },
  { title: 'Who', cell: ({ decided_by }) => (decided_by === null ? 'command line' : <Code>{decided_by}</Code>) },
  { title: 'Reason', cell: ({ reason }) => reason },
]

function Decisions({ match }: { match: Matched }) {
  if (match.decisions.length === 0) return null
  return (
    <Block title="Manual decisions">
      <Table
        caption="Decisions of operators on these records"
        columns={DECISION_COLUMNS}
        rows={match.decisions}
        rowKey={({ records }) => records.join(' ')}
      />
    </Block>
  )
}
