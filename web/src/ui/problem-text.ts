import { ApiProblem } from '../api/problem.ts'
import type { MessageKey } from '../i18n/en.ts'

/** Only a failure of the service, the vendors or the network has gone wrong. */
export function titleProblem(error: unknown): MessageKey {
  if (!(error instanceof ApiProblem) || error.body.effect === 'unknown') return 'problem_title'
  const { status } = error
  if (status === 429) return 'problem_title_wait'
  if (status === 404 || status === 410) return 'problem_title_unknown'
  return status >= 400 && status < 500 && status !== 408 ? 'problem_title_refused' : 'problem_title'
}

/** Messages by field and code of the refusal. */
const FIELD_MESSAGES: Readonly<Record<string, MessageKey>> = {
  'check_in check_in_in_the_past': 'dates_past',
  'check_in check_in_too_far': 'dates_far',
  'area out_of_range': 'area_size',
  'area.east not_east_of_west': 'area_size',
}

type Texts = {
  readonly language: string
  t(key: MessageKey, values?: Readonly<Record<string, string | number>>): string
  has(key: string): key is MessageKey
}

export function formatProblem(error: unknown, i18n: Texts): string {
  const { t, has, language } = i18n
  if (!(error instanceof ApiProblem)) return t('problem_other')
  const { status, code, fields, body } = error
  if (body.effect === 'unknown' && code !== 'request_in_progress') return t('problem_effect_unknown')
  if (status === 429 && error.retryAfterMs > 60_000)
    return t('problem_rate_limited_long', { n: Math.ceil(error.retryAfterMs / 60_000) })
  if (status === 429 && error.retryAfterMs > 0)
    return t('problem_rate_limited_seconds', { n: Math.ceil(error.retryAfterMs / 1_000) })
  const key = `problem_${code}`
  if (has(key)) return t(key)
  if (status === 408) return t('problem_unreachable')
  if (status === 429) return t('problem_rate_limited')
  if (status === 502 || status === 504) return t('problem_vendors_failed')
  const [first] = fields
  const known = first && FIELD_MESSAGES[`${first.field} ${first.code}`]
  if (known !== undefined) return t(known)
  if (status >= 500) return t('problem_other')
  // The service writes only English, and a proxy's text cannot be shown.
  if (language === 'en' && code !== 'unknown') return first?.message ?? error.message
  return t(status === 401 || status === 403 ? 'problem_not_permitted' : 'problem_refused')
}
