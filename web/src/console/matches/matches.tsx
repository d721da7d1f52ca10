import { type FormEvent, useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { serai } from '../../api/client.ts'
import { navigate, useAddress } from '../../browser/router.ts'
import { TextField } from '../../ui/text-field.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { Code } from '../parts/facts.tsx'
import { type Column, ListTable } from '../parts/list-table.tsx'
import { SectionTabs } from '../parts/section-tabs.tsx'
import type { SectionProps } from '../section-props.ts'
import { mainReason, percent } from './evidence.tsx'
import { MatchView } from './match.tsx'

type Match = components['schemas']['Match']
type NearMatch = components['schemas']['NearMatch']

const ADDRESS = '/console/matches'
const NEAR = `${ADDRESS}/near`
const TABS = [
  [ADDRESS, 'Matched'],
  [NEAR, 'Nearly matched'],
] as const
const FILTERS = [
  ['name', 'Name contains'],
  ['city', 'City contains'],
  ['vendor_id', 'Vendor'],
] as const

/** Which vendors' properties are one, and whether that is right. */
export default function MatchesSection({ rest: [id, other] }: SectionProps) {
  const { query } = useAddress()
  if (id !== undefined && id !== 'near') return <MatchView id={id} other={other} />
  const isNear = id === 'near'
  return (
    <ConsolePage
      title="Matches"
      intro={
        isNear
          ? 'Properties that nearly became one, the most similar first. Join them, or say that they are two.'
          : 'Vendors’ records that were matched to a property of other vendors, the least certain first.'
      }
    >
      <SectionTabs label="Matches" tabs={TABS} open={isNear ? NEAR : ADDRESS} />
      <Filters key={query.toString()} address={isNear ? NEAR : ADDRESS} query={query} />
      {isNear ? <NearList /> : <MatchedList />}
    </ConsolePage>
  )
}

/** The filters of the address as the list takes them. */
function useFilters(): readonly string[] {
  const { query } = useAddress()
  return FILTERS.flatMap(([name]) => {
    const wanted = query.get(name) ?? ''
    if (wanted === '') return []
    return [name === 'vendor_id' ? `vendor_id:==<${wanted}` : `${name}:ilike<${wanted}`]
  })
}

function Filters({ address, query }: { address: string; query: URLSearchParams }) {
  const [form, setForm] = useState(() => Object.fromEntries(FILTERS.map(([name]) => [name, query.get(name) ?? ''])))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = new URLSearchParams(Object.entries(form).filter(([, value]) => value.trim() !== ''))
    navigate(wanted.size === 0 ? address : `${address}?${wanted}`, { keepScroll: true })
  }
  return (
    <form className="mb-4 flex flex-wrap items-end gap-3" onSubmit={submit}>
      {FILTERS.map(([name, label]) => (
        <div key={name} className="w-full max-w-52">
          <TextField
            id={`matches-${name}`}
            label={label}
            value={form[name] ?? ''}
            onValue={(value) => setForm({ ...form, [name]: value })}
            error={undefined}
            autoComplete="off"
          />
        </div>
      ))}
      <button type="submit" className="btn btn-quiet">
        Find
      </button>
    </form>
  )
}

const MATCH_COLUMNS: readonly Column<Match>[] = [
  { title: 'Certainty', className: 'figures text-right', cell: ({ score }) => percent(score) },
  {
    title: 'Property',
    cell: ({ property_id, name }) => (
      <a className="link" href={`${ADDRESS}/${property_id}`}>
        {name}
      </a>
    ),
  },
  { title: 'City', cell: ({ city, country_code }) => `${city}, ${country_code}` },
  {
    title: 'Record',
    cell: ({ vendor_id, vendor_property_id }) => (
      <>
        {vendor_id} <Code>{vendor_property_id}</Code>
      </>
    ),
  },
  { title: 'Decided by', cell: ({ decided_by }) => (decided_by === 'auto' ? 'the rules' : 'an operator') },
  { title: 'Against it', cell: ({ evidence }) => mainReason(evidence, -1) },
]

function MatchedList() {
  const filters = useFilters()
  return (
    <ListTable
      caption="Matches, the least certain first"
      queryKey={['console', 'matches', filters]}
      read={(paging) => serai.operator.matches({ ...paging, ...(filters.length > 0 && { filters: [...filters] }) })}
      columns={MATCH_COLUMNS}
      rowKey={({ id }) => id}
      empty={filters.length > 0 ? 'No match fits these filters.' : 'No vendors’ properties have been matched yet.'}
    />
  )
}

const NEAR_COLUMNS: readonly Column<NearMatch>[] = [
  { title: 'Certainty', className: 'figures text-right', cell: ({ score }) => percent(score) },
  {
    title: 'Properties',
    cell: ({ property_id, name, other }) => (
      <a className="link" href={`${ADDRESS}/${property_id}/${other.property_id}`}>
        {name} and {other.name}
      </a>
    ),
  },
  { title: 'City', cell: ({ city, country_code }) => `${city}, ${country_code}` },
  { title: 'Vendors', cell: ({ vendor_id, other }) => `${vendor_id}, ${other.vendor_id}` },
  { title: 'For it', cell: ({ evidence }) => mainReason(evidence, 1) },
  { title: 'Against it', cell: ({ evidence }) => mainReason(evidence, -1) },
]

function NearList() {
  const filters = useFilters()
  return (
    <ListTable
      caption="Properties that nearly matched, the most similar first"
      queryKey={['console', 'near-matches', filters]}
      read={(paging) => serai.operator.nearMatches({ ...paging, ...(filters.length > 0 && { filters: [...filters] }) })}
      columns={NEAR_COLUMNS}
      rowKey={({ id }) => id}
      empty={
        filters.length > 0
          ? 'No pair fits these filters.'
          : 'No properties nearly matched, or somebody has decided on all of them.'
      }
    />
  )
}
