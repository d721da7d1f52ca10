import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { DESKTOP, type Site, type Visit, watchPage } from '../support/servers/browser.ts'
import {
  type Answer,
  type ApiDescription,
  example,
  type Json,
  readDescription,
  recordedAnswer,
} from './recorded-answers.ts'
import { detailAnswer, manyProperties, savedAnswer, searchAnswer, searchStream } from './recorded-search.ts'
import { type AnswerRequest, isApi, type RecordedServer, serverFor, VISIT_HEADER } from './recorded-server.ts'

export { example, problem } from './recorded-answers.ts'
export { manyProperties, RESULTS_ADDRESS, STAY_ADDRESS } from './recorded-search.ts'

/** Time of the recorded examples and of the page in a recorded visit, so that their dates are never past. */
export const RECORDED_AT = '2027-01-15T12:00:00.000Z'

export type ApiRequest = {
  readonly operationId: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

/** An answer, or a function that waits or decides by the request. */
type AnswerSource = Answer | ((request: ApiRequest) => Answer | Promise<Answer>)

export type RecordedApi = {
  /** Requests of the page, oldest first. */
  requests(operationId: string): readonly ApiRequest[]
  /** Replaces the recorded answer. Several are used in order, and the last one is repeated. */
  answer(operationId: string, ...answers: AnswerSource[]): void
  /** Replaces the body of the recorded answer. */
  answerWith(operationId: string, body: Json): void
  /** The answer that a request gets without `ratesAnswer`. */
  recorded(request: ApiRequest): Answer
  /** Properties that searches find from now on. */
  find(properties: readonly Json[]): void
  /** Signs the browser in with the recorded account, changed by `account`; null signs it out. */
  signIn(account: object | null): void
  /** Replaces members of page-config.json. */
  configure(members: object): void
  /** Clears `ratesAnswer`, `find` and the requests, for the next test of the same visit. */
  reset(): void
}

export type RecordedVisit = Visit & { readonly api: RecordedApi }
type VisitOptions = NonNullable<Parameters<Site['visit']>[0]>
type RecordedOptions = VisitOptions & {
  /** Changes of the recorded account that is signed in; null for a visitor without an account. */
  readonly account?: object | null
}

/** A visit whose page gets recorded answers from the API; the page itself comes from the site. */
export async function openRecorded(
  site: Site,
  { account = {}, ...options }: RecordedOptions = {},
): Promise<RecordedVisit> {
  const [description, config, server] = await Promise.all([describe(site), readConfig(site), serverFor(site)])
  const { api, answerRequest, faults } = createRecordedApi(description, config)
  api.signIn(account)
  if (options?.map) {
    const visit = await openRouted(site, answerRequest, options)
    return { ...visit, api, trouble: () => [...faults, ...visit.trouble()] }
  }
  const visit = await openTab(site, server, options)
  const id = randomUUID()
  server.visits.set(id, answerRequest)
  // Identifies the visit to the server. A Playwright route would disable the browser's cache.
  await visit.page.setExtraHTTPHeaders({ [VISIT_HEADER]: id })
  return {
    page: visit.page,
    api,
    trouble: () => [...faults, ...visit.trouble()],
    async close() {
      server.visits.delete(id)
      await visit.close()
    },
  }
}

/** An open, empty tab of each shared profile, by server and by the options that a tab cannot have. */
const profiles = new Map<string, Promise<Page>>()

/** Opens a tab in a shared profile, whose cache has the page. */
async function openTab(
  site: Site,
  { url }: RecordedServer,
  { viewport = DESKTOP, colorScheme = 'light', forcedColors = 'none', ...options }: VisitOptions = {},
): Promise<Visit> {
  const key = JSON.stringify([url, options])
  const profile = profiles.get(key) ?? openProfile(site, { ...options, baseURL: url })
  profiles.set(key, profile)
  const emptyTab = await profile
  const page = await emptyTab.context().newPage()
  await Promise.all([page.setViewportSize(viewport ?? DESKTOP), page.emulateMedia({ colorScheme, forcedColors })])
  return {
    page,
    trouble: watchPage(page, url),
    async close() {
      await page.close()
      const storage = await emptyTab.context().newCDPSession(emptyTab)
      await storage.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'cookies,local_storage' })
      await storage.detach()
    },
  }
}

async function openProfile(site: Site, options: VisitOptions): Promise<Page> {
  const { page } = await site.visit(options)
  await page.context().addInitScript(SHIFT_CLOCK)
  return page
}

/** Opens the site itself, for visits that draw its map. */
async function openRouted(site: Site, answerRequest: AnswerRequest, options: VisitOptions): Promise<Visit> {
  const visit = await site.visit(options)
  const context = visit.page.context()
  await context.addInitScript(SHIFT_CLOCK)
  await context.route(
    ({ pathname }) => isApi(pathname),
    async (route) => {
      const request = route.request()
      const { pathname, search } = new URL(request.url())
      const asked = { method: request.method(), url: `${pathname}${search}`, headers: request.headers() }
      const answer = await answerRequest(asked, request.postData() ?? '')
      if (answer === 'lost') return route.abort('connectionreset')
      const { status, type, body } = answer
      await route.fulfill({ status, ...(type && { contentType: type }), ...(body !== undefined && { body }) })
    },
  )
  return visit
}

/** Starts the page's clock at the time of the examples. */
const SHIFT_CLOCK = `{
  const { now } = Date
  globalThis.clockAheadMs = Date.parse('${RECORDED_AT}') - now()
  globalThis.Date = class extends Date {
    static now() { return now() + clockAheadMs }
    constructor(...parts) { parts.length === 0 ? super(now() + clockAheadMs) : super(...parts) }
  }
}`

/** Advances the page's clock until the next load. Timers are not affected. */
export const advancePageClock = (page: Page, ms: number): Promise<void> => page.evaluate(`clockAheadMs += ${ms}`)

const descriptions = new Map<string, Promise<ApiDescription>>()
function describe({ url }: Site): Promise<ApiDescription> {
  const description = descriptions.get(url) ?? readDescription(url)
  descriptions.set(url, description)
  return description
}

const readConfig = async ({ url }: Site): Promise<Json> => (await fetch(`${url}/page-config.json`)).json()

function createRecordedApi(description: ApiDescription, siteConfig: Json) {
  const requests: ApiRequest[] = []
  const replaced = new Map<string, AnswerSource[]>()
  const faults: string[] = []
  let config = siteConfig
  let properties = manyProperties(3)
  const searches = new Map<string, Json>()

  const setSession = (body: Json): Answer => {
    config = { ...config, session: body?.data ?? null }
    return body === undefined ? { status: 204 } : { status: 200, body }
  }
  /** Answers that depend on the request or on an earlier one. */
  const dependent: Record<string, (request: ApiRequest) => Answer> = {
    sessionSignIn: () => setSession(example('sessionSignIn')),
    sessionStartGuest: () => setSession(example('sessionStartGuest')),
    accountsRevokeToken: () => setSession(undefined),
    searchCreate({ body }) {
      const search = searchAnswer(properties, body, searches.size + 1)
      searches.set(search.search_id, search)
      return { status: 200, body: { data: search } }
    },
    searchAvailability({ path }) {
      const [searchId = ''] = path.split('/').slice(-2)
      const search = searches.get(searchId) ?? searchAnswer(properties)
      return { status: 200, body: savedAnswer(search) }
    },
    searchDetail: ({ query }) => ({ status: 200, body: detailAnswer(query, properties) }),
    bookingCancel({ query }) {
      const { data } = example('bookingCancel')
      const preview = query.get('preview') === 'true'
      return { status: 200, body: { data: { ...data, preview, status: preview ? 'confirmed' : 'cancelled' } } }
    },
  }
  const api: RecordedApi = {
    requests: (operationId) => requests.filter((each) => each.operationId === operationId),
    answer(operationId, ...answers) {
      for (const each of answers) if (typeof each !== 'function') description.check(operationId, each)
      replaced.set(operationId, answers)
    },
    answerWith: (operationId, body) => api.answer(operationId, { ...recordedAnswer(operationId), body }),
    recorded: (request) => dependent[request.operationId]?.(request) ?? recordedAnswer(request.operationId),
    find(found) {
      properties = [...found]
    },
    signIn(account) {
      if (account === null) return void setSession(undefined)
      const { data } = example('sessionSignIn')
      setSession({ data: { ...data, account: { ...data.account, ...account } } })
    },
    configure(members) {
      config = { ...config, ...members }
    },
    reset() {
      replaced.clear()
      properties = manyProperties(3)
      requests.length = 0
    },
  }

  async function answerTo(request: ApiRequest): Promise<Answer> {
    const [first = api.recorded, ...rest] = replaced.get(request.operationId) ?? []
    if (rest.length > 0) replaced.set(request.operationId, rest)
    if (typeof first !== 'function') return first
    const answer = await first(request)
    description.check(request.operationId, answer)
    return answer
  }

  const answerRequest: AnswerRequest = async (request, body) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://recorded')
    if (pathname === '/page-config.json') return { status: 200, body: JSON.stringify(config), type: JSON_TYPE }
    const operationId = description.findOperation(request.method ?? '', pathname)
    try {
      if (operationId === undefined) throw new Error(`${request.method} ${pathname} is not an operation of the API.`)
      const headers = request.headers as Record<string, string>
      const asked = { operationId, path: pathname, query: searchParams, headers, body: body && JSON.parse(body) }
      requests.push(asked)
      const answer = await answerTo(asked)
      if (answer !== 'lost' && answer.status < 400) description.checkRequest(operationId, asked.body)
      return answer === 'lost' ? answer : written(asked, answer)
    } catch (error) {
      faults.push(String(error))
      return 'lost'
    }
  }
  return { api, answerRequest, faults }
}

const JSON_TYPE = 'application/json'

function written({ operationId, headers }: ApiRequest, { status, body }: Exclude<Answer, 'lost'>) {
  if (body === undefined) return { status }
  const isStream = operationId === 'searchCreate' && status === 200 && headers.accept?.includes('text/event-stream')
  if (isStream) return { status, type: 'text/event-stream', body: withLocalPictures(searchStream(body.data)) }
  const type = status >= 400 && body.code !== undefined ? 'application/problem+json' : JSON_TYPE
  return { status, type, body: withLocalPictures(JSON.stringify(body)) }
}

/** Replaces the host of the examples, which does not exist, by pictures of the site. */
const withLocalPictures = (body: string): string =>
  body.replaceAll('https://img.example.com/1.svg', '/sandbox/pictures/1/outside.svg')
