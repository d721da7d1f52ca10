type Case = {
  /** Series in promtool's notation, a value each minute. */
  readonly fires: Readonly<Record<string, string>>
  readonly silent: Readonly<Record<string, string>>
  readonly at: string
}

/** Values that are the same each minute, for a day. */
const constant = (series: string, firing: number, quiet: number, at = '30m'): Case => ({
  fires: { [series]: `${firing}x1500` },
  silent: { [series]: `${quiet}x1500` },
  at,
})
/** One increase, after five minutes. */
const increase = (series: string): Case => ({
  fires: { [series]: '0x5 1x60' },
  silent: { [series]: '1x60' },
  at: '20m',
})
const request = (status: number) =>
  `http_server_request_duration_seconds_count{operation="search.create",status="${status}"}`
const failing = (perMinute: number, at: string): Case => ({
  fires: { [request(200)]: '0+1000x500', [request(500)]: `0+${perMinute}x500` },
  silent: { [request(200)]: '0+1000x500', [request(500)]: '0+0.5x500', [request(404)]: '0+500x500' },
  at,
})
const quota = 'serai_vendor_quota_used_ratio{vendor="v",kind="search",window_seconds="240"}'
const call = (outcome: string) =>
  `serai_vendor_call_duration_seconds_count{vendor="v",operation="availability",outcome="${outcome}"}`
const duration = (le: string, operation = 'locations.search') =>
  `http_server_request_duration_seconds_bucket{operation="${operation}",le="${le}"}`
/** Operations that wait for vendors, the payment provider or another source. */
const WAITING = ['mcp', 'page.plain_results', 'payments.create', 'operator.bookings.read', 'operator.reconciliation']

/** For every alert a situation in which it must fire, and one in which it must not. */
export const ALERT_CASES: Readonly<Record<string, Case>> = {
  SeraiBookingInDoubt: constant('serai_booking_doubt_oldest_seconds', 601, 600),
  SeraiBookingNeedsReview: {
    fires: { 'serai_bookings{state="needs_review",simulated="false"}': '1x60' },
    silent: { 'serai_bookings{state="needs_review",simulated="true"}': '1x60' },
    at: '5m',
  },
  SeraiBookingSettleLag: constant('serai_tasks_overdue_seconds{kind="settle"}', 31, 29),
  SeraiBookingReadingLag: constant('serai_tasks_failing_seconds{kind="read"}', 43_201, 43_199),
  SeraiTasksLag: constant('serai_tasks_overdue_seconds{kind="rates"}', 901, 899),
  SeraiPaymentAttention: {
    fires: { 'serai_payments_attention{reason="refund_failed",live="true"}': '1x60' },
    silent: { 'serai_payments_attention{reason="refund_failed",live="false"}': '1x60' },
    at: '10m',
  },
  SeraiPaymentStuck: constant('serai_payments_oldest_seconds{state="capturing",live="true"}', 1_801, 1_799),
  SeraiBookingFiguresMissing: {
    fires: { up: '1x60' },
    silent: { 'serai_bookings{state="confirmed",simulated="false"}': '0x60' },
    at: '10m',
  },
  SeraiMailGivenUp: increase('serai_mail_attempts_total{result="given_up"}'),
  SeraiExchangeRatesOld: constant('serai_exchange_rates_age_seconds', 259_201, 259_199, '3h'),
  SeraiErrorBudgetBurnsFast: failing(20, '2h'),
  SeraiErrorBudgetBurns: failing(8, '7h'),
  SeraiVendorFailing: {
    fires: { [call('2xx')]: '0+70x60', [call('timeout')]: '0+15x60', [call('credentials')]: '0+15x60' },
    silent: { [call('2xx')]: '0+90x60', [call('timeout')]: '0+10x60', [call('given_up')]: '0+500x60' },
    at: '30m',
  },
  // Half open, for seconds, each time that it tries a call.
  SeraiVendorBreakerOpen: {
    fires: { 'serai_vendor_breaker_state{vendor="v",class="search"}': `2 ${'2 2 1 '.repeat(20)}2` },
    silent: { 'serai_vendor_breaker_state{vendor="v",class="search"}': '2 1 0x60' },
    at: '30m',
  },
  // The share begins at 0 in each window, here one of four minutes.
  SeraiVendorQuota: {
    fires: { [quota]: '0.3 1 1 1 '.repeat(15).trim() },
    silent: { [quota]: '0.3 0.5 0.8 1 '.repeat(15).trim() },
    at: '30m',
  },
  SeraiCommitsLost: constant('serai_commits_lost', 1, 0),
  SeraiVendorDrift: constant('serai_vendor_drifts{vendor="v"}', 1, 0),
  SeraiContentOld: constant('serai_content_age_seconds{vendor="v"}', 259_201, 259_199, '2h'),
  SeraiContentFailing: constant('serai_content_failing{vendor="v"}', 1, 0, '7h'),
  SeraiRedisDown: {
    fires: { 'serai_redis_up{instance="a"}': '1x60', 'serai_redis_up{instance="b"}': '0x60' },
    silent: { 'serai_redis_up{instance="a"}': '1x60' },
    at: '10m',
  },
  SeraiWebhookGivenUp: increase('serai_webhook_attempts_total{result="given_up"}'),
  SeraiLatencyHigh: {
    fires: { [duration('1')]: '0+90x60', [duration('5')]: '0+100x60', [duration('+Inf')]: '0+100x60' },
    silent: {
      [duration('1')]: '0+99x60',
      [duration('5')]: '0+100x60',
      [duration('+Inf')]: '0+100x60',
      ...Object.fromEntries(
        WAITING.flatMap((name) => [
          [duration('1', name), '0x60'],
          [duration('5', name), '0+100x60'],
          [duration('+Inf', name), '0+100x60'],
        ]),
      ),
    },
    at: '30m',
  },
  SeraiSaturated: constant('nodejs_eventloop_lag_p99_seconds', 0.6, 0.5),
}
