import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorsMarkdown } from '../openapi/error-help.ts'

export type Guide = {
  /** Served at `/docs/{name}`, and as Markdown at `/docs/{name}.md`. */
  readonly name: string
  readonly title: string
  /** Its first sentence. */
  readonly summary: string
  readonly markdown: string
}
export type GuideGroup = { readonly title: string; readonly guides: readonly Guide[] }

/** In the recommended order for new users. */
const START = ['README', 'tutorial', 'shop', 'glossary']
const RECIPES = ['streaming', 'price-and-terms', 'doubt', 'webhooks', 'cancellation', 'going-live'].map(
  (name) => `recipes/${name}`,
)
const FOR_USERS = ['client', 'lists', 'webhooks', 'locations', 'ranking', 'errors']
const CLIENT_README = 'packages/client/README.md'

/** Reads the documents that this installation contains. */
export function readGuides(root: string): GuideGroup[] {
  const listed = new Set([...START, ...FOR_USERS])
  const others = [...listNames(root, ''), ...listNames(root, 'operating/')].filter((name) => !listed.has(name))
  const read = (names: readonly string[]) => names.flatMap((name) => readGuide(root, name) ?? [])
  const groups = [
    { title: 'Start here', guides: read(START) },
    { title: 'Recipes', guides: read(RECIPES) },
    { title: 'Using the API', guides: read(FOR_USERS) },
    { title: 'Running the service', guides: read(others) },
  ]
  return groups.filter(({ guides }) => guides.length > 0)
}

function listNames(root: string, folder: string): string[] {
  const path = join(root, 'docs', folder)
  const files = existsSync(path) ? readdirSync(path).filter((file) => file.endsWith('.md')) : []
  return files.sort().map((file) => folder + file.slice(0, -'.md'.length))
}

function readGuide(root: string, name: string): Guide | undefined {
  const path = join(root, name === 'client' ? CLIENT_README : `docs/${name}.md`)
  // Generated from the error table, so it needs no file.
  if (name !== 'errors' && !existsSync(path)) return undefined
  const markdown = name === 'errors' ? errorsMarkdown() : readFileSync(path, 'utf8')
  const [heading = '', ...rest] = markdown.split(/\n\s*\n/)
  const first = rest.find((block) => /^[A-Za-z`*[]/.test(block)) ?? ''
  return { name, title: heading.replace(/^# /, '').trim(), summary: firstSentence(first), markdown }
}

const firstSentence = (block: string): string =>
  stripMarkup(block.replace(/\s+/g, ' '))
    .split(/(?<=\.) (?=[A-Z])/, 1)[0]
    ?.trim() ?? ''

const stripMarkup = (markdown: string) => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*_]{2}/g, '')
