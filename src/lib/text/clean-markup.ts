import { createRequire } from 'node:module'
import { decodeHTML, escapeUTF8 } from 'entities'
import type sanitizeHtml from 'sanitize-html'
import { escapeHtml } from './escape-html.ts'

const PARAGRAPHS = ['div', 'section', 'article', 'table', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const LINES = ['li', 'ul', 'ol', 'tr', 'hr', 'dt', 'dd', 'dl']
/** Their content is no text. */
const SILENT = ['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'head', 'title']

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br'],
  allowedAttributes: {},
  nonTextTags: [...SILENT, 'textarea', 'option'],
  nestingLimit: 20,
  transformTags: Object.fromEntries([
    ...PARAGRAPHS.map((tag) => [tag, 'p'] as const),
    ...LINES.map((tag) => [tag, 'br'] as const),
  ]),
}

/** Imported at first use: it has 80 modules, and the threads that read vendors' prices rarely need it. */
let sanitize: typeof sanitizeHtml | undefined

function withParagraphsOnly(html: string): string {
  sanitize ??= createRequire(import.meta.url)('sanitize-html') as typeof sanitizeHtml
  return sanitize(html, OPTIONS)
}

/** Paragraphs and line breaks only: `<p>…<br>…</p>`, everything else escaped or gone. */
export function cleanMarkup(html: string): string {
  return paragraphsOf(html)
    .map((lines) => `<p>${lines.map(escapeHtml).join('<br>')}</p>`)
    .join('')
}

/** One line of text without any markup, for names and labels. Not escaped: it is text, not HTML. */
export function plainText(html: string): string {
  if (!NOISY.test(html)) return html.trim()
  return paragraphsOf(html).flat().join(' ').replace(ANGLES, withoutTagBeginnings)
}

/** Text without any markup, one line for each line, item or paragraph, as people read it. Not escaped either. */
export function plainLines(html: string): string {
  return paragraphsOf(html.replace(/\r\n?|\n/g, '<br>'))
    .flat()
    .map((line) => line.replace(ANGLES, withoutTagBeginnings).trim())
    .filter((line) => line !== '')
    .join('\n')
}

const ANGLES = /<+/g

/** What was escaped twice would be a tag again once somebody reads the text as HTML. */
const withoutTagBeginnings = (angles: string, at: number, text: string) =>
  /[a-zA-Z/!?]/.test(text.charAt(at + angles.length)) ? '' : angles

/** Markup, entities, control characters, runs of white space, and what turns or hides text (but no letter joiners). */
const NOISY = /[<&\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\s{2}/u
const BLANK = /[\p{Cc}\s\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu

/** Anything beyond plain paragraphs and line breaks: other tags, tags with attributes, entities. */
const RICH = /&|<(?!\/?p>|br ?\/?>)/

/**
 * Entities are read first and tags second, so that a tag hidden behind `&lt;` is a tag too. Most texts hold plain paragraphs
 * only, and reading those as HTML takes thirty times as long.
 */
function paragraphsOf(html: string): string[][] {
  if (!RICH.test(html)) return linesOf(html, (line) => line)
  const text = decodeHTML(html)
  return linesOf(text.includes('<') ? withParagraphsOnly(text) : escapeUTF8(text), decodeHTML)
}

function linesOf(markup: string, textOf: (line: string) => string): string[][] {
  return markup
    .split(/<\/?p>/)
    .map((paragraph) =>
      paragraph
        .split(/<br ?\/?>|<\/br>/)
        .map((line) => textOf(line).replace(BLANK, ' ').trim())
        .filter((line) => line !== ''),
    )
    .filter((lines) => lines.length > 0)
}
