import type { VendorCall } from '../../domain/vendor-call.ts'
import type { CallRecord } from './call-record.ts'

const TEXT_MAX = 16 * 1024
/** So much of a text is searched for private things: what is kept of it is shorter, also after they were removed. */
const SEARCHED_MAX = 4 * TEXT_MAX
const PATH_MAX = 500
const REMOVED = '[removed]'
const CUT = ' … [cut]'

/** Members that hold something personal or secret, wherever they stand, in the spellings of all vendors. */
const PRIVATE =
  /^(given|family|first|last|middle|full|holder|guest|billing)_?names?$|^surnames?$|e?mails?(_?address)?$|phones?(_?numbers?)?$|^(tele|mobile|fax)|^special_?requests?$|^(client_?)?(remark|comment|note)s?$|^(customer|user)_?ip|secret|token|signature|password|api_?key|authori[sz]ation|^card|^iban$/i
/** Members that hold persons: no text inside of them is kept. */
const PERSONS =
  /^(holder|pax(es)?|guests?(info)?|travell?ers?|passengers?|occupants?|contacts?|customer|client|billing_?contact|payments?)$/i
/** Texts inside of persons that tell nothing about them. */
const HARMLESS = /^(type|status|currency|.*_?(id|number|date))$/i
/** With bounds, because without them the time grows with the square of a text that has no spaces. */
const EMAIL = /[^\s"'<>=&?/,;:@]{1,64}(@|%40)[\w-]{1,63}(\.[\w-]{1,63})+/gi
/** Parameters of addresses, also of those inside a body. */
const SECRET_PARAMETER = /([?&](?:email|token|apikey|api_key|signature|sig|key|secret)=)[^&\s"']*/gi

/** What is kept of a call: no person, no key and no signature, and only the beginning of long texts. */
export function redactedCall(record: CallRecord, id: string): VendorCall {
  const { call, outcome } = record
  const found = new Set<string>()
  const request = call.body === undefined ? undefined : JSON.stringify(withoutPrivate(call.body, found))
  const isReply = 'status' in outcome
  const said = isReply && outcome.body !== undefined ? JSON.stringify(withoutPrivate(outcome.body, found)) : undefined
  const texts = (text: string | undefined) => text && shortened(withoutWords(plain(text.slice(0, SEARCHED_MAX)), found))
  return {
    id,
    at: record.at,
    vendorId: record.vendor,
    class: call.class,
    operation: call.operation,
    requestId: record.requestId,
    bookingId: record.bookingId,
    method: call.method,
    path: plain(call.path).slice(0, PATH_MAX),
    status: isReply ? outcome.status : undefined,
    fault: isReply ? undefined : outcome.fault,
    tookMs: record.tookMs,
    request: texts(request),
    response: texts(said ?? (isReply && outcome.text !== undefined ? withoutTexts(outcome.text) : undefined)),
  }
}

const plain = (text: string) => text.replaceAll(SECRET_PARAMETER, `$1${REMOVED}`).replaceAll(EMAIL, REMOVED)

/** The same without private members; `found` gets the texts that were removed, for they may be repeated elsewhere. */
function withoutPrivate(value: unknown, found: Set<string>, inPersons = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutPrivate(one, found, inPersons))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isPrivate = PRIVATE.test(name) || (inPersons && typeof member === 'string' && !HARMLESS.test(name))
      if (!isPrivate) return [name, withoutPrivate(member, found, inPersons || PERSONS.test(name))]
      collect(member, found)
      return [name, member === null ? null : REMOVED]
    }),
  )
}

/** A JSON string, complete or cut off. If a colon follows, it is the name of a member. */
const JSON_STRING = /"(?:[^"\\]|\\.)*(?:"(\s*:)?|\\?$)/gs

/** In JSON that cannot be parsed every string value is removed, because any of them may be a name. */
const withoutTexts = (text: string): string =>
  /^\s*[{[]/.test(text)
    ? text.replaceAll(JSON_STRING, (string, colon?: string) => (colon === undefined ? `"${REMOVED}"` : string))
    : text

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') found.add(value)
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collect(one, found)
}

const WORD_MIN = 3
/** A vendor may repeat a name or a wish in a sentence of its own. */
function withoutWords(text: string, found: ReadonlySet<string>): string {
  const words = [...found].map((word) => word.trim()).filter((word) => word.length >= WORD_MIN && word !== REMOVED)
  return words
    .sort((a, b) => b.length - a.length)
    .reduce((left, word) => left.replaceAll(JSON.stringify(word).slice(1, -1), REMOVED), text)
}

const shortened = (text: string) => (text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX - CUT.length)}${CUT}`)
