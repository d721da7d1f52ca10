import { describe, expect, test } from 'vitest'
import type { Call } from '../../../../src/vendors/transport/call.ts'
import type { CallRecord } from '../../../../src/vendors/transport/call-record.ts'
import { redactCall } from '../../../../src/vendors/transport/redact-call.ts'

const CALL: Call = { class: 'book', operation: 'book', method: 'POST', path: '/book', ifLost: 'unknown' }

const kept = (call: Partial<Call>, outcome: CallRecord['outcome'] = { status: 200, headers: {}, body: {} }) =>
  redactCall(
    { at: 1, vendor: 'any', call: { ...CALL, ...call }, requestId: 'req_1', bookingId: 'bkg_1', outcome, tookMs: 5 },
    'vcl_1',
  )

const PRIVATE = ['Ada', 'Lovelace', 'ada@example.com', '5550123', 'late arrival', 'sekret-4711', 'Byron']

describe('redacted calls', () => {
  test.each<[string, unknown]>([
    [
      'names beside the rooms',
      {
        affiliate_reference_id: 'OUR-REF',
        email: 'ada@example.com',
        phone: { country_code: '1', number: '5550123' },
        rooms: [{ given_name: 'Ada', family_name: 'Lovelace', special_request: 'late arrival' }],
        payments: [{ type: 'affiliate_collect', billing_contact: { given_name: 'Byron' } }],
      },
    ],
    [
      'a holder and paxes',
      {
        clientReference: 'OUR-REF',
        holder: { name: 'Ada', surname: 'Lovelace' },
        rooms: [{ paxes: [{ roomId: 1, type: 'AD', name: 'Ada', surname: 'Byron' }] }],
        remark: 'late arrival',
      },
    ],
    [
      'guests with contacts',
      {
        clientReference: 'OUR-REF',
        guests: [{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '5550123' }],
        secretKey: 'sekret-4711',
      },
    ],
  ])('a redacted call contains no names or secrets: %s', (_shape, body) => {
    const { request = '', response = '' } = kept({ body }, { status: 200, headers: {}, body: { said: body } })
    for (const text of [request, response]) {
      for (const word of PRIVATE) expect(text).not.toContain(word)
      expect(text, 'what it is about stays').toContain('OUR-REF')
    }
  })

  test("a guest name inside a vendor's error message is removed", () => {
    const body = { holder: { name: 'Ada', surname: 'Lovelace' } }
    const reply = {
      status: 400,
      headers: {},
      body: { error: { message: 'Lovelace is not a valid name for ada@x.org' } },
    }
    expect(kept({ body }, reply).response).toBe('{"error":{"message":"[removed] is not a valid name for [removed]"}}')
  })

  test('truncated JSON loses all its strings, HTML is kept', () => {
    const whole = JSON.stringify({ reference: 'V1', total: 249.9, holder: { name: 'Ada "A."', surname: 'Lovelace' } })
    for (let length = 1; length < whole.length; length += 1) {
      const { response = '' } = kept({}, { status: 200, headers: {}, body: undefined, text: whole.slice(0, length) })
      expect(response).not.toMatch(/Ad|A\.|Lov/)
      expect(response.startsWith('{')).toBe(true)
    }
    const { response } = kept({}, { status: 200, headers: {}, body: undefined, text: whole.slice(0, -1) })
    expect(response).toBe('{"reference":"[removed]","total":249.9,"holder":{"name":"[removed]","surname":"[removed]"}')
    const page = { status: 502, headers: {}, body: undefined, text: '<html lang="en">Bad gateway</html>' }
    expect(kept({}, page).response).toBe(page.text)
  })

  test('e-mail, token and key are removed from the URL, other parameters stay', () => {
    const { path } = kept({ path: '/v3/itineraries?affiliate_reference_id=R1&email=ada%40example.com&token=abc.def' })
    expect(path).toBe('/v3/itineraries?affiliate_reference_id=R1&email=[removed]&token=[removed]')
  })

  test('tokens are removed from links in a response', () => {
    const reply = { status: 200, headers: {}, body: { links: { book: { href: '/v3/itineraries?token=abc.def' } } } }
    expect(kept({}, reply).response).toContain('/v3/itineraries?token=[removed]')
  })

  test('headers are not kept, because they contain keys and signatures', () => {
    const call = kept({ headers: { authorization: 'EAN apikey=sekret-4711,signature=beef' } })
    expect(JSON.stringify(call)).not.toMatch(/sekret-4711|beef/)
  })

  test('a long text is truncated at 16 kB with a mark, and a missing response has a fault', () => {
    const { response = '' } = kept({}, { status: 200, headers: {}, body: { text: 'x'.repeat(50_000) } })
    expect(response.length).toBe(16 * 1024)
    expect(response.endsWith('[cut]')).toBe(true)
    expect(kept({}, { fault: 'timeout' })).toMatchObject({ status: undefined, fault: 'timeout', response: undefined })
  })

  test('redacting megabytes without a space takes less than a second', () => {
    const before = process.threadCpuUsage()
    kept({}, { status: 200, headers: {}, body: { text: 'x'.repeat(5_000_000) } })
    const { user } = process.threadCpuUsage(before)
    expect(user / 1000).toBeLessThan(1_000)
  })
})
