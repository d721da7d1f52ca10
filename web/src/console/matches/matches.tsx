import { type FormEvent, useState } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { serai } from '../../api/client.ts'
import { navigate, useAddress } from '../../browser/router.ts'
import { formatVendorName } from '../../ui/badges.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ConsolePage } from '../parts/console-page.tsx'
import { Code } from '../parts/facts.tsx'
import { type Column, ListTable } from '../parts/list-table.tsx'
import { SectionTabs } from '../parts/section-tabs.tsx'
import { SelectField } from '../parts/select-field.tsx'
import type { SectionProps } from '../section-props.ts'
import { formatMainReasons, formatPercent } from './evidence.tsx'
import { MatchView } from './match.tsx'
import { describeSeparation, REASON_OPTIONS } from './separation.ts'

type Match = components['schemas']['Match']
type NearMatch = components['schemas']['NearMatch']

const MATCHES_PATH = '/console/matches'
const NEAR_PATH = `${MATCHES_PATH}/near`
const TABS = [
  [MATCHES_PATH, 'Matched'],
  [NEAR_PATH, 'Nearly matched'],
] as const
/** Only of near matches. */
const REASON = 'reason'
const FILTERS = [
  ['name', 'Name contains'],
  ['city', 'City contains'],
  ['vendor_id', 'Vendor'],
] as const

export default function MatchesSection({ rest: [id, other] }: SectionProps) {
  const { query } = useAddress()
  if (id !== undefined && id !== 'near') return <MatchView id={id} other={other} />
  const isNear = id === 'near'
  return (
    <ConsolePage
      title="Matches"
      intro={
        isNear
          ? 'Properties that nearly matched, most similar first. Join them, keep them separate, or put them off for a month.'
          : 'Vendors’ records that were matched to a property of other vendors, least certain first. Confirmed ones leave the list.'
      }
    >
      <SectionTabs label="Matches" tabs={TABS} open={isNear ? NEAR_PATH : MATCHES_PATH} />
      <Filters key={query.toString()} address={isNear ? NEAR_PATH : MATCHES_PATH} query={query} />
      {isNear ? <NearList /> : <MatchedList />}
    </ConsolePage>
  )
}

/** "Expedia Rapid" → `expedia_rapid`. */
const toVendorId = (name: string): string => name.trim().toLowerCase().replaceAll(' ', '_')

/** Filters of the address in the form of the list API. */
function useFilters(): readonly string[] {
  const { query } = useAddress()
  const reason = query.get(REASON) ?? ''
  const byReason = reason === '' ? [] : [`${REASON}:==<${reason}`]
  return FILTERS.flatMap(([name]) => {
    const wanted = query.get(name) ?? ''
    if (wanted === '') return []
    return [name === 'vendor_id' ? `vendor_id:==<${toVendorId(wanted)}` : `${name}:ilike<${wanted}`]
  }).concat(byReason)
}

function Filters({ address, query }: { address: string; query: URLSearchParams }) {
  const [form, setForm] = useState<Record<string, string>>(() =>
    Object.fromEntries([...FILTERS.map(([name]) => name), REASON].map((name) => [name, query.get(name) ?? ''])),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = new URLSearchParams(Object.entries(form).filter(([, value]) => value.trim() !== ''))
    navigate(wanted.size === 0 ? address : `${address}?${wanted}`, { keepScroll: true })
  }
  return (
    <form className="mb-4 flex flex-wrap items-end gap-3" onSubmit={submit}>
      {FILTERS.map(([name, label]) => (
        <div key={name} className="w-full sm:max-w-52">
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
      {address === NEAR_PATH && (
        <SelectField
          id="matches-reason"
          label="Not joined because"
          value={form[REASON] ?? ''}
          onValue={(value) => setForm({ ...form, [REASON]: value })}
          options={REASON_OPTIONS}
        />
      )}
      <button type="submit" className="btn btn-quiet">
        Find
      </button>
    </form>
  )
}

const MATCH_COLUMNS: readonly Column<Match>[] = [
  { title: 'Certainty', className: 'figures text-right', cell: ({ score }) => formatPercent(score) },
  {
    title: 'Property',
    cell: ({ property_id, name }) => (
      <a className="link" href={`${MATCHES_PATH}/${property_id}`}>
        {name}
      </a>
    ),
  },
  { title: 'City', cell: ({ city, country_code }) => `${city}, ${country_code}` },
  {
    title: 'Record',
    cell: ({ vendor_id, vendor_property_id }) => (
      <>
        {formatVendorName(vendor_id)}{' '}
        <span className="inline-block">
          <Code>{vendor_property_id}</Code>
        </span>
      </>
    ),
  },
  { title: 'Decided by', cell: ({ decided_by }) => (decided_by === 'auto' ? 'automatic matching' : 'an operator') },
  { title: 'Against it', cell: ({ evidence }) => formatMainReasons(evidence, -1) },
]

function MatchedList() {
  const asked = useFilters()
  // Confirmed matches are listed only if they are looked for.
  const filters = asked.length > 0 ? asked : ['decided_by:==<auto']
  return (
    <ListTable
      caption="Matches, least certain first"
      queryKey={['console', 'matches', filters]}
      read={(paging) => serai.operator.matches({ ...paging, filters: [...filters] })}
      columns={MATCH_COLUMNS}
      rowKey={({ id }) => id}
      empty={asked.length > 0 ? 'No matches for these filters.' : 'No matches to confirm.'}
    />
  )
}

const NEAR_COLUMNS: readonly Column<NearMatch>[] = [
  { title: 'Certainty', className: 'figures text-right', cell: ({ score }) => formatPercent(score) },
  {
    title: 'Properties',
    cell: ({ property_id, name, other }) => (
      <a className="link" href={`${MATCHES_PATH}/${property_id}/${other.property_id}`}>
        {name} and {other.name}
      </a>
    ),
  },
  { title: 'City', cell: ({ city, country_code }) => `${city}, ${country_code}` },
  {
    title: 'Vendors',
    cell: ({ vendor_id, other }) => `${formatVendorName(vendor_id)}, ${formatVendorName(other.vendor_id)}`,
  },
  { title: 'Not joined because', className: 'md:min-w-48', cell: ({ reason }) => describeSeparation(reason) },
  { title: 'For it', cell: ({ evidence }) => formatMainReasons(evidence, 1) },
  { title: 'Against it', cell: ({ evidence }) => formatMainReasons(evidence, -1) },
]

function NearList() {
  const filters = useFilters()
  return (
    <ListTable
      caption="Properties that nearly matched, most similar first"
      queryKey={['console', 'near-matches', filters]}
      read={(paging) => serai.operator.nearMatches({ ...paging, ...(filters.length > 0 && { filters: [...filters] }) })}
      columns={NEAR_COLUMNS}
      rowKey={({ id }) => id}
      empty={
        filters.length > 0
          ? 'No pairs for these filters.'
          : 'No properties nearly matched, or all of them have been decided.'
      }
    />
  )
}
