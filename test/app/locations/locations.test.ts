import { request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LocationList, NeighbourhoodList } from '../../../src/locations/schemas.ts'
import { type TestApp, testApp, testLocations } from '../../support/app/app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { startStopwatch } from '../../support/time/measure.ts'

type Place = {
  id: string
  name: string
  type: string
  country_code: string
  iata: string | null
  timezone: string
}
type Page = {
  data: Place[]
  meta: Record<string, unknown> & {
    errors: { field: string; code: string }[]
    params: Record<string, unknown>
    end_cursor: string
  }
}

const PATH = '/api/locations/search'
let app: TestApp
let token = ''
let port = 0
beforeAll(async () => {
  const unlimited = { quota: 1e9, windowMs: 60_000 }
  app = await testApp(
    { allowances: { account: unlimited, address: unlimited, signInsPerAddress: unlimited, signInsPerPair: unlimited } },
    { locations: testLocations() },
  )
  token = await app.signIn()
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.server.address() as AddressInfo).port
})
afterAll(() => app.close())

const ask = (query: string) => app.as(token, { url: `${PATH}?${query}` })
const find = async (text: string, more = '') => {
  const answer = await ask(`starts_with=${encodeURIComponent(text)}${more}`)
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return answer.json<Page>()
}

describe('successful location searches', () => {
  test('a location search matches its schema, and its ids are stable', async () => {
    const page = await find('par')
    expectToMatch(LocationList as never, page)
    expect(page.data[0]).toMatchObject({ name: 'Paris, Île-de-France, France', type: 'city', country_code: 'FR' })
    expect((await find('PAR')).data).toEqual(page.data)
  })

  test.each([
    ['new y', 'New York'],
    ['san fran', 'San Francisco'],
    ['gare du n', 'Gare du Nord'],
    ['munchen', 'Munich'],
    ['MÜNCHEN', 'Munich'],
    ['monaco di bav', 'Munich'],
    ['jfk', '(JFK)'],
    ['saint-tropez', 'Saint-Tropez'],
    ['  paris  ', 'Paris'],
  ])('the text %s finds %s first', async (text, name) => {
    expect((await find(text)).data[0]?.name).toContain(name)
  })

  test('an airport has its IATA code', async () => {
    expect((await find('jfk')).data[0]).toMatchObject({ type: 'airport', iata: 'JFK' })
  })

  test.each([
    ['東京', 'Tokyo'],
    ['大阪', 'Osaka'],
    ['北京', 'Beijing'],
    ['서울', 'Seoul'],
    ['パリ', 'Paris'],
    ['ﾊﾟﾘ', 'Paris'],
    ['香港', 'Hong Kong'],
    ['首尔', 'Seoul'],
  ])('two characters of Chinese, Japanese or Korean are sufficient: %s finds %s first', async (text, name) => {
    expect((await find(text)).data[0]?.name).toContain(name)
  })

  test.each(['', 'p', 'pa', '  pa  ', '🏨🏨', 'é', '東', '서'])(
    'the text “%s” is too short and returns nothing, as meta says',
    async (text) => {
      const { data, meta } = await find(text, '&limit=5')
      expect(data).toEqual([])
      expect(meta.errors).toMatchObject([{ field: 'starts_with', code: 'too_short' }])
      expect(meta.params).toEqual({ starts_with: text, limit: '5' })
    },
  )

  test('three graphemes are sufficient, whatever their encoding', async () => {
    expect((await find('東京都')).meta.errors).toEqual([])
    expect((await find('🏨🏨🏨')).meta.errors).toEqual([])
  })
})

describe('lists of locations', () => {
  test('pages cover the ranking exactly once and in order', async () => {
    const all = (await find('san', '&limit=60')).data.map(({ id }) => id)
    const walked: string[] = []
    let after = ''
    while (walked.length < 60) {
      const { data, meta } = await find('san', `&first=20${after}`)
      walked.push(...data.map(({ id }) => id))
      after = `&after=${encodeURIComponent(meta.end_cursor)}`
    }
    expect(walked).toEqual(all)
  })

  test('locations are filtered and sorted', async () => {
    const airports = await find('london', '&filters[0][field]=type&filters[0][op]===&filters[0][value]=airport')
    expect(airports.data.length).toBeGreaterThan(2)
    expect(new Set(airports.data.map(({ type }) => type))).toEqual(new Set(['airport']))
    const short = await find('london', '&filters[]=type:==<airport')
    expect(short.data).toEqual(airports.data)
    const names = (await find('san', '&order_by[]=name&limit=30')).data.map(({ name }) => name)
    expect(names).toEqual([...names].sort((a, b) => (a < b ? -1 : 1)))
  })

  test('all matches are counted, paged and filtered, however many there are', async () => {
    const { meta } = await find('san', '&limit=1')
    const walked: Place[] = []
    let after = ''
    do {
      const page = await find('san', `&first=1000${after}`)
      walked.push(...page.data)
      after = page.meta['has_next_page?'] === true ? `&after=${encodeURIComponent(page.meta.end_cursor)}` : ''
    } while (after !== '')
    expect(walked.length).toBeGreaterThan(2_000)
    expect(new Set(walked.map(({ id }) => id)).size).toBe(walked.length)
    expect(meta.total_count).toBe(walked.length)
    const airports = await find('san', '&limit=1000&filters[]=type:==<airport')
    expect(airports.data).toEqual(walked.filter(({ type }) => type === 'airport'))
    const last = await find('san', `&limit=1&offset=${walked.length - 1}`)
    expect(last.data).toEqual(walked.slice(-1))
  })

  test('a cached page has the links to its neighbours', async () => {
    const [first, cached] = [await ask('starts_with=san+j&page=2'), await ask('starts_with=san+j&page=2')]
    expect(first.headers.link).toMatch(/page=3>; rel="next", .*page=1>; rel="prev"$/)
    expect(cached.headers.link).toBe(first.headers.link)
    expect(cached.body).toBe(first.body)
  })

  test('a cached page is not returned for another page', async () => {
    const first = await find('santa', '&page=1&page_size=5')
    const second = await find('santa', '&page=2&page_size=5')
    expect(first.data[0]?.id).not.toBe(second.data[0]?.id)
    expect(await find('santa', '&page=1&page_size=5')).toEqual(first)
  })

  test.each([
    ['', 'starts_with'],
    ['starts_with[]=paris', 'starts_with'],
    ['starts_with[a]=paris', 'starts_with'],
    ['starts_with=paris&first=0', 'first'],
    ['starts_with=paris&first=1e9', 'first'],
    ['starts_with=paris&first=-5', 'first'],
    ['starts_with=paris&first=5&last=5', 'first'],
    ['starts_with=paris&first=5&after=garbage', 'after'],
    ['starts_with=paris&limit=1001', 'limit'],
    ['starts_with=paris&page=0', 'page'],
    ['starts_with=paris&order_by[]=password', 'order_by'],
    ['starts_with=paris&order_by[]=__proto__', 'order_by'],
    ['starts_with=paris&order_directions[]=sideways&order_by[]=name', 'order_directions'],
    ['starts_with=paris&filters[0][field]=type&filters[0][op]=drop%20table&filters[0][value]=x', 'filters'],
    ['starts_with=paris&filters[0][field]=secret&filters[0][op]===&filters[0][value]=x', 'filters'],
    ['starts_with=paris&filters[]=type', 'filters'],
    [`starts_with=paris&${Array.from({ length: 800 }, () => 'filters[]=type:==<x').join('&')}`, 'filters'],
  ])('the query %.80s is refused with 422 in the list envelope', async (query, field) => {
    const answer = await ask(query)
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(422)
    expect(answer.headers['content-type']).toContain('application/json')
    expectToMatch(LocationList as never, answer.json())
    const { data, meta } = answer.json<Page>()
    expect(data).toEqual([])
    expect(meta.errors.map((error) => error.field).join(' ')).toContain(field)
    if (query !== '') expect(meta.params).not.toEqual({})
  })

  test('an error names every invalid parameter, including a missing text', async () => {
    const { meta } = (await ask('first=0&order_by[]=password')).json<Page>()
    expect(meta.errors.map(({ field }) => field).sort()).toEqual(['first', 'order_by', 'starts_with'])
    expect(meta.params).toEqual({ first: '0', order_by: ['password'] })
  })
})

describe('hostile text', () => {
  test.each<[string, string]>([
    ['NUL', '%00%00%00'],
    ['NUL inside', 'par%00is'],
    ['combining marks only', '%CC%81%CC%81%CC%81%CC%81'],
    ['many marks on one letter', `a${'%CC%81'.repeat(2_000)}`],
    ['emoji', '%F0%9F%8F%A8%F0%9F%8F%A8%F0%9F%8F%A8'],
    ['right to left', encodeURIComponent('القاهرة')],
    ['direction marks', encodeURIComponent('\u202eparis\u202c')],
    ['control characters', '%01%02%03%1B%5B31m'],
    ['punctuation only', encodeURIComponent('-.,;:!')],
    ['quotes and SQL', encodeURIComponent(`'; drop table locations; --`)],
    ['a pattern', encodeURIComponent('(a+)+$')],
    ['a prototype name', '__proto__'],
    ['15,000 letters', 'a'.repeat(15_000)],
    ['5,000 words', 'a+'.repeat(5_000)],
  ])('a text with %s returns 200 quickly', async (_, text) => {
    const readMs = startStopwatch()
    const answer = await ask(`starts_with=${text}`)
    expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200)
    expect(readMs()).toBeLessThan(500)
    expectToMatch(LocationList as never, answer.json())
  })

  test.each<[string, string]>([
    ['a lone surrogate', '%ED%A0%80%ED%A0%80%ED%A0%80'],
    ['half a character', '%E6%9D'],
    ['an impossible byte', '%FF%FE%FD'],
    ['half an escape', '100%'],
  ])('a text with %s returns 400', async (_, text) => {
    const answer = await ask(`starts_with=${text}`)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ status: 400, code: 'malformed_request' })
  })

  test('an endlessly nested parameter is refused', async () => {
    expect((await ask(`starts_with=paris&a${'[a]'.repeat(3_000)}=1`)).statusCode).toBe(400)
  })
})

describe('requests that cannot be parsed', () => {
  const raw = (text: string, patience = 3_000) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      let answer = ''
      const timer = setTimeout(() => socket.destroy(new Error('no answer')), patience)
      socket.setEncoding('utf8')
      socket.on('data', (chunk: string) => {
        answer += chunk
      })
      socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)))
      socket.on('close', () => {
        clearTimeout(timer)
        resolve(answer)
      })
    })
  const problemIn = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

  test('a URL of a megabyte returns 431 as a problem', async () => {
    const answer = await new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path: `${PATH}?starts_with=${'a'.repeat(1_048_576)}`,
          headers: { authorization: `bearer: ${token}` },
          agent: false,
        },
        (reply) => {
          let text = ''
          reply.on('data', (chunk) => {
            text += chunk
          })
          reply.on('end', () =>
            resolve({ status: reply.statusCode ?? 0, type: String(reply.headers['content-type']), text }),
          )
        },
      )
      sent.on('error', reject)
      sent.end()
    })
    expect([answer.status, answer.type]).toEqual([431, 'application/problem+json; charset=utf-8'])
    expect(JSON.parse(answer.text)).toMatchObject({ status: 431, code: 'headers_too_large' })
  })

  test('endless headers return 431 as a problem', async () => {
    const answer = await raw(`GET ${PATH} HTTP/1.1\r\nhost: x\r\n${'x-filler: y\r\n'.repeat(3_000)}\r\n`)
    expect(problemIn(answer)).toMatchObject({ status: 431, code: 'headers_too_large' })
  })

  test.each([
    ['text that is not HTTP', 'HELLO THERE\r\n\r\n'],
    ['an impossible length', 'POST /api/x HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n'],
    ['two lengths', 'POST /api/x HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
  ])('a request with %s returns 400 as a problem', async (_, text) => {
    const answer = await raw(text)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toContain('content-type: application/problem+json')
    expect(problemIn(answer)).toMatchObject({ status: 400, code: 'malformed_request' })
  })

  test('the server still responds after malformed requests', async () => {
    expect((await find('paris')).data.length).toBeGreaterThan(0)
  })
})

test('a 422 is not logged as an error', async () => {
  const before = app.logged.length
  expect((await ask('limit=0')).statusCode).toBe(422)
  const errors = app.logged.slice(before).filter((line) => JSON.parse(line).level >= 50)
  expect(errors).toEqual([])
})

test('a location search without a token returns 401', async () => {
  expect((await app.call({ url: `${PATH}?starts_with=paris` })).statusCode).toBe(401)
})

describe('neighbourhoods', () => {
  const list = (id: string) => app.as(token, { url: `/api/locations/${id}/neighbourhoods` })

  test('the neighbourhoods of a city are listed, and each can be searched', async () => {
    const [berlin] = (await app.as(token, { url: `${PATH}?starts_with=berlin` })).json().data
    const answer = await list(berlin.id)
    expect(answer.statusCode).toBe(200)
    expectToMatch(NeighbourhoodList, answer.json())
    const names = answer.json().data.map(({ name }: { name: string }) => name.split(',')[0])
    expect(names).toContain('Kreuzberg')
    expect((await list(answer.json().data[0].id)).json()).toEqual({ data: [] })
  })

  test.each(['none', '00000000-0000-4000-8000-000000000000'])(
    'the neighbourhoods of an unknown location (%s) return 404',
    async (id) => {
      const answer = await list(id)
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'location_not_found'])
    },
  )
})
