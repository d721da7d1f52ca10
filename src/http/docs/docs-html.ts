import { posix } from 'node:path'
import { Marked } from 'marked'
import { escapeHtml } from '../../lib/text/escape-html.ts'
import type { Guide, GuideGroup } from './docs-guides.ts'

/** Does not sanitize: only our own documents are rendered. */
export function guideHtml(guide: Guide, groups: readonly GuideGroup[]): string {
  const alternate = `<link rel="alternate" type="text/markdown" href="/docs/${guide.name}.md">`
  const copy = `<p class="as"><a href="/docs/${guide.name}.md">This page as Markdown</a></p>`
  const known = new Set(groups.flatMap(({ guides }) => guides.map(({ name }) => name)))
  return pageHtml(guide.title, groups, `${copy}${render(guide, known)}`, guide.name, alternate)
}

export function indexHtml(groups: readonly GuideGroup[]): string {
  const inline = new Marked({ async: false })
  const lists = groups.map(({ title, guides }) => {
    const items = guides.map(
      (guide) =>
        `<li><a href="/docs/${guide.name}">${escapeHtml(guide.title)}</a><br>${inline.parseInline(guide.summary)}</li>`,
    )
    return `<h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`
  })
  const intro = 'For programs: <a href="/llms.txt">llms.txt</a>, <a href="/openapi.json">openapi.json</a>.'
  return pageHtml('Guides', groups, `<h1>Guides</h1><p>${intro}</p>${lists.join('')}`)
}

function pageHtml(title: string, groups: readonly GuideGroup[], body: string, current = '', head = ''): string {
  const links = groups.map(({ title: group, guides }) => {
    const items = guides.map(({ name, title: text }) => {
      const attribute = name === current ? ' aria-current="page"' : ''
      return `<li><a href="/docs/${name}"${attribute}>${escapeHtml(text)}</a></li>`
    })
    return `<h2>${escapeHtml(group)}</h2><ul>${items.join('')}</ul>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Serai: ${escapeHtml(title)}</title>
<link rel="icon" href="data:,">${head}
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<nav aria-label="Documentation"><p><a href="/docs">API reference</a> · <a href="/docs/guides">Guides</a></p>${links.join('')}</nav>
<main id="text">${body}</main>
</body>
</html>
`
}

function render({ name, markdown }: Guide, known: ReadonlySet<string>): string {
  const marked = new Marked({ gfm: true, async: false })
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens)
        return `<h${depth} id="${toSlug(text)}">${text}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const url = resolveLink(name, href, known)
        return url === undefined ? text : `<a href="${escapeHtml(url)}">${text}</a>`
      },
      // Pictures are not served.
      image: ({ text }) => escapeHtml(text),
      // Our documents use HTML only for comments.
      html: () => '',
      table({ header, rows }) {
        const cells = (tag: string, row: typeof header) =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = rows.map((row) => cells('td', row)).join('')
        return `<div class="wide" tabindex="0"><table><thead>${cells('th', header)}</thead><tbody>${body}</tbody></table></div>`
      },
    },
  })
  return marked.parse(markdown, { async: false })
}

/** Undefined if the link leads to a file that is not served. */
function resolveLink(from: string, href: string, known: ReadonlySet<string>): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [path = '', anchor] = href.split('#', 2)
  const target = posix.join(posix.dirname(from), path).replace(/\.md$/, '')
  const name = target.endsWith('packages/client/README') ? 'client' : target
  return known.has(name) ? `/docs/${name}${anchor === undefined ? '' : `#${anchor}`}` : undefined
}

/** Same anchors as GitHub generates for headings. */
const toSlug = (html: string): string =>
  html
    .replace(/<[^>]+>|&[a-z#0-9]+;/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const STYLE = `:root{color-scheme:light dark;--line:#8883;--link:light-dark(#9a4a17,#e0a071)}
body{font:16px/1.6 system-ui,sans-serif;margin:0 auto;max-width:76rem;display:grid;grid-template-columns:17rem minmax(0,1fr);gap:2rem;padding:0 1.25rem}
a{color:var(--link)}nav{position:sticky;top:0;max-height:100vh;overflow:auto;font-size:.9rem;padding:1.5rem 0;box-sizing:border-box}
nav h2{font-size:.8rem;text-transform:uppercase;letter-spacing:.04em;margin:1.25rem 0 .25rem}nav ul{list-style:none;margin:0;padding:0}
nav li{margin:.2rem 0}nav a{text-decoration:none}nav a:hover,nav a:focus{text-decoration:underline}nav [aria-current]{font-weight:600}
main{padding:1.5rem 0 4rem;max-width:48rem}h1{line-height:1.2;margin:.5rem 0 1rem}main h2{margin:2.25rem 0 .5rem;line-height:1.3}
.as{text-align:right;font-size:.85rem;margin:0}code{font:.9em ui-monospace,monospace;background:#8882;padding:.1em .3em;border-radius:.25em}
pre{background:#8881;padding:1rem;overflow:auto;border-radius:.5rem;line-height:1.45}pre code{background:none;padding:0}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.92rem}th,td{border-bottom:1px solid var(--line);padding:.35rem .75rem .35rem 0;text-align:left;vertical-align:top}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem}
@media (max-width:56rem){body{display:block}nav{position:static;max-height:none}}`
