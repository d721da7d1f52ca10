import { lazy, type ReactNode, Suspense } from 'react'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { canDrawMaps } from '../../map/can-draw.ts'
import { usePageConfig } from '../../session/use-page-config.ts'
import { formatVendorName } from '../../ui/badges.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Picture } from '../../ui/picture.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import { Block } from '../parts/console-page.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Facts } from '../parts/facts.tsx'
import { Evidence, formatPercent } from './evidence.tsx'

export type Matched = components['schemas']['MatchedProperty']
type MatchRecord = Matched['records'][number]

const recordKey = ({ vendor_id, vendor_property_id }: MatchRecord) => `${vendor_id}:${vendor_property_id}`

const RecordMap = lazy(() => import('./record-map.tsx'))

type Props = { properties: readonly Matched[]; onDone(what: string): void }

/** Records of one or two properties, side by side and on the map. */
export function Records({ properties, onDone }: Props) {
  const entries = properties.flatMap((property) =>
    property.records.map((record) => [recordKey(record), { property, record }] as const),
  )
  // Two properties list the same record for a moment while both are read again after a join.
  const records = [...new Map(entries).values()]
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2 2xl:grid-cols-3">
        {records.map(({ property, record }, index) => (
          <RecordBlock
            key={recordKey(record)}
            {...{ property, record, onDone }}
            number={index + 1}
            canSplit={property.records.length > 1}
          />
        ))}
      </div>
      <Block title="Map">
        <div className="h-80 overflow-hidden rounded-md border border-line">
          <RecordMapFrame spots={records.map(({ record }) => ({ id: recordKey(record), ...record.location }))} />
        </div>
      </Block>
    </>
  )
}

/** Loaded separately; the records can be compared without the map. */
function RecordMapFrame({ spots }: { spots: readonly { id: string; lat: number; lon: number }[] }) {
  const { data, isPending } = usePageConfig()
  const waiting = <div className="skeleton size-full rounded-none" />
  const failed = <p className="p-6 text-center text-muted">The map cannot be drawn here.</p>
  if (!canDrawMaps()) return failed
  return (
    <ErrorBoundary fallback={failed}>
      <Suspense fallback={waiting}>
        {isPending ? waiting : <RecordMap spots={spots} styleUrl={data?.map_style_url ?? null} />}
      </Suspense>
    </ErrorBoundary>
  )
}

type RecordProps = {
  property: Matched
  record: MatchRecord
  number: number
  canSplit: boolean
  onDone(what: string): void
}

function RecordBlock({ property, record, number, canSplit, onDone }: RecordProps) {
  const { vendor_id, vendor_property_id } = record
  const vendor = formatVendorName(vendor_id)
  return (
    <Block title={`${number}. ${record.name}`}>
      <div className="flex flex-col gap-3">
        <Pictures record={record} />
        <Facts rows={listRecordFacts(property, record)} />
        <div>
          <h3 className="font-semibold">{describeMatch(record)}</h3>
          {record.evidence.length > 0 && <Evidence evidence={record.evidence} />}
        </div>
        {canSplit && record.decided_by === 'auto' && (
          <ActionButton
            label={`Confirm ${vendor}`}
            look="primary"
            run={async (reason) => {
              const ref = { property_id: property.property_id, vendor_id, vendor_property_id }
              await callApi(serai.operator.confirmMatch({ ...ref, reason }))
              return `${vendor} ${vendor_property_id} is confirmed. Automatic matching never splits it off.`
            }}
            onDone={onDone}
            confirm={{
              title: `Confirm the record of ${vendor}?`,
              text: 'It stays with this property, whatever its vendor changes. It can still be split off by hand.',
              reason: true,
            }}
          />
        )}
        {canSplit && (
          <ActionButton
            label={`Split off ${vendor}`}
            run={async (reason) => {
              const ref = { property_id: property.property_id, vendor_id, vendor_property_id }
              await callApi(serai.operator.splitProperty({ ...ref, reason }))
              return `${vendor} ${vendor_property_id} is now a separate property. Automatic matching never undoes this.`
            }}
            onDone={onDone}
            confirm={{
              title: `Split off the record of ${vendor}?`,
              text: 'It gets its own id; the other records keep theirs. Automatic matching never undoes this.',
              reason: true,
            }}
          />
        )}
      </div>
    </Block>
  )
}

function describeMatch({ decided_by, score }: MatchRecord): string {
  if (decided_by === 'founder') return 'First record of the property'
  return decided_by === 'operator' ? 'Decided by an operator' : `Matched automatically, ${formatPercent(score)} certain`
}

const listRecordFacts = (property: Matched, record: MatchRecord): readonly (readonly [string, ReactNode])[] => [
  ['Vendor', formatVendorName(record.vendor_id)],
  [
    'Vendor’s id',
    <Copyable key="id" what={`id of ${formatVendorName(record.vendor_id)}`} text={record.vendor_property_id} />,
  ],
  ['Property', <Copyable key="property" what="property id" text={property.property_id} />],
  ['Address', record.address],
  ['Position', `${record.location.lat.toFixed(5)}, ${record.location.lon.toFixed(5)}`],
  ['Distance from the first', `${record.distance_m} m`],
  ['Phone', record.phone === '' ? 'none' : record.phone],
  ['Stars', record.stars === 0 ? 'unknown' : record.stars],
  ['Chain', record.chain === '' ? 'none' : record.chain],
  ['Type', record.category === '' ? 'unknown' : record.category],
]

function Pictures({ record }: { record: MatchRecord }) {
  if (record.images.length === 0) return <p className="text-muted">No pictures.</p>
  return (
    <div className="grid grid-cols-3 gap-1">
      {record.images.slice(0, 3).map((image, index) => (
        <Picture
          key={image.lores}
          src={image.lores}
          alt={`${record.name}, picture ${index + 1} of ${formatVendorName(record.vendor_id)}`}
          className="aspect-[4/3] w-full rounded-sm"
        />
      ))}
    </div>
  )
}
