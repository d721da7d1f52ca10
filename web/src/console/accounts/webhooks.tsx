import type { components } from '../../../../packages/client/src/index.ts'
import { replayWebhook } from '../bookings/actions.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Block } from '../parts/console-page.tsx'
import { Code, When } from '../parts/facts.tsx'
import { type Column, Table } from '../parts/list-table.tsx'

type Webhook = components['schemas']['OperatorAccountWebhook']
type Props = { webhooks: readonly Webhook[]; onDone(what: string): void }

const LOOKS: Readonly<Record<Webhook['status'], string>> = {
  active: 'bg-good-wash text-good',
  failing: 'bg-bad-wash text-bad',
  disabled: 'bg-sunk text-muted',
}

/** Shows only the host of each webhook: the rest of the URL is private to the account. */
export function Webhooks({ webhooks, onDone }: Props) {
  const columns: readonly Column<Webhook>[] = [
    {
      title: 'Webhook',
      cell: ({ id, origin }) => (
        <>
          {origin} <Code>{id}</Code>
        </>
      ),
    },
    { title: 'Status', cell: ({ status }) => <span className={`tag ${LOOKS[status]}`}>{status}</span> },
    { title: 'Events', cell: ({ events }) => events.map((event) => event.replace('booking.', '')).join(', ') },
    { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
    {
      title: 'Action',
      cell: ({ id, origin, status }) =>
        status === 'failing' && (
          <ActionButton label={`Send failed events to ${origin} again`} run={() => replayWebhook(id)} onDone={onDone} />
        ),
    },
  ]
  return (
    <Block title="Webhooks">
      {webhooks.length === 0 ? (
        <p className="text-muted">The account has no webhooks.</p>
      ) : (
        <Table caption="Webhooks, oldest first" columns={columns} rows={webhooks} rowKey={({ id }) => id} />
      )}
    </Block>
  )
}
