type Unit = 'short' | 's' | 'percentunit' | 'reqps' | 'ops'
type Panel = {
  readonly title: string
  readonly unit: Unit
  readonly queries: readonly (readonly [expr: string, legend: string])[]
}
type Dashboard = { readonly title: string; readonly panels: readonly Panel[] }

const RATE = '$__rate_interval'
const REQUESTS = `http_server_request_duration_seconds_count{operation!~"health.*"}`
const FAILED = `http_server_request_duration_seconds_count{status=~"5..",operation!~"health.*"}`
const CALLS = 'serai_vendor_call_duration_seconds_count{outcome!="given_up"}'
const FAILED_CALLS =
  'serai_vendor_call_duration_seconds_count{outcome=~"5xx|timeout|unreachable|malformed|internal|credentials|misconfigured"}'
/** Of the objective in deploy/alerts.yaml. */
const ERROR_BUDGET = 0.001

const quantile = (share: number, by: string, metric: string) =>
  `histogram_quantile(${share}, sum by (le, ${by}) (rate(${metric}_bucket[${RATE}])))`
const panel = (title: string, unit: Unit, ...queries: Panel['queries'][number][]): Panel => ({ title, unit, queries })

/** By file name. A new dashboard is one entry. */
const DASHBOARDS: Readonly<Record<string, Dashboard>> = {
  service: {
    title: 'Serai: service',
    panels: [
      panel('Requests', 'reqps', [`sum by (operation) (rate(${REQUESTS}[${RATE}]))`, '{{operation}}']),
      panel('Responses with 5xx', 'percentunit', [
        `sum(rate(${FAILED}[${RATE}])) / sum(rate(${REQUESTS}[${RATE}]))`,
        'share',
      ]),
      panel('Error budget left in 30 days', 'percentunit', [
        `1 - sum(increase(${FAILED}[30d])) / sum(increase(${REQUESTS}[30d])) / ${ERROR_BUDGET}`,
        'budget',
      ]),
      panel(
        'Duration of requests',
        's',
        [quantile(0.5, 'operation', 'http_server_request_duration_seconds'), 'median {{operation}}'],
        [quantile(0.95, 'operation', 'http_server_request_duration_seconds'), '95 % {{operation}}'],
      ),
      panel('Event loop lag', 's', ['max by (instance) (nodejs_eventloop_lag_p99_seconds)', '{{instance}}']),
      panel('Memory', 'short', ['sum by (instance) (process_resident_memory_bytes)', '{{instance}}']),
      panel('Redis', 'short', ['min(serai_redis_up)', 'up']),
      panel('Age of exchange rates', 's', ['max(serai_exchange_rates_age_seconds)', 'without weekends']),
    ],
  },
  vendors: {
    title: 'Serai: vendors',
    panels: [
      panel('Calls', 'reqps', [`sum by (vendor, operation) (rate(${CALLS}[${RATE}]))`, '{{vendor}} {{operation}}']),
      panel('Failed calls', 'percentunit', [
        `sum by (vendor, operation) (rate(${FAILED_CALLS}[${RATE}])) / sum by (vendor, operation) (rate(${CALLS}[${RATE}]))`,
        '{{vendor}} {{operation}}',
      ]),
      panel('Outcomes', 'reqps', [
        `sum by (vendor, outcome) (rate(serai_vendor_call_duration_seconds_count[${RATE}]))`,
        '{{vendor}} {{outcome}}',
      ]),
      panel('Duration of calls, 95 %', 's', [
        quantile(0.95, 'vendor, operation', 'serai_vendor_call_duration_seconds'),
        '{{vendor}} {{operation}}',
      ]),
      panel('Look to book: searches per booking, 30 days', 'short', [
        'max by (vendor) (serai_vendor_searches) / (max by (vendor) (serai_vendor_bookings) > 0)',
        '{{vendor}}',
      ]),
      panel('Quota used', 'percentunit', [
        'max by (vendor, kind, window_seconds) (serai_vendor_quota_used_ratio)',
        '{{vendor}} {{kind}} per {{window_seconds}} s',
      ]),
      panel('Error budget left in 30 days (1 % of calls may fail)', 'percentunit', [
        `1 - sum by (vendor) (increase(${FAILED_CALLS}[30d])) / sum by (vendor) (increase(${CALLS}[30d])) / 0.01`,
        '{{vendor}}',
      ]),
      panel('Breaker: 0 closed, 1 half open, 2 open', 'short', [
        'max by (vendor, class) (serai_vendor_breaker_state)',
        '{{vendor}} {{class}}',
      ]),
      panel('Changes of responses', 'short', ['max by (vendor) (serai_vendor_drifts)', '{{vendor}}']),
      panel('Age of content', 's', ['max by (vendor) (serai_content_age_seconds)', '{{vendor}}']),
    ],
  },
  bookings: {
    title: 'Serai: bookings',
    panels: [
      panel('Bookings by state', 'short', ['max by (state) (serai_bookings{simulated="false"})', '{{state}}']),
      panel('Needs review', 'short', ['max(serai_bookings{state="needs_review",simulated="false"})', 'bookings']),
      panel('Oldest booking in doubt', 's', ['max(serai_booking_doubt_oldest_seconds)', 'age']),
      panel('Booking requests', 'reqps', [
        `sum by (status) (rate(http_server_request_duration_seconds_count{operation="booking.create"}[${RATE}]))`,
        '{{status}}',
      ]),
    ],
  },
  payments: {
    title: 'Serai: payments',
    panels: [
      panel('Payments by state', 'short', ['max by (state) (serai_payments{live="true"})', '{{state}}']),
      panel('Longest in a state', 's', ['max by (state) (serai_payments_oldest_seconds{live="true"})', '{{state}}']),
      panel('Need an operator', 'short', ['max by (reason) (serai_payments_attention{live="true"})', '{{reason}}']),
      panel(
        'Overdue and failing tasks',
        's',
        ['max(serai_tasks_overdue_seconds{kind="payment"})', 'overdue'],
        ['max(serai_tasks_failing_seconds{kind="payment"})', 'failing'],
      ),
      panel('Calls to the provider', 'reqps', [
        `sum by (operation, outcome) (rate(serai_payment_provider_call_duration_seconds_count[${RATE}]))`,
        '{{operation}} {{outcome}}',
      ]),
      panel('Duration of calls to the provider, 95 %', 's', [
        quantile(0.95, 'operation', 'serai_payment_provider_call_duration_seconds'),
        '{{operation}}',
      ]),
      panel('Requests', 'reqps', [
        `sum by (operation, status) (rate(http_server_request_duration_seconds_count{operation=~"payment.*"}[${RATE}]))`,
        '{{operation}} {{status}}',
      ]),
    ],
  },
  queue: {
    title: 'Serai: queue',
    panels: [
      panel('Overdue tasks', 'short', ['max by (kind) (serai_tasks_overdue)', '{{kind}}']),
      panel('Most overdue task', 's', ['max by (kind) (serai_tasks_overdue_seconds)', '{{kind}}']),
      panel('Failing tasks', 'short', ['max by (kind) (serai_tasks_failing)', '{{kind}}']),
      panel('Oldest failing task', 's', ['max by (kind) (serai_tasks_failing_seconds)', '{{kind}}']),
      panel('Webhooks', 'ops', [`sum by (result) (rate(serai_webhook_attempts_total[${RATE}]))`, '{{result}}']),
      panel('Mails', 'ops', [`sum by (result) (rate(serai_mail_attempts_total[${RATE}]))`, '{{result}}']),
    ],
  },
}

const PANEL = { width: 12, height: 8 }
const COLUMNS = 24 / PANEL.width
const DATASOURCE = { type: 'prometheus', uid: '$datasource' }

function render(name: string, { title, panels }: Dashboard): string {
  const dashboard = {
    uid: `serai-${name}`,
    title,
    tags: ['serai'],
    schemaVersion: 39,
    editable: true,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: panels.map((each, index) => ({
      id: index + 1,
      title: each.title,
      type: 'timeseries',
      datasource: DATASOURCE,
      gridPos: {
        x: (index % COLUMNS) * PANEL.width,
        y: Math.floor(index / COLUMNS) * PANEL.height,
        w: PANEL.width,
        h: PANEL.height,
      },
      fieldConfig: { defaults: { unit: each.unit, min: each.unit === 'percentunit' ? undefined : 0 }, overrides: [] },
      targets: each.queries.map(([expr, legendFormat], place) => ({
        refId: String.fromCharCode('A'.charCodeAt(0) + place),
        datasource: DATASOURCE,
        expr,
        legendFormat,
      })),
    })),
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}

/** Files of deploy/grafana: Grafana dashboards as JSON. */
export const renderDashboards = (): [path: string, text: string][] =>
  Object.entries(DASHBOARDS).map(([name, dashboard]) => [`deploy/grafana/${name}.json`, render(name, dashboard)])
