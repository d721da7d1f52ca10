import type { CardForm, CardFormOptions, Confirmation } from './card-form.ts'

const LOAD_TIMEOUT_MS = 15_000
/** A blocked frame loads an error page, which never reports that it is ready. */
const READY_AFTER_LOAD_MS = 3_000
/** Covers a guest who takes long to answer the bank. The form itself reports a lost connection. */
const RESULT_TIMEOUT_MS = 20 * 60_000
const HEIGHT_MAX = 900
const PREFIX = 'serai-sandbox:'

type Result = { readonly status: string; readonly code?: string; readonly url?: string }

/** Mounts the sandbox's card form, in a frame of another origin. For development and tests. */
export async function mountSandboxForm({ node, ...options }: CardFormOptions): Promise<CardForm> {
  const url = new URL(`${options.source.form}/new`)
  url.searchParams.set('parent_origin', location.origin)
  url.searchParams.set('return_url', options.returnUrl)
  url.searchParams.set('theme', themeName(options.isDark))
  const frame = document.createElement('iframe')
  frame.src = url.href
  frame.title = options.title
  frame.className = 'block w-full'
  const messages = listenTo(frame, url.origin)
  const send = (type: string, more: object = {}) =>
    frame.contentWindow?.postMessage({ type: `${PREFIX}${type}`, ...more }, url.origin)
  messages.on('resize', ({ height }) => {
    frame.style.height = `${Math.min(Number(height) || 0, HEIGHT_MAX)}px`
  })
  messages.on('submit', () => node.closest('form')?.requestSubmit())
  const unmount = () => {
    messages.stop()
    frame.remove()
  }
  node.replaceChildren(frame)
  try {
    await Promise.race([messages.next('ready', LOAD_TIMEOUT_MS), rejectIfBlocked(frame)])
  } catch (error) {
    unmount()
    throw error
  }
  const ask = async (type: string, more?: object): Promise<Result> => {
    const answer = messages.next('result', RESULT_TIMEOUT_MS)
    send(type, more)
    return answer.then(
      ({ result }) => result as Result,
      () => ({ status: 'unknown' }),
    )
  }
  return {
    check: async () => (await ask('check')).status === 'valid',
    confirm: async (clientSecret) => readResult(await ask('confirm', { client_secret: clientSecret })),
    update: ({ isDark }) => send('theme', { theme: themeName(isDark) }),
    unmount,
  }
}

const themeName = (isDark: boolean) => (isDark ? 'dark' : 'light')

function readResult({ status, code, url }: Result): Confirmation {
  if (status === 'redirect' && url !== undefined) location.assign(url)
  if (status === 'authorised') return { kind: 'authorised' }
  if (status === 'declined' || status === 'invalid') return { kind: 'declined', code: code ?? 'incorrect_number' }
  return { kind: 'unknown' }
}

function rejectIfBlocked(frame: HTMLIFrameElement): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new Error('the frame of the card form is blocked'))
    frame.addEventListener('load', () => setTimeout(fail, READY_AFTER_LOAD_MS))
  })
}

type Message = Readonly<Record<string, unknown>>

/** Messages of one frame; those of other windows and origins are ignored. */
function listenTo(frame: HTMLIFrameElement, origin: string) {
  const listeners = new Map<string, (message: Message) => void>()
  const receive = (event: MessageEvent<Message>) => {
    if (event.source !== frame.contentWindow || event.origin !== origin) return
    listeners.get(String(event.data?.type).replace(PREFIX, ''))?.(event.data)
  }
  addEventListener('message', receive)
  return {
    on: (type: string, listener: (message: Message) => void) => void listeners.set(type, listener),
    /** Rejects after the time. */
    next(type: string, timeoutMs: number): Promise<Message> {
      const { promise, resolve, reject } = Promise.withResolvers<Message>()
      const timer = setTimeout(() => reject(new Error(`no ${type} from the card form`)), timeoutMs)
      listeners.set(type, resolve)
      return promise.finally(() => clearTimeout(timer))
    },
    stop: () => removeEventListener('message', receive),
  }
}
