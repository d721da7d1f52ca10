import { randomBytes } from 'node:crypto'
import { escapeHtml } from '../../../src/lib/text/escape-html.ts'
import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { type ApiRequest, SANDBOX_KEYS } from '../api.ts'
import { finishAuthentication } from '../confirm.ts'
import { formatAmount } from '../currencies.ts'
import { readForm, textOf } from '../form-body.ts'
import type { Parts } from '../parts.ts'
import { Refusal } from '../refusal.ts'
import type { KeptIntent } from '../state.ts'
import { CARD_FORM_SCRIPT } from './card-form-script.ts'
import { PAGE_STYLE } from './page-style.ts'

/** Form of a payment that does not exist yet. */
const NEW = 'new'
const PAGE = /^\/(form|3ds)\/([^/]+)$/

export const isPage = ({ pathname }: URL): boolean => PAGE.test(pathname)

/** Pages for guests: the card form, and the bank's authentication. */
export function answerPage(parts: Parts, { method, url, text }: ApiRequest): StandInAnswer {
  const [, kind = '', id = ''] = PAGE.exec(url.pathname) ?? []
  if (kind === 'form' && id === NEW && method === 'GET') return cardForm(url, parts.settings.bankRedirects > 0)
  const secret = url.searchParams.get('client_secret') ?? ''
  const kept = parts.state.find(id)
  if (kept === undefined || kept.secret !== secret) return page(404, 'Payment not found', '<h1>Payment not found</h1>')
  if (kind === 'form') return method === 'GET' ? cardForm(url, true, { id, secret }) : page(405, 'Not allowed', '')
  return method === 'POST' ? finish(parts, id, secret, text) : authenticationPage(kept)
}

function finish(parts: Parts, id: string, secret: string, text: string): StandInAnswer {
  const isCompleted = textOf(readForm(text) ?? {}, 'outcome') === 'complete'
  const returnUrl = parts.state.find(id)?.action?.returnUrl
  try {
    const { status } = finishAuthentication(parts, id, secret, isCompleted)
    if (returnUrl === undefined) return page(200, 'Done', `<p role="status">Done.</p>`, { script: doneScript(status) })
    const target = new URL(returnUrl)
    target.searchParams.set('payment_intent', id)
    target.searchParams.set('payment_intent_client_secret', secret)
    target.searchParams.set('redirect_status', status === 'requires_capture' ? 'succeeded' : 'failed')
    return { status: 303, headers: { location: target.href }, body: '' }
  } catch (error) {
    if (error instanceof Refusal) return page(409, 'Not possible', `<p>${escapeHtml(error.message)}</p>`)
    throw error
  }
}

/** Reports to the card form, which has the same origin. */
const doneScript = (status: string) =>
  `parent.postMessage({ type: 'serai-sandbox:authenticated', status: ${JSON.stringify(status)} }, location.origin)`

const authenticationPage = ({ amount, currency, action }: KeptIntent): StandInAnswer =>
  page(
    200,
    'Your bank',
    `<main><h1>Your bank asks you to confirm</h1>
<p>A payment of ${escapeHtml(formatAmount(amount, currency))} waits for you. This page stands in for your bank.</p>
<form method="post">
  <button name="outcome" value="complete">Complete</button>
  <button name="outcome" value="fail" class="secondary">Fail</button>
</form></main>`,
    // Browsers also apply `form-action` to redirects.
    { formTarget: action?.returnUrl === undefined ? '' : new URL(action.returnUrl).origin },
  )

/** `parent_origin` is the only origin that gets messages. Without a payment, the confirmation names it. */
function cardForm(
  url: URL,
  redirects: boolean,
  payment?: { readonly id: string; readonly secret: string },
): StandInAnswer {
  const parentOrigin = url.searchParams.get('parent_origin') ?? ''
  const returnUrl = (redirects && url.searchParams.get('return_url')) || ''
  const field = (name: string, label: string, autocomplete: string, more: string) => `<div class="field ${name}">
  <label for="${name}">${label}</label>
  <input id="${name}" name="${name}" autocomplete="${autocomplete}" inputmode="numeric" required ${more}>
</div>`
  const settings = JSON.stringify({
    intent: payment?.id ?? null,
    secret: payment?.secret ?? null,
    key: SANDBOX_KEYS.publishable,
    parentOrigin: URL.canParse(parentOrigin) ? new URL(parentOrigin).origin : null,
    returnUrl: URL.canParse(returnUrl) ? returnUrl : null,
    theme: url.searchParams.get('theme'),
  })
  const body = `<form id="card" novalidate aria-label="Card">
${field('number', 'Card number', 'cc-number', 'placeholder="4242 4242 4242 4242" maxlength="23"')}
<div class="row">
${field('expiry', 'Expiry date', 'cc-exp', 'placeholder="MM / YY" maxlength="7"')}
${field('cvc', 'Security code', 'cc-csc', 'placeholder="CVC" maxlength="4"')}
</div>
<p id="error" role="alert"></p>
<p class="hint">Sandbox: no real card is charged. Try 4242 4242 4242 4242.</p>
<input type="submit" hidden>
</form>
<iframe id="bank" title="Your bank" hidden></iframe>`
  const script = `const settings = ${settings.replaceAll('<', '\\u003c')}\n${CARD_FORM_SCRIPT}`
  return page(200, 'Card', body, { script })
}

/** One page with its own script; nothing else may run or load. */
function page(status: number, title: string, body: string, { script = '', formTarget = '' } = {}): StandInAnswer {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "frame-src 'self'",
    `form-action 'self' ${formTarget}`.trim(),
    "base-uri 'none'",
  ].join('; ')
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style nonce="${nonce}">${PAGE_STYLE}</style></head><body>${body}
<script nonce="${nonce}">${script}</script></body></html>`,
  }
}
