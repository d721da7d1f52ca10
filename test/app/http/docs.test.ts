import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/app.ts'

const DOCS = join(import.meta.dirname, '../../../docs')
const filesIn = (folder: string) => readdirSync(join(DOCS, folder)).filter((file) => file.endsWith('.md'))
const NAMES = ['', 'recipes/', 'operating/'].flatMap((folder) =>
  filesIn(folder).map((file) => folder + file.slice(0, -3)),
)

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const read = (url: string) => app.call({ url })
/** Paths on this service that a page or document links to. */
const linksIn = (text: string) =>
  [...text.matchAll(/href="(\/[^"#]*)|\]\((https?:\/\/127\.0\.0\.1:4000)?(\/[^)#]*)/g)].map(
    ([, href, , link]) => href ?? link ?? '',
  )

describe('documents', () => {
  test.each([...NAMES, 'client'])('the document %s is served as Markdown and as HTML', async (name) => {
    const markdown = await read(`/docs/${name}.md`)
    expect([markdown.statusCode, markdown.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(markdown.body).toMatch(/^# \S/)
    const page = await read(`/docs/${name}`)
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const title = /^# (.*)/.exec(markdown.body)?.[1]?.replace(/[`'’].*/, '') ?? ''
    expect(page.body).toContain(title)
    // A page loads neither scripts nor other resources.
    expect(page.body).not.toMatch(/<script|src=|@import|url\(/)
  })
})

test('every link of every page, of the index and of llms.txt resolves', async () => {
  const pages = ['/docs/guides', '/llms.txt', '/docs', ...NAMES.map((name) => `/docs/${name}`)]
  const links = new Set<string>()
  for (const url of pages) for (const link of linksIn((await read(url)).body)) links.add(link)
  expect(links.size).toBeGreaterThan(NAMES.length)
  const dead = []
  for (const link of links) if ((await read(link)).statusCode !== 200) dead.push(link)
  expect(dead).toEqual([])
})

test('llms.txt lists every document as Markdown with a description', async () => {
  const { body } = await read('/llms.txt')
  expect(body).toMatch(/^# Serai\n\n> /)
  for (const name of NAMES) expect(body).toMatch(new RegExp(`/docs/${name}\\.md\\): \\S`))
  expect(body).toContain('/openapi.json')
})

test('headings have the anchors that other documents link to', async () => {
  expect((await read('/docs/webhooks')).body).toContain('id="a-new-secret"')
})

test('an unknown document returns 404, also outside of the folder', async () => {
  for (const url of [
    '/docs/nothing.md',
    '/docs/..%2fpackage.json',
    '/docs/recipes/../../package.json',
    '/docs/adr/001.md',
  ])
    expect((await read(url)).statusCode, url).toBe(404)
})

test('the list of guides shows a description of each without Markdown syntax', async () => {
  const { body } = await app.call({ url: '/docs/guides' })
  const text = body.replace(/<style>.*<\/style>/s, '').replace(/<[^>]+>/g, '')
  expect(text).not.toMatch(/`|\*/)
})
