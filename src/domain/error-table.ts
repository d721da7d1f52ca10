/**
 * Effect of a failed request. `none` needs proof that nothing was done; the client may repeat the request. After `unknown`, the
 * client repeats it only with the same idempotency key, or reads the state.
 */
export const EFFECTS = ['none', 'unknown'] as const
export type Effect = (typeof EFFECTS)[number]

type ErrorEntry = {
  readonly status: number
  /** The same for every failure with this code, unlike `detail`. */
  readonly title: string
  readonly effect: Effect
  readonly explanation: string
  readonly todo: string
}

/**
 * All error codes of the API; problem documents, `docs/errors.md`, `/docs/errors` and the OpenAPI document are generated from
 * this table. A failure that can have both effects needs two codes.
 */
export const ERRORS = {
  malformed_request: {
    status: 400,
    title: 'The request could not be read',
    effect: 'none',
    explanation: 'The body is not UTF-8 JSON, repeats a key or nests too deeply, or the URL is malformed.',
    todo: 'Correct the request as `detail` says.',
  },
  unknown_simulation: {
    status: 400,
    title: 'Unknown simulation',
    effect: 'none',
    explanation: 'The value of `x-simulate-return` is unknown.',
    todo: 'Use a value from `detail`, or omit the header.',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid token is needed',
    effect: 'none',
    explanation: 'The token or page session is missing, unknown, expired or revoked, or another site sent the session.',
    todo: 'Get a token from `POST /api/accounts/get_token` and send `authorization: Bearer <token>`.',
  },
  invalid_credentials: {
    status: 401,
    title: 'E-mail or password is wrong',
    effect: 'none',
    explanation: 'No enabled account has this e-mail and password.',
    todo: 'Check both. An operator can set a new password with `serai accounts set-password`.',
  },
  totp_required: {
    status: 401,
    title: 'A one-time code is needed',
    effect: 'none',
    explanation: 'The account also requires a one-time code.',
    todo: 'Send the six digits of the authenticator app as `user.totp`. Each code works once.',
  },
  sign_in_locked: {
    status: 429,
    title: 'Too many failed sign-ins',
    effect: 'none',
    explanation:
      'Too many sign-ins from this address failed within 15 minutes, or the correct password came with five wrong one-time codes. The password itself is never locked.',
    todo: 'Wait for `retry-after`; each further failure doubles the wait.',
  },
  sign_in_needed: {
    status: 403,
    title: 'Guests must sign in for this',
    effect: 'none',
    explanation: 'A guest of the page called an operation that needs an account, or guests are not admitted.',
    todo: 'Sign in with `POST /api/session`; the guest’s searches and offers stay valid. Programs use a token.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The key or the role does not permit this',
    effect: 'none',
    explanation:
      'The key lacks the scope in `detail`, the role does not permit the operation, or the account may not see net prices.',
    todo: 'Use another key, or ask the operator for another role.',
  },
  budget_exceeded: {
    status: 402,
    title: 'The budget of the key is used up',
    effect: 'none',
    explanation:
      'The booking costs more than is `left` of the key’s `budget`, or its price cannot be converted. Nothing was booked; at most a price check was sent.',
    todo: 'Book something cheaper, wait until `renews_at`, or ask for a larger budget.',
  },
  payment_required: {
    status: 402,
    title: 'This booking must be paid by card',
    effect: 'none',
    explanation:
      'The account pays by card, and the request has no `payment_id`, or the guest has not authorised the payment yet.',
    todo: 'Create a payment with `POST /api/payments`, let the guest confirm it, and book again with its `payment_id`.',
  },
  payment_invalid: {
    status: 422,
    title: 'The payment does not belong to this order',
    effect: 'none',
    explanation:
      'The payment was made for other terms, for another account or for another booking, or the amount cannot be charged by card.',
    todo: 'Create a payment for this offer.',
  },
  payment_expired: {
    status: 410,
    title: 'The payment has expired',
    effect: 'none',
    explanation:
      'The authorisation was released, has ended, or ends too soon to wait for the vendor. Nothing was charged.',
    todo: 'Create a new payment.',
  },
  payment_in_review: {
    status: 409,
    title: 'The payment is being reviewed',
    effect: 'none',
    explanation: 'The provider’s fraud check is waiting for a person. The amount is reserved and not charged.',
    todo: 'Wait, or release the payment and create one for another card.',
  },
  payment_not_found: {
    status: 404,
    title: 'No such payment',
    effect: 'none',
    explanation: 'The caller has no payment with this id, or the service takes no card payments.',
    todo: 'Check the `payment_id`.',
  },
  payments_unavailable: {
    status: 502,
    title: 'The payment provider cannot be reached',
    effect: 'none',
    explanation: 'The provider did nothing. Nothing was reserved, charged or booked.',
    todo: 'Repeat the request later.',
  },
  payment_outcome_unknown: {
    status: 504,
    title: 'The payment provider has not answered',
    effect: 'unknown',
    explanation: 'The answer of the provider was lost. Nothing is charged before a booking is confirmed.',
    todo: 'Repeat the request with the same idempotency key, or read the payment.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    effect: 'none',
    explanation: 'No operation has this path.',
    todo: 'Check the path against `/docs`.',
  },
  location_not_found: {
    status: 404,
    title: 'No such location',
    effect: 'none',
    explanation: '`destination_id` is not the id of a location.',
    todo: 'Use an `id` from `GET /api/locations/search`.',
  },
  search_not_found: {
    status: 404,
    title: 'No such search',
    effect: 'none',
    explanation: 'It does not exist, or it belongs to another account.',
    todo: 'Use the `search_id` of your own search.',
  },
  property_not_found: {
    status: 404,
    title: 'No such property in this search',
    effect: 'none',
    explanation: 'The results of the search do not contain it.',
    todo: 'Use a `property_id` from the `availability` of the search.',
  },
  booking_not_found: {
    status: 404,
    title: 'No such booking',
    effect: 'none',
    explanation: 'It does not exist, or it belongs to another account.',
    todo: 'Use a `booking_id` from `GET /api/accommodation/bookings`.',
  },
  webhook_not_found: {
    status: 404,
    title: 'No such webhook',
    effect: 'none',
    explanation: 'It does not exist, or it belongs to another account.',
    todo: 'Use an `id` from `GET /api/webhooks`.',
  },
  delivery_not_found: {
    status: 404,
    title: 'No such delivery',
    effect: 'none',
    explanation: 'It does not exist, or it is older than 7 days.',
    todo: 'Use an `id` from `GET /api/webhooks/{id}/deliveries`.',
  },
  rules_not_found: {
    status: 404,
    title: 'No such version of the rules',
    effect: 'none',
    explanation: 'The selling rules have no such version.',
    todo: 'Use a `version` from `GET /api/operator/selling/rules`.',
  },
  account_not_found: {
    status: 404,
    title: 'No such account',
    effect: 'none',
    explanation: 'No account has this id.',
    todo: 'Use an `id` from `GET /api/operator/accounts`.',
  },
  key_not_found: {
    status: 404,
    title: 'No such key',
    effect: 'none',
    explanation: 'It does not exist, was revoked, or belongs to another account.',
    todo: 'Use an `id` from `GET /api/accounts/keys`.',
  },
  session_not_found: {
    status: 404,
    title: 'No such session',
    effect: 'none',
    explanation: 'It does not exist, has ended, or belongs to another account.',
    todo: 'Use an `id` from `GET /api/accounts/sessions`.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This path has no such method',
    effect: 'none',
    explanation: 'The path exists, but not with this method.',
    todo: 'Use one of the methods in `allow`.',
  },
  not_acceptable: {
    status: 406,
    title: 'No response of this type exists',
    effect: 'none',
    explanation: '`accept` has only types that this operation cannot return.',
    todo: 'Use one of the types in `detail`, or omit the header.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    effect: 'none',
    explanation: 'It did not arrive completely within ten seconds.',
    todo: 'Send it again.',
  },
  price_changed: {
    status: 409,
    title: 'The price has changed',
    effect: 'none',
    explanation:
      'The vendor now charges more than the price shown. Nothing was booked. For a change of a booking: its total would change; nothing was changed.',
    todo: 'Show `changes`, then book the new `booking_info` in `room`, or send `accept_price_up_to` beforehand. For a change, send the new total as `accept_price_up_to`.',
  },
  terms_changed: {
    status: 409,
    title: 'The terms have changed',
    effect: 'none',
    explanation:
      'The terms are worse than shown, or differ from `terms_digest`. Nothing was booked. For a cancellation: the fee is above `accept_penalty_up_to`; nothing was cancelled.',
    todo: 'Show `changes`, then book the new `booking_info` in `room`. For a cancellation, send the new fee as `accept_penalty_up_to`.',
  },
  sold_out: {
    status: 409,
    title: 'Sold out',
    effect: 'none',
    explanation: 'The vendor has no such room left. Nothing was booked.',
    todo: 'Offer one of `alternatives`, or fetch the property again.',
  },
  booking_rejected: {
    status: 409,
    title: 'The vendor refused the booking',
    effect: 'none',
    explanation: 'The vendor refused the booking; this is final. Nothing was booked.',
    todo: 'Fetch the property again and book another room; `booking` is the record of this one.',
  },
  request_in_progress: {
    status: 409,
    title: 'The first request is still running',
    effect: 'unknown',
    explanation:
      'The first request with this idempotency key, or for this offer, is still running and may book the room or make the change.',
    todo: 'Wait for `retry-after` and send the same request with the same key.',
  },
  precondition_failed: {
    status: 412,
    title: 'The object has changed',
    effect: 'none',
    explanation: '`if-match` is not the current `etag`, so the object has changed since it was read.',
    todo: 'Read the object and decide again, then send the change with its current `etag`.',
  },
  not_cancellable: {
    status: 409,
    title: 'This booking cannot be cancelled',
    effect: 'none',
    explanation: 'The state of the booking does not allow a cancellation, or the stay has begun.',
    todo: 'Read the booking.',
  },
  not_amendable: {
    status: 409,
    title: 'This booking cannot be changed',
    effect: 'none',
    explanation: 'The booking is not confirmed, the stay has begun, or the vendor cannot change it.',
    todo: 'Read the booking. Cancel and book again, or ask the property.',
  },
  not_possible: {
    status: 409,
    title: 'Not possible in the current state',
    effect: 'none',
    explanation: 'An operator’s request does not fit the current state. Nothing was changed.',
    todo: 'Read the booking or list again; `detail` gives the reason.',
  },
  no_voucher: {
    status: 409,
    title: 'This booking has no voucher',
    effect: 'none',
    explanation: 'The booking is not confirmed.',
    todo: 'Read the booking; the voucher exists once it is `confirmed`.',
  },
  no_receipt: {
    status: 409,
    title: 'This booking has no receipt',
    effect: 'none',
    explanation: 'The booking is on account, or nothing has been charged to the card yet.',
    todo: 'Read the booking; the receipt exists once its `payment` was captured.',
  },
  webhook_disabled: {
    status: 409,
    title: 'The webhook is disabled',
    effect: 'none',
    explanation: 'The receiver answered 410, the webhook was disabled, or its secret can no longer be read.',
    todo: 'Send `PATCH /api/webhooks/{id}` with `"enabled": true`; register it again if `detail` says so.',
  },
  rules_changed: {
    status: 409,
    title: 'The rules have changed since you read them',
    effect: 'none',
    explanation: 'The selling rules changed after the version in `based_on`. Nothing was stored.',
    todo: 'Read the rules again, then store your version.',
  },
  search_expired: {
    status: 410,
    title: 'The search has expired',
    effect: 'none',
    explanation: 'It is older than its lifetime.',
    todo: 'Search again.',
  },
  offer_expired: {
    status: 410,
    title: 'The offer has expired',
    effect: 'none',
    explanation: 'The vendor no longer holds the offer. Nothing was booked.',
    todo: 'Fetch the property again.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    effect: 'none',
    explanation: 'It is larger than 64 KiB.',
    todo: 'Send a smaller body.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be JSON',
    effect: 'none',
    explanation: 'The body is not declared as JSON, or its compression is unknown.',
    todo: 'Send `content-type: application/json`, uncompressed or with a `content-encoding` from `detail`.',
  },
  expectation_failed: {
    status: 417,
    title: 'The expectation cannot be met',
    effect: 'none',
    explanation: '`expect` has a value other than `100-continue`.',
    todo: 'Omit the header.',
  },
  invalid_request: {
    status: 422,
    title: 'The request is not valid',
    effect: 'none',
    explanation: 'Some values are not valid.',
    todo: 'Correct every entry of `errors`; each has `field`, a stable `code` and a message.',
  },
  location_too_large: {
    status: 422,
    title: 'The location is too large to search',
    effect: 'none',
    explanation: 'The destination is too large for one search.',
    todo: 'Choose one of `choose_instead`.',
  },
  offer_invalid: {
    status: 422,
    title: 'The offer is not valid',
    effect: 'none',
    explanation: 'The `booking_info` was changed, invented, or issued to another account. No vendor was called.',
    todo: 'Send the fields of `booking_info` unchanged, at the top of the body.',
  },
  offer_used: {
    status: 422,
    title: 'The offer was already used',
    effect: 'none',
    explanation:
      'The offer was already sent to its vendor under another idempotency key, or this room of this search is booked; see `booking_id` and `booking_status`. This request did nothing.',
    todo: 'Read that booking. To book once more, search again.',
  },
  guests_required: {
    status: 422,
    title: 'The guests must be named',
    effect: 'none',
    explanation: 'This service requires the names of the guests.',
    todo: 'Send `guests`: the lead guest of each room, with given and family name.',
  },
  card_data_not_accepted: {
    status: 422,
    title: 'Card data is not accepted',
    effect: 'none',
    explanation: 'A value looks like a card number. It was neither stored nor logged.',
    todo: 'Omit it. Bookings are on account, or the guest enters the card in the form of the payment provider.',
  },
  idempotency_mismatch: {
    status: 422,
    title: 'The idempotency key belongs to another request',
    effect: 'none',
    explanation:
      'The idempotency key, or without a key the offer, was used with another body or path. This request did nothing.',
    todo: 'Repeat with the same body, or use a new key and, to book, a new offer. `booking_id` is the first booking.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    effect: 'none',
    explanation: 'The account or address has reached its rate limit.',
    todo: 'Wait for `retry-after`.',
  },
  headers_too_large: {
    status: 431,
    title: 'The URL and headers are too large',
    effect: 'none',
    explanation: 'Together they exceed 16 KiB.',
    todo: 'Shorten the URL or send fewer headers.',
  },
  vendors_failed: {
    status: 502,
    title: 'No vendor could respond',
    effect: 'none',
    explanation: 'Every vendor failed. Nothing was booked, cancelled or changed.',
    todo: 'Try again later; `vendors` lists the failures.',
  },
  overloaded: {
    status: 503,
    title: 'The service cannot process the request now',
    effect: 'none',
    explanation:
      'The service or the vendor is overloaded, the process is stopping, or the database cannot be reached. Nothing was done.',
    todo: 'Wait for `retry-after`, then repeat the request.',
  },
  store_unavailable: {
    status: 503,
    title: 'The database was lost during the request',
    effect: 'unknown',
    explanation:
      'The connection to the database was lost while the request ran. A vendor may already have booked or cancelled; the service settles such bookings.',
    todo: 'Repeat a booking only with the same idempotency key and body. Otherwise read the state first.',
  },
  vendor_timeout: {
    status: 504,
    title: 'No vendor responded in time',
    effect: 'none',
    explanation: 'No vendor responded before the deadline. Nothing was booked, cancelled or changed.',
    todo: 'Try again, or allow more time with `timeout_ms`.',
  },
  change_unconfirmed: {
    status: 504,
    title: 'The vendor has not confirmed the change',
    effect: 'unknown',
    explanation: 'The change was sent to the vendor, and the response was lost. The vendor may have made it.',
    todo: 'Read the booking, then send the same change again.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    effect: 'unknown',
    explanation: 'A bug in the service. The effect of the request is not known.',
    todo: 'Read the state first; repeat a booking with the same idempotency key. Report the `instance`.',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS
