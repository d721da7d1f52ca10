import type { VendorCall } from '../../domain/vendor-call.ts'
import type { CallRecord } from './call-record.ts'

const TEXT_MAX = 16 * 1024
/** Only this much of a text is redacted. The kept part is shorter, even after redaction. */
const SEARCHED_MAX = 4 * TEXT_MAX
const PATH_MAX = 500
const REMOVED = '[removed]'
const CUT = ' … [cut]'

/** Personal or secret members at any depth, in the spellings of all vendors. */
const PRIVATE =
  /^(given|family|first|last|middle|full|holder|guest|billing)_?names?$|^surnames?$|e?mails?(_?address)?$|phones?(_?numbers?)?$|^(tele|mobile|fax)|^special_?requests?$|^(client_?)?(remark|comment|note)s?$|^(customer|user)_?ip|secret|token|signature|password|api_?key|authori[sz]ation|^card|^iban$/i
/** Members that describe persons: strings inside them are removed. */
const PERSONS =
  /^(holder|pax(es)?|guests?(info)?|travell?ers?|passengers?|occupants?|contacts?|customer|client|billing_?contact|payments?)$/i
/** Members of persons that are kept. */
const HARMLESS = /^(type|status|currency|.*_?(id|number|date))$/i
/** Bounded, because otherwise the time is quadratic for text without spaces. */
const EMAIL = /[^\s"'<>=&?/,;:@]{1,64}(@|%40)[\w-]{1,63}(\.[\w-]{1,63})+/gi
/** Parameters of URLs, including URLs inside a body. */
const SECRET_PARAMETER = /([?&](?:email|token|apikey|api_key|signature|sig|key|secret)=)[^&\s"']*/gi

/** Removes persons, keys and signatures, and truncates long texts. */
export function redactCall(record: CallRecord, id: string): VendorCall {
  const { call, outcome } = record
  const found = new Set<string>()
  const request = call.body === undefined ? undefined : JSON.stringify(removePrivate(call.body, found))
  const isReply = 'status' in outcome
  const responseBody =
    isReply && outcome.body !== undefined ? JSON.stringify(removePrivate(outcome.body, found)) : undefined
  const redactText = (text: string | undefined) =>
    text && truncate(removeRepeated(removePatterns(text.slice(0, SEARCHED_MAX)), found))
  return {
    id,
    at: record.at,
    vendorId: record.vendor,
    class: call.class,
    operation: call.operation,
    requestId: record.requestId,
    bookingId: record.bookingId,
    method: call.method,
    path: removePatterns(call.path).slice(0, PATH_MAX),
    status: isReply ? outcome.status : undefined,
    fault: isReply ? undefined : outcome.fault,
    tookMs: record.tookMs,
    request: redactText(request),
    response: redactText(
      responseBody ?? (isReply && outcome.text !== undefined ? removeStrings(outcome.text) : undefined),
    ),
  }
}

const removePatterns = (text: string) => text.replaceAll(SECRET_PARAMETER, `$1${REMOVED}`).replaceAll(EMAIL, REMOVED)

/** Removes private members. Adds the removed strings to `found`, because they may occur elsewhere. */
function removePrivate(value: unknown, found: Set<string>, inPersons = false): unknown {
  if (Array.isArray(value)) return value.map((item) => removePrivate(item, found, inPersons))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isPrivate = PRIVATE.test(name) || (inPersons && typeof member === 'string' && !HARMLESS.test(name))
      if (!isPrivate) return [name, removePrivate(member, found, inPersons || PERSONS.test(name))]
      collectStrings(member, found)
      return [name, member === null ? null : REMOVED]
    }),
  )
}

/** A JSON string, complete or truncated. A string followed by a colon is a member name. */
const JSON_STRING = /"(?:[^"\\]|\\.)*(?:"(\s*:)?|\\?$)/gs

/** Removes every string value from invalid JSON, because any of them may be a name. */
const removeStrings = (text: string): string =>
  /^\s*[{[]/.test(text)
    ? text.replaceAll(JSON_STRING, (string, colon?: string) => (colon === undefined ? `"${REMOVED}"` : string))
    : text

function collectStrings(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') found.add(value)
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) collectStrings(item, found)
}

const WORD_MIN = 3
/** Vendors may repeat a name or a special request in their own sentences. */
function removeRepeated(text: string, found: ReadonlySet<string>): string {
  const words = [...found].map((word) => word.trim()).filter((word) => word.length >= WORD_MIN && word !== REMOVED)
  return words
    .sort((a, b) => b.length - a.length)
    .reduce((redacted, word) => redacted.replaceAll(JSON.stringify(word).slice(1, -1), REMOVED), text)
}

const truncate = (text: string) => (text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX - CUT.length)}${CUT}`)
