/** Outcomes of simulated vendors. The header `x-simulate-return` also accepts `rate_limited`. */
export const SIMULATED_OUTCOMES = [
  'success',
  'price_changed',
  'terms_changed',
  'sold_out',
  'offer_expired',
  'vendor_refuses',
  'vendor_cancels',
  'other_hotel',
  'vendor_error',
  'vendor_timeout',
  'partial',
  'empty',
] as const
export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number]

/** `issued_only`: as `success`, but ids that were never issued do not exist. For test keys without the header. */
export type Simulation = SimulatedOutcome | 'issued_only'
