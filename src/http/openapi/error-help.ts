import type { ErrorCode } from '../../domain/errors.ts'
import { ERROR_CODES } from '../../domain/errors.ts'
import { PROBLEMS } from '../problem.ts'

/** For the developer who meets the code: what happened, and what to do. `docs/errors.md` and `/docs/errors` are made from it. */
const ERROR_HELP: Record<ErrorCode, { readonly happened: string; readonly todo: string }> = {
  malformed_request: {
    happened: 'The body is not JSON in UTF-8, names a key twice, nests too deeply, or the address cannot be read.',
    todo: 'Mend what `detail` names. Sending the same bytes again gives the same answer.',
  },
  unknown_simulation: {
    happened: '`x-simulate-return` has a value the service does not know. It was not taken for a real call.',
    todo: 'Use one of the values in `detail`, or leave the header out.',
  },
  unauthenticated: {
    happened:
      'There is no token and no session of the page, or it is unknown, expired, revoked, or a session that another site sent.',
    todo: 'Get a fresh one from `POST /api/accounts/get_token` and send `authorization: bearer: <token>`.',
  },
  invalid_credentials: {
    happened: 'No enabled account has this e-mail and password. Which of them is wrong is not told.',
    todo: 'Check both. An operator can set a new password with `serai accounts set-password`.',
  },
  totp_required: {
    happened: 'E-mail and password are right, and the account asks for a one-time code beside them.',
    todo: 'Send the six digits of the authenticator app as `user.totp`. Each code counts once.',
  },
  insufficient_scope: {
    happened:
      'The API key does not have the scope that `detail` names, or the role of the account does not permit the operation, or the answer would show net prices to an account that may not see them. Nothing was done.',
    todo: 'Use a key with the scope, or ask the operator for another role. The description of each operation says what it needs.',
  },
  budget_exceeded: {
    happened:
      'The booking costs more than is `left` of the key’s `budget` for this day or month, or it cannot be converted into the currency of the budget. Nothing was booked, and nothing was sent to the vendor.',
    todo: 'Book something that costs less, wait until `renews_at`, or have the budget changed. What is rejected or cancelled is given back, but for the cancellation fee.',
  },
  sign_in_locked: {
    happened:
      'Too many sign-ins from this address failed within a quarter of an hour: five for one e-mail, or thirty in all. Or five wrong one-time codes came with the right password of the account: then codes are refused for a while from every address. The password itself is never locked.',
    todo: 'Wait for `retry-after`; each further failure doubles the wait. After wrong passwords the right one works from another address; after wrong codes no address does.',
  },
  sign_in_needed: {
    happened: 'A guest of the page asked for something that needs an account, or this service has no guests.',
    todo: 'Sign in with `POST /api/session`; searches and offers of the guest stay valid. Programs use a token.',
  },
  not_found: { happened: 'No operation has this path.', todo: 'Compare the path with `/docs`.' },
  location_not_found: {
    happened: '`destination_id` is not the id of a location.',
    todo: 'Take an `id` from `GET /api/locations/search`.',
  },
  search_not_found: {
    happened: 'There is no such search, or it belongs to another account.',
    todo: 'Use the `search_id` of a search made by the same account.',
  },
  property_not_found: {
    happened: 'The search exists, but this property is not among its results.',
    todo: 'Use a `property_id` from the search’s `availability`.',
  },
  booking_not_found: {
    happened: 'There is no such booking, or it belongs to another account.',
    todo: 'Use a `booking_id` from `GET /api/accommodation/bookings`.',
  },
  webhook_not_found: {
    happened: 'There is no such webhook, or it belongs to another account.',
    todo: 'Use an `id` from `GET /api/webhooks`.',
  },
  delivery_not_found: {
    happened: 'The webhook exists, but there is no such delivery, or it is older than 7 days.',
    todo: 'Use an `id` from `GET /api/webhooks/{id}/deliveries`.',
  },
  rules_not_found: {
    happened: 'The selling rules have no version with this number.',
    todo: 'Use a `version` from `GET /api/operator/selling/rules`.',
  },
  account_not_found: {
    happened: 'There is no account with this id.',
    todo: 'Use an `id` from `GET /api/operator/accounts`.',
  },
  key_not_found: {
    happened: 'There is no such API key, it was revoked, or it belongs to another account.',
    todo: 'Use an `id` from `GET /api/accounts/keys`.',
  },
  session_not_found: {
    happened: 'There is no such session, it has ended, or it belongs to another account.',
    todo: 'Use an `id` from `GET /api/accounts/sessions`.',
  },
  method_not_allowed: {
    happened: 'The path exists, but not with this method.',
    todo: 'Use one of the methods in `allow`.',
  },
  not_acceptable: {
    happened: '`accept` names only types that this operation does not answer with.',
    todo: 'Name one of the types in `detail`, or leave the header out.',
  },
  request_timeout: {
    happened: 'The request began and did not arrive whole within ten seconds.',
    todo: 'Send it again over a better connection.',
  },
  price_changed: {
    happened: 'The vendor now asks more than was shown. Nothing was booked.',
    todo: 'Show the new price in `room` and all `changes`, and book its fresh `booking_info`; or send `accept_price_up_to` beforehand.',
  },
  terms_changed: {
    happened:
      'The terms are worse than what was shown, or not those of `terms_digest`: a higher cancellation fee at some moment, a room that is no longer refundable, a smaller board, another split between now and the property. Nothing was booked. When cancelling: the fee is higher than `accept_penalty_up_to`; nothing was cancelled.',
    todo: 'Show `changes` and the new terms in `room`; booking its fresh `booking_info` accepts them. When cancelling, send the new fee as `accept_penalty_up_to` to accept it.',
  },
  sold_out: {
    happened: 'The vendor has no such room left. Nothing was booked.',
    todo: 'Offer one of `alternatives`, or fetch the property again.',
  },
  booking_rejected: {
    happened: 'The vendor refused the booking for good, in words it documents as final. Nothing was booked.',
    todo: 'Fetch the property again and book another room; `booking` holds the record of this one.',
  },
  request_in_progress: {
    happened: 'The first request with this idempotency key, or for this offer, is still running.',
    todo: 'Wait for `retry-after` and send the same request again: it will get the first one’s answer.',
  },
  not_cancellable: {
    happened: 'The booking is in a state from which it cannot be cancelled, or the stay has begun.',
    todo: 'Read the booking; its `status` says where it stands.',
  },
  not_possible: {
    happened:
      'What an operator asked for does not fit how things stand: a booking that needs no review, one that is not read any more, a mail without an address. Nothing was changed.',
    todo: 'Read the booking or the list again; `detail` says what stands in the way.',
  },
  not_amendable: {
    happened: 'The booking is not confirmed, the stay has begun, or its vendor cannot change it or has refused to.',
    todo: 'Read the booking; where the vendor cannot change it, cancel and book again, or ask the property.',
  },
  no_voucher: {
    happened: 'The booking is not confirmed, so there is nothing to show at check-in.',
    todo: 'Read the booking. Its voucher is there as soon as `status` is `confirmed`.',
  },
  webhook_disabled: {
    happened: 'The receiver answered 410, the webhook was switched off, or its secret can no longer be read.',
    todo: 'Send `PATCH /api/webhooks/{id}` with `"enabled": true`; where `detail` says so, register it again.',
  },
  rules_changed: {
    happened: 'The selling rules were changed after the version that `based_on` names. Nothing was stored.',
    todo: 'Read the rules again, and store yours once more if they still are what you want.',
  },
  search_expired: {
    happened: 'The search is older than its lifetime.',
    todo: 'Search again; prices will be fresh too.',
  },
  offer_expired: {
    happened: 'The offer is older than the vendor keeps it. Nothing was booked.',
    todo: 'Fetch the property again for fresh rooms.',
  },
  body_too_large: { happened: 'The body is over 64 KiB.', todo: 'Send less; no operation needs as much.' },
  unsupported_media_type: {
    happened: 'The body is not declared as JSON, or compressed in a way that is not known here.',
    todo: 'Send `content-type: application/json`, and the body as it is or with a `content-encoding` that `detail` names.',
  },
  expectation_failed: {
    happened: 'The `expect` header asks for something else than `100-continue`.',
    todo: 'Leave the header out.',
  },
  invalid_request: {
    happened: 'The request could be read, but some of its values are not valid.',
    todo: 'Mend every entry of `errors`: each names its `field`, a stable `code` and the way out.',
  },
  location_too_large: {
    happened: 'The destination is a country or region too large for one search.',
    todo: 'Choose one of `choose_instead`.',
  },
  offer_invalid: {
    happened: 'The `booking_info` was changed, made up, or issued to another account. No vendor was called.',
    todo: 'Send the fields of a room’s `booking_info` exactly as they were received, at the top of the body and not inside another field.',
  },
  guests_required: {
    happened: 'This service is set to book only for guests who are named, and the booking names none.',
    todo: 'Send `guests`: the lead guest of each room, with given and family name.',
  },
  offer_used: {
    happened:
      'The offer was sent to its vendor before, under another idempotency key. `booking_id` names that booking, `booking_status` says what became of it.',
    todo: 'Read that booking. To book once more, fetch the property again for a fresh offer.',
  },
  card_data_not_accepted: {
    happened: 'Some value looks like a payment card number. It was neither stored nor logged.',
    todo: 'Leave it out: bookings are paid on account.',
  },
  idempotency_mismatch: {
    happened: 'The idempotency key was used before with another body. Without a key, the offer is the key.',
    todo: 'Use a new key and a fresh offer for a new booking; use the same body to repeat one. `booking_id` names the first one.',
  },
  rate_limited: { happened: 'The allowance of the account or address is used up.', todo: 'Wait for `retry-after`.' },
  headers_too_large: {
    happened: 'The address and the headers together are over 16 KiB.',
    todo: 'Send less; no operation needs as much.',
  },
  internal: { happened: 'A bug on our side.', todo: 'Try again; if it persists, report the `instance`.' },
  vendors_failed: {
    happened: 'Every vendor that was asked failed.',
    todo: 'Try again shortly; `vendors` says how each of them failed.',
  },
  overloaded: { happened: 'Too much is going on, or this node is shutting down.', todo: 'Wait for `retry-after`.' },
  vendor_timeout: {
    happened: 'No vendor answered before the deadline.',
    todo: 'Try again, or allow more time with `timeout_ms`.',
  },
}

export function errorsMarkdown(): string {
  const entries = ERROR_CODES.map((code) => {
    const { happened, todo } = ERROR_HELP[code]
    const [status, title] = PROBLEMS[code]
    return `## ${code}\n\n**${status} ${title}.** ${happened}\n\nWhat to do: ${todo}\n`
  })
  return `# Errors\n\nEvery error is \`application/problem+json\` (RFC 9457). \`code\` is stable; \`detail\` is for people and may change.\n\n${entries.join('\n')}`
}

export function errorsPage(): string {
  const entries = ERROR_CODES.map((code) => {
    const { happened, todo } = ERROR_HELP[code]
    const [status, title] = PROBLEMS[code]
    return `<section id="${code}"><h2>${code}</h2><p><b>${status} ${title}.</b> ${html(happened)}</p><p>What to do: ${html(todo)}</p></section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Serai: errors</title><style>${STYLE}</style></head><body><main><h1>Errors</h1><p>Every error is <code>application/problem+json</code> (RFC 9457). Its <code>code</code> is stable.</p>${entries.join('')}</main></body></html>`
}

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;margin:0}main{max-width:44rem;margin:3rem auto;padding:0 1.25rem}h2{font:600 1.05rem ui-monospace,monospace;margin:2.5rem 0 .25rem}p{margin:.4rem 0}code{font:.9em ui-monospace,monospace;background:#8881;padding:.1em .3em;border-radius:.25em}section:target{outline:2px solid #c2703d;outline-offset:.75rem;border-radius:.25rem}'

const html = (markdown: string) =>
  markdown
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>')
