import { useQuery } from '@tanstack/react-query'
import type { components } from '../../../../packages/client/src/index.ts'
import { callApi, serai } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { SimulatedTag } from '../../ui/badges.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { VendorCallsBlock } from '../bookings/record-blocks.tsx'
import { Block, ConsolePage } from '../parts/console-page.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { Code, Facts, When } from '../parts/facts.tsx'
import { FindForm } from './find-form.tsx'

export type RequestEntry = components['schemas']['RequestEntry']

/** Calls with one request id. */
export function RequestView({ requestId }: { requestId: string }) {
  const request = useQuery({
    queryKey: ['console', 'request', requestId],
    queryFn: () => callApi(serai.operator.request({ request_id: requestId })),
    retry: false,
    staleTime: 0,
  })
  const isUnknown = request.error instanceof ApiProblem && request.error.status === 404
  return (
    <ConsolePage
      title="Request"
      intro={<Copyable what="request id" text={requestId} />}
      actions={
        <a className="btn btn-quiet" href="/console/requests">
          All requests
        </a>
      }
    >
      <FindForm key={requestId} initial={requestId} />
      {request.isPending && <p className="py-6 text-muted">Loading …</p>}
      {isUnknown && (
        <Notice tone="info" role="status">
          No request with this id is stored. Requests appear within seconds and are kept for 7 days, bookings and errors
          for 30.
        </Notice>
      )}
      {request.isError && !isUnknown && <Failure error={request.error} onRetry={() => request.refetch()} />}
      {request.data !== undefined && (
        <div className="flex flex-col gap-4">
          {request.data.requests.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
          {request.data.vendor_calls.length > 0 && <VendorCallsBlock calls={request.data.vendor_calls} />}
        </div>
      )}
    </ConsolePage>
  )
}

function Entry({ entry }: { entry: RequestEntry }) {
  return (
    <Block title={entry.operation}>
      <Facts
        rows={[
          ['When', <When key="at" at={entry.at} />],
          [
            'Request',
            <Code key="called">
              {entry.method} {entry.path}
            </Code>,
          ],
          ['Response', `${entry.status}${entry.code === null ? '' : `, ${entry.code}`}`],
          ['Duration', `${entry.took_ms.toLocaleString('en-GB')} ms`],
          [
            'Account',
            entry.account_id === null ? (
              'not identified'
            ) : (
              <a key="account" className="link" href={`/console/accounts/${entry.account_id}`}>
                <Code>{entry.account_id}</Code>
              </a>
            ),
          ],
          ['API key', entry.key_id === null ? null : <Code key="key">{entry.key_id}</Code>],
          [
            'Booking',
            entry.booking_id === null ? null : (
              <a key="booking" className="link" href={`/console/bookings/${entry.booking_id}`}>
                <Code>{entry.booking_id}</Code>
              </a>
            ),
          ],
          ['Search', entry.search_id === null ? null : <Code key="search">{entry.search_id}</Code>],
          ['Mode', entry.simulated ? <SimulatedTag key="simulated" /> : null],
        ]}
      />
    </Block>
  )
}
