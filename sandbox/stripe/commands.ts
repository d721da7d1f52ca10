import type { StandInAnswer } from '../server/answer-under-faults.ts'
import { addFaults, changeSettings, jsonAnswer } from '../server/control.ts'
import type { FaultPlan } from '../server/fault-plan.ts'
import { numberIn, objectIn, textIn } from '../server/read-json.ts'
import type { ApiRequest } from './api.ts'
import { closeDispute, closeReview, finishRefund, lapse, openDispute } from './changes.ts'
import { confirmIntent, finishAuthentication } from './confirm.ts'
import { postSigned, type WebhookTarget } from './events.ts'
import type { Form } from './form-body.ts'
import type { createIdempotencyKeys } from './idempotency.ts'
import { cancelIntent, captureIntent } from './intents.ts'
import type { ApiCall, Parts } from './parts.ts'
import { createRefund } from './refunds.ts'
import { Refusal } from './refusal.ts'
import type { KeptIntent } from './state.ts'

type Deps = {
  readonly parts: Parts
  readonly faults: FaultPlan
  readonly keys: ReturnType<typeof createIdempotencyKeys>
}

/** Changes by Stripe, the bank or a person at the dashboard. */
const INTENT_CHANGES = [
  'lapse',
  'finish_refund',
  'dispute',
  'win_dispute',
  'lose_dispute',
  'approve_review',
  'capture_by_hand',
  'cancel_by_hand',
  'refund_by_hand',
] as const
export type IntentChange = (typeof INTENT_CHANGES)[number]

export type Commands = ReturnType<typeof createCommands>

/** Control requests, by method and path below `/_sandbox/`. */
export function createCommands({ parts, faults, keys }: Deps) {
  const { state, events, settings, clock } = parts
  let target: WebhookTarget | undefined

  async function answer(method: string, path: string, body: unknown): Promise<StandInAnswer> {
    switch (`${method} ${path}`) {
      case 'GET faults':
        return jsonAnswer(200, faults.list())
      case 'POST faults':
        return addFaults(body, faults)
      case 'DELETE faults':
        faults.clear()
        return DONE
      case 'GET settings':
        return jsonAnswer(200, settings)
      case 'PUT settings':
        return changeSettings(body, settings)
      case 'GET ledger':
        return jsonAnswer(200, state.ledger())
      case 'GET intents':
        return jsonAnswer(200, state.all())
      case 'POST confirm':
        return confirm(body)
      case 'POST authenticate': {
        const { intent, secret } = readIntent(body)
        return jsonAnswer(200, finishAuthentication(parts, intent, secret, objectIn(body).isCompleted === true))
      }
      case 'POST change':
        return change(body)
      case 'PUT webhook':
        target = readTarget(body)
        events.setTarget(target)
        return target === undefined ? jsonAnswer(400, { error: 'needs "url" and "secrets"' }) : DONE
      case 'GET events':
        return jsonAnswer(200, { all: events.all(), held: events.held() })
      case 'POST release':
        return (await events.release(readTexts(body, 'ids'))) ? DONE : jsonAnswer(404, { error: 'no such event' })
      case 'POST forge':
        return forge(body)
      case 'POST settled':
        await events.settled()
        return DONE
      case 'POST forget_keys':
        keys.forgetAll()
        return DONE
      default:
        return jsonAnswer(404, { error: 'unknown control path' })
    }
  }

  const readIntent = (body: unknown) => {
    const intent = textIn(body, 'intent')
    return { intent, secret: state.find(intent)?.secret ?? '' }
  }
  const callOf = (id: string, form: Form): ApiCall => ({ id, form, faults: [], key: undefined, isPublic: false })

  /** The guest's card, without a browser. Answers the intent or the error, as the form would get it. */
  function confirm(body: unknown): StandInAnswer {
    const { number, month, year, cvc } = objectIn(body)
    const card = {
      number: String(number),
      exp_month: String(month ?? 12),
      exp_year: String(year ?? 2039),
      cvc: String(cvc ?? 123),
    }
    try {
      const id = textIn(body, 'intent')
      return jsonAnswer(200, confirmIntent(parts, callOf(id, { payment_method_data: { card } })))
    } catch (error) {
      if (error instanceof Refusal) return jsonAnswer(200, error.reply.body)
      throw error
    }
  }

  function change(body: unknown): StandInAnswer {
    const kept = state.find(textIn(body, 'intent'))
    const wanted = INTENT_CHANGES.find((each) => each === textIn(body, 'change'))
    if (kept === undefined || wanted === undefined)
      return jsonAnswer(400, { error: `needs "intent" and a "change" of: ${INTENT_CHANGES.join(', ')}` })
    try {
      return applyChange(kept, wanted, body)
        ? DONE
        : jsonAnswer(409, { error: `a ${kept.status} payment cannot ${wanted}` })
    } catch (error) {
      if (error instanceof Refusal) return jsonAnswer(409, error.reply.body)
      throw error
    }
  }

  function applyChange(kept: KeptIntent, wanted: IntentChange, body: unknown): boolean {
    const amount = numberIn(body, 'amount')
    switch (wanted) {
      case 'lapse':
        if (kept.status !== 'requires_capture') return false
        lapse(parts, kept)
        return true
      case 'finish_refund': {
        const refund = kept.refunds[0]
        if (refund !== undefined) finishRefund(parts, kept.id, refund)
        return refund !== undefined
      }
      case 'dispute':
        return openDispute(parts, kept, kept.card?.dispute ?? 'fraudulent')
      case 'win_dispute':
      case 'lose_dispute':
        return closeDispute(parts, kept, wanted === 'win_dispute' ? 'won' : 'lost')
      case 'approve_review':
        return closeReview(parts, kept)
      case 'capture_by_hand':
        captureIntent(parts, callOf(kept.id, amount === undefined ? {} : { amount_to_capture: String(amount) }))
        return true
      case 'cancel_by_hand':
        cancelIntent(parts, callOf(kept.id, {}))
        return true
      case 'refund_by_hand':
        createRefund(
          parts,
          callOf('', { payment_intent: kept.id, ...(amount !== undefined && { amount: String(amount) }) }),
        )
        return true
    }
  }

  /** Sends any event, with a wrong signature by default. */
  async function forge(body: unknown): Promise<StandInAnswer> {
    if (target === undefined) return jsonAnswer(409, { error: 'no webhook is set' })
    const { event, signature, isSigned } = objectIn(body)
    const wrong = `t=${Math.floor(clock.now() / 1_000)},v1=${'0'.repeat(64)}`
    const header = typeof signature === 'string' ? signature : isSigned === true ? undefined : wrong
    return jsonAnswer(200, { isAccepted: await postSigned(target, JSON.stringify(event), clock.now(), header) })
  }

  return {
    answer,
    /** As a control request of this process: rejects unless it was accepted. */
    async run(method: string, path: string, body?: unknown): Promise<unknown> {
      const { status, body: text } = await answer(method, path, structuredClone(body))
      if (status >= 400) throw new Error(`the sandbox answered ${status}: ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}

const DONE: StandInAnswer = { status: 204, body: '' }

function readTarget(body: unknown): WebhookTarget | undefined {
  const url = textIn(body, 'url')
  const secrets = readTexts(body, 'secrets')
  return URL.canParse(url) && secrets.length > 0 ? { url, secrets } : undefined
}

function readTexts(body: unknown, name: string): string[] {
  const found = objectIn(body)[name]
  return Array.isArray(found) ? found.filter((text) => typeof text === 'string') : []
}

export function answerStripeControl(commands: Commands, { method, url, text }: ApiRequest): Promise<StandInAnswer> {
  return commands.answer(method, url.pathname.slice('/_sandbox/'.length), parse(text))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
