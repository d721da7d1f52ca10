import { escapeHtml } from '../lib/text/escape-html.ts'
import { type DocumentSection, type PrintedDocument, SIMULATED } from './printed-document.ts'

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;color:#1c2a30;max-width:44rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.05rem;margin:1.4rem 0 .3rem;border-bottom:1px solid #cdd6da}
dl{display:grid;grid-template-columns:11rem 1fr;margin:0;gap:.15rem 1rem}dt{color:#51636b}dd{margin:0;overflow-wrap:anywhere}
p{margin:.2rem 0;white-space:pre-line;overflow-wrap:anywhere}@media print{body{margin:0}}`

/** Contains no scripts, pictures or links except the vendor's. */
export function documentHtml({ title, heading, isSimulated, sections }: PrintedDocument): string {
  const note = isSimulated ? `<p><strong>${SIMULATED.map(escapeHtml).join('<br>')}</strong></p>` : ''
  const body = sections.map(sectionHtml).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><h1>${escapeHtml(heading)}</h1>${note}${body}</body></html>`
}

function sectionHtml({ title, facts, text, url }: DocumentSection): string {
  const list = facts.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd dir="auto">${escapeHtml(value)}</dd>`)
  const link = url === undefined ? '' : `<p><a href="${escapeHtml(url)}" rel="noopener">${escapeHtml(url)}</a></p>`
  return [
    `<section><h2 dir="auto">${escapeHtml(title)}</h2>`,
    list.length === 0 ? '' : `<dl>${list.join('')}</dl>`,
    text === undefined ? '' : `<p dir="auto">${escapeHtml(text)}</p>`,
    link,
    '</section>',
  ].join('')
}
