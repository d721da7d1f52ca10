import { createRequire } from 'node:module'
import { decodeHTML, escapeUTF8 } from 'entities'
import type sanitizeHtml from 'sanitize-html'
import { escapeHtml } from './escape-html.ts'

const PARAGRAPHS = ['div', 'section', 'article', 'table', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const LINES = ['li', 'ul', 'ol', 'tr', 'hr', 'dt', 'dd', 'dl']
/** Elements without readable text. */
const NON_TEXT = ['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'head', 'title']

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br'],
  allowedAttributes: {},
  nonTextTags: [...NON_TEXT, 'textarea', 'option'],
  nestingLimit: 20,
  transformTags: Object.fromEntries([
    ...PARAGRAPHS.map((tag) => [tag, 'p'] as const),
    ...LINES.map((tag) => [tag, 'br'] as const),
  ]),
}

/** Loaded on first use: it has 80 modules, and the threads that parse vendors' prices rarely need it. */
let sanitize: typeof sanitizeHtml | undefined

function withParagraphsOnly(html: string): string {
  sanitize ??= createRequire(import.meta.url)('sanitize-html') as typeof sanitizeHtml
  return sanitize(html, OPTIONS)
}

/** Keeps only paragraphs and line breaks, `<p>…<br>…</p>`; everything else is escaped or removed. */
export function cleanMarkup(html: string): string {
  return parseParagraphs(html)
    .map((lines) => `<p>${lines.map(escapeHtml).join('<br>')}</p>`)
    .join('')
}

/** One line of plain text for names and labels. Not escaped: it is text, not HTML. */
export function plainText(html: string): string {
  if (!NOISY.test(html)) return html.trim()
  return parseParagraphs(html).flat().join(' ').replace(ANGLES, withoutTagStart)
}

/** Plain text with one line for each line, item or paragraph. Not escaped either. */
export function plainLines(html: string): string {
  return parseParagraphs(html.replace(/\r\n?|\n/g, '<br>'))
    .flat()
    .map((line) => line.replace(ANGLES, withoutTagStart).trim())
    .filter((line) => line !== '')
    .join('\n')
}

const ANGLES = /<+/g

/** Text that was escaped twice would become a tag again when it is read as HTML. */
const withoutTagStart = (angles: string, index: number, text: string) =>
  /[a-zA-Z/!?]/.test(text.charAt(index + angles.length)) ? '' : angles

/** Markup, entities, control characters, runs of white space, and invisible direction marks (but not letter joiners). */
const NOISY = /[<&\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\s{2}/u
const BLANK = /[\p{Cc}\s\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu

/** Anything beyond plain paragraphs and line breaks: other tags, tags with attributes, entities. */
const RICH = /&|<(?!\/?p>|br ?\/?>)/

/** Decodes entities first, so that a tag hidden behind `&lt;` is removed too. Parsing HTML is 30 times slower, so plain text skips it. */
function parseParagraphs(html: string): string[][] {
  if (!RICH.test(html)) return splitLines(html, (line) => line)
  const text = decodeHTML(html)
  return splitLines(text.includes('<') ? withParagraphsOnly(text) : escapeUTF8(text), decodeHTML)
}

function splitLines(markup: string, decode: (line: string) => string): string[][] {
  return markup
    .split(/<\/?p>/)
    .map((paragraph) =>
      paragraph
        .split(/<br ?\/?>|<\/br>/)
        .map((line) => decode(line).replace(BLANK, ' ').trim())
        .filter((line) => line !== ''),
    )
    .filter((lines) => lines.length > 0)
}
