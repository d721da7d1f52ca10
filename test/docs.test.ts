import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const FOLDERS = [
  'src',
  'packages',
  'sandbox',
  'web',
  'test',
  'certify',
  'chaos',
  'bench',
  'scripts',
  'data',
  'deploy',
  'docs',
]
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.includes('node_modules'))
    .map((file) => `${folder}/${file}`),
)
const documents = [...readdirSync(root), ...files].filter((file) => /\.md(\.template)?$/.test(file))
/** The changelog may name files of earlier releases. */
const current = documents.filter((file) => file !== 'CHANGELOG.md')

/** `src/config.ts`, `docs/images` … in code spans and code blocks. */
const PATH = new RegExp(`(?<![\\w/.-])(?:${FOLDERS.join('|')})/[\\w./-]*\\w`, 'g')
/** Written by a command, or the name of a vendor that the reader creates. */
const NOT_IN_THE_REPOSITORY = /^(web\/dist|deploy\/compose\/vendors\.env)$|acme/

const extractCode = (text: string) => (text.match(/```[\s\S]*?```|`[^`\n]+`/g) ?? []).join('\n')

test('every path that a document names exists', () => {
  const missing = current.flatMap((file) =>
    [...extractCode(readFileSync(join(root, file), 'utf8')).matchAll(PATH)]
      .map(([path]) => path)
      .filter((path) => !NOT_IN_THE_REPOSITORY.test(path))
      .filter((path) => !existsSync(join(root, path)) && !files.some((file) => file.startsWith(path)))
      .map((path) => `${file}: ${path}`),
  )
  expect(missing).toEqual([])
})

test('every link between documents leads to an existing file', () => {
  const broken = documents.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(root, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('every image in docs/images is used by a document', () => {
  const texts = current.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  expect(readdirSync(join(root, 'docs/images')).filter((file) => !texts.includes(`images/${file})`))).toEqual([])
})

/** Follows the rules of GitHub and of our own guides. */
const toAnchor = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
const anchorsIn = (file: string) =>
  [
    ...readFileSync(join(root, file), 'utf8')
      .replace(/```[\s\S]*?```/g, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = '']) => toAnchor(heading))

test('every link to a heading leads to an existing heading', () => {
  const broken = documents.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
      .map(([, path = '', anchor = '']) => ({ target: path === '' ? file : join(dirname(file), path), anchor }))
      .filter(({ target }) => target.endsWith('.md'))
      .filter(({ target, anchor }) => !anchorsIn(target).includes(anchor))
      .map(({ target, anchor }) => `${file}: ${target}#${anchor}`),
  )
  expect(broken).toEqual([])
})

test('every `npm run` command in a document exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const unknown = documents.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/npm run ([\w:-]*\w)/g)]
      .filter(([, name = '']) => !(name in scripts))
      .map(([command]) => `${file}: ${command}`),
  )
  expect(unknown).toEqual([])
})

/** Lines of a document without code, tables and comments. */
const readProse = (file: string) =>
  readFileSync(join(root, file), 'utf8')
    .replace(/^ *```[\s\S]*?^ *```$/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .split('\n')
    .filter((line) => !/^ *\|/.test(line))

/** Phrases that readers had to read twice, and clauses as subjects. */
const UNCLEAR =
  /\b(told|stands|somebody|nobody|whoever|of which|as it is)\b|\bis no\b(?! longer)|(^|[.:] )(Whether|Who|Where) /

test('documents avoid unclear phrases', () => {
  const unclear = documents.flatMap((file) =>
    readProse(file)
      .filter((line) => UNCLEAR.test(line))
      .map((line) => `${file}: ${line}`),
  )
  expect(unclear).toEqual([])
})

/** A line without a place to break, such as one long address, may be longer. */
const isTooLong = (line: string) =>
  line.length > 100 &&
  line
    .replace(/`[^`]*`/g, 'code')
    .replace(/^ *([-*]|\d+\.) /, '')
    .trim()
    .includes(' ')

test('prose is wrapped at 100 columns', () => {
  const long = documents.flatMap((file) =>
    readProse(file)
      .filter((line) => isTooLong(line))
      .map((line) => `${file}: ${line}`),
  )
  expect(long).toEqual([])
})

test('no table is interrupted by an empty line', () => {
  const interrupted = documents.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines
      .filter((line, i) => /^ *\|/.test(line) && lines[i - 1] === '' && !/^ *\|[-: |]+\|$/.test(lines[i + 1] ?? ''))
      .map((line) => `${file}: ${line}`)
  })
  expect(interrupted).toEqual([])
})
