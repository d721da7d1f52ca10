import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { useAddress } from '../../browser/router.ts'
import { ConsolePage } from '../parts/console-page.tsx'
import { Code, When } from '../parts/facts.tsx'
import { type Column, ListTable } from '../parts/list-table.tsx'
import { AuditFilters, type AuditQuery, readAuditQuery } from './audit-filters.tsx'

type Entry = components['schemas']['AuditEntry']

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'When', cell: ({ at }) => <When at={at} /> },
  {
    title: 'Who',
    cell: ({ actor, actor_name }) =>
      actor_name === null ? `${actor.kind} ${actor.id}` : <ObjectLink id={actor.id} name={actor_name} />,
  },
  {
    title: 'Action',
    className: 'md:whitespace-nowrap',
    cell: ({ action }) => <span title={action}>{formatAction(action)}</span>,
  },
  { title: 'Object', cell: (entry) => <Subject entry={entry} /> },
  { title: 'Change', cell: ({ changes }) => <Changes changes={changes} /> },
  { title: 'Reason', className: 'md:min-w-40', cell: ({ reason }) => reason },
  {
    title: 'Outcome',
    cell: ({ outcome, request_id }) => (
      <>
        {outcome ?? 'unknown: the process ended before it was recorded'}
        {request_id !== null && (
          <a className="link block" href={`/console/requests/${encodeURIComponent(request_id)}`}>
            Request
          </a>
        )}
      </>
    ),
  },
]

export default function AuditSection() {
  const { query } = useAddress()
  const wanted = readAuditQuery(query)
  return (
    <ConsolePage
      title="Audit log"
      intro="Actions of operators in the console, the API and the command line. Entries are never changed or deleted."
    >
      <AuditFilters key={query.toString()} initial={wanted} />
      <ListTable
        caption="Actions of operators, newest first"
        queryKey={['console', 'audit', wanted]}
        read={async (paging) => serai.operator.audit({ ...paging, filters: await toFilters(wanted) })}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={Object.values(wanted).some(Boolean) ? 'No actions for these filters.' : 'No actions yet.'}
      />
    </ConsolePage>
  )
}

/** "operator.bookings.resolve" as "bookings resolve"; commands keep their "cli". */
const formatAction = (action: string): string => action.replace(/^operator\./, '').replaceAll(/[._]/g, ' ')

async function toFilters({ person, action, object, from, until }: AuditQuery): Promise<string[]> {
  const text = action.trim().replaceAll(' ', '_')
  return [
    ...(person === '' ? [] : [`actor_id:==<${await findActorId(person)}`]),
    ...(text === '' ? [] : [`action:ilike<${text}`]),
    ...(object === '' ? [] : [`subject:ilike<${await findSubject(object)}`]),
    ...(from === '' ? [] : [`at:>=<${from}T00:00:00Z`]),
    ...(until === '' ? [] : [`at:<=<${until}T23:59:59.999Z`]),
  ]
}

/** The account with this e-mail, or the text itself: the command line records names of users. */
async function findActorId(person: string): Promise<string> {
  if (!person.includes('@')) return person
  const { data } = await callApi(serai.operator.accounts({ filters: [`email:==<${person}`] }))
  return data[0]?.id ?? person
}

/** The log has ids. References and e-mails are looked up. */
async function findSubject(object: string): Promise<string> {
  const { bookings, accounts } = await callApi(serai.operator.find({ q: object }))
  const exact = bookings.find(({ reference, vendor_reference }) => [reference, vendor_reference].includes(object))
  return exact?.booking_id ?? accounts.find(({ email }) => email === object)?.id ?? object
}

const VIEWS = [
  ['acc_', 'accounts'],
  ['bkg_', 'bookings'],
  ['prp_', 'matches'],
] as const

function ObjectLink({ id, name }: { id: string; name: string }) {
  const view = VIEWS.find(([prefix]) => id.startsWith(prefix))?.[1]
  if (view === undefined) return <span title={id}>{name}</span>
  return (
    <a className="link" href={`/console/${view}/${id}`} title={id}>
      {name}
    </a>
  )
}

/** Objects by their names, and the rest of the subject. */
function Subject({ entry: { subject, objects } }: { entry: Entry }) {
  const rest = subject
    .split(' ')
    .filter((part) => objects.every(({ id }) => id !== part))
    .join(' ')
  return (
    <span className="flex flex-col items-start">
      {objects.map(({ id, name }) => (
        <ObjectLink key={id} id={id} name={name} />
      ))}
      {rest !== '' && <Code>{rest}</Code>}
    </span>
  )
}

function Changes({ changes }: { changes: Entry['changes'] }) {
  return changes.map(({ field, before, after }) => (
    <span key={field} className="block">
      {field.replaceAll('_', ' ')}: {before.replaceAll('"', '')} → {after.replaceAll('"', '')}
    </span>
  ))
}
