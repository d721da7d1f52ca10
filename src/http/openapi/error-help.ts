import { ERRORS } from '../../domain/error-table.ts'
import { ERROR_CODES } from '../../domain/errors.ts'

const EFFECT_TEXT =
  '`effect` is `none` if nothing was done, or `unknown` if something may have been done: then repeat the request only with the same idempotency key, or read the state first. A response without `effect` is not from the service: treat it as `unknown`. Repeat automatically only 429, 502, 503 and 504.'

export function errorsMarkdown(): string {
  const entries = ERROR_CODES.map((code) => {
    const { status, title, effect, explanation, todo } = ERRORS[code]
    const unknown = effect === 'none' ? '' : ` Effect: \`${effect}\`.`
    return `## ${code}\n\n${wrap(`**${status} ${title}.**${unknown} ${explanation} ${todo}`)}\n`
  })
  const intro = `${INTRO} The effect is \`none\` unless an entry says otherwise.`
  return `# Errors\n\n${wrap(intro)}\n\n${wrap(EFFECT_TEXT)}\n\n${entries.join('\n')}`
}

const INTRO =
  'Every error is `application/problem+json` (RFC 9457). `code` is stable; `detail` is for people and may change.'

const wrap = (paragraph: string) => paragraph.replace(/(.{1,100})(?: |$)/g, '$1\n').trimEnd()

export function errorsPage(): string {
  const entries = ERROR_CODES.map((code) => {
    const { status, title, effect, explanation, todo } = ERRORS[code]
    return `<section id="${code}"><h2>${code}</h2><p><b>${status} ${title}.</b> Effect: <code>${effect}</code>. ${html(explanation)}</p><p>What to do: ${html(todo)}</p></section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Serai: errors</title><style>${STYLE}</style></head><body><main><h1>Errors</h1><p>Every error is <code>application/problem+json</code> (RFC 9457). Its <code>code</code> is stable.</p><p>${html(EFFECT_TEXT)}</p>${entries.join('')}</main></body></html>`
}

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;margin:0}main{max-width:44rem;margin:3rem auto;padding:0 1.25rem}h2{font:600 1.05rem ui-monospace,monospace;margin:2.5rem 0 .25rem}p{margin:.4rem 0}code{font:.9em ui-monospace,monospace;background:#8881;padding:.1em .3em;border-radius:.25em}section:target{outline:2px solid #c2703d;outline-offset:.75rem;border-radius:.25rem}'

const html = (markdown: string) =>
  markdown
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>')
