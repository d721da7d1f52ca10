/**
 * Foreign text made harmless. Entities are read first and tags second, so that a tag hidden behind `&lt;` is a tag
 * too; what leaves is built anew from plain text. One pass over the input each, whatever it holds.
 */

const PARAGRAPH = new Set(['p', 'div', 'section', 'article', 'table', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const LINE = new Set(['br', 'li', 'ul', 'ol', 'tr', 'hr', 'dt', 'dd', 'dl'])
/** Their content is no text. */
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'head', 'title'])
/** `<` begins a tag only before one of these; "5 < 6" is text. */
const TAG_START = /[a-zA-Z/!?]/
/** It stays as text only where nothing that is taken away behind it could turn it into the beginning of a tag. */
const COMPARED = /[\s\d=]/

/** Paragraphs and line breaks only: `<p>…<br>…</p>`, everything else escaped or gone. */
export function cleanMarkup(html: string): string {
  return paragraphsOf(html)
    .map((lines) => `<p>${lines.map(escapeText).join('<br>')}</p>`)
    .join('')
}

/** One line of text without any markup, for names and labels. Not escaped: it is text, not HTML. */
export function plainText(html: string): string {
  if (!NOISY.test(html)) return html.trim()
  return paragraphsOf(html)
    .map((lines) => lines.join(' '))
    .join(' ')
    .replace(TAG_BEGINNINGS, '')
}

/** Where broken markup leaves several in a row, the last of them would begin a tag. */
const TAG_BEGINNINGS = /<+(?=[a-zA-Z/!?])/g

/** Markup, entities, control characters, runs of white space, and what turns or hides text (but no letter joiners). */
const NOISY = /[<&\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\s{2}/u
const BLANK = /[\p{Cc}\s\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu

function paragraphsOf(html: string): string[][] {
  const text = decodeEntities(html)
  const paragraphs: string[][] = []
  let lines: string[] = []
  let line = ''
  const endLine = () => {
    const tidy = line.replace(BLANK, ' ').trim()
    if (tidy !== '') lines.push(tidy)
    line = ''
  }
  const endParagraph = () => {
    endLine()
    if (lines.length > 0) paragraphs.push(lines)
    lines = []
  }

  let at = 0
  while (at < text.length) {
    const open = text.indexOf('<', at)
    if (open === -1) {
      line += text.slice(at)
      break
    }
    line += text.slice(at, open)
    if (!TAG_START.test(text.charAt(open + 1))) {
      if (COMPARED.test(text.charAt(open + 1))) line += '<'
      at = open + 1
      continue
    }
    const close = text.startsWith('<!--', open) ? endOfComment(text, open) : text.indexOf('>', open)
    if (close === -1) {
      // No tag ends any more: the rest is text, less every sign that could still begin a tag somewhere else.
      line += text.slice(open).replace(/<(?=[a-zA-Z/!?])/g, '')
      break
    }
    const tag = /^\/?([a-zA-Z][a-zA-Z0-9]{0,15})/.exec(text.slice(open + 1, open + 20))
    const name = tag?.[1]?.toLowerCase() ?? ''
    at = close + 1
    if (PARAGRAPH.has(name)) endParagraph()
    else if (LINE.has(name)) endLine()
    else if (SILENT.has(name) && tag?.[0].startsWith('/') === false) at = endOfSilence(text, name, at)
  }
  endParagraph()
  return paragraphs
}

function endOfComment(text: string, open: number): number {
  const end = text.indexOf('-->', open + 4)
  return end === -1 ? text.length - 1 : end + 2
}

/** Behind the closing tag; to the end of the text when there is none, as a browser would read it. */
function endOfSilence(text: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[^>]*>?`, 'gi')
  closing.lastIndex = from
  const found = closing.exec(text)
  return found === null ? text.length : found.index + found[0].length
}

const ENTITY: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  bull: '•',
  middot: '·',
  deg: '°',
  euro: '€',
  pound: '£',
  copy: '©',
  reg: '®',
  trade: '™',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  uuml: 'ü',
  ouml: 'ö',
  auml: 'ä',
  ntilde: 'ñ',
  szlig: 'ß',
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITY, name) ? (ENTITY[name] ?? whole) : whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' '
  })
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? character)
