import type { FastifySchemaValidationError } from 'fastify'
import type { FieldError } from '../domain/app-error.ts'

/** Schema complaints in our words: which field, what it wants. */
export function fieldErrorsOf(complaints: readonly FastifySchemaValidationError[], context: string): FieldError[] {
  const errors = complaints.map((complaint) => fieldErrorOf(complaint, context))
  const seen = new Set<string>()
  return errors.filter(({ field, code }) => {
    const key = `${field} ${code}`
    return seen.has(key) ? false : seen.add(key)
  })
}

function fieldErrorOf(complaint: FastifySchemaValidationError, context: string): FieldError {
  const { keyword, instancePath } = complaint
  const params = complaint.params as Record<string, unknown>
  const at = fieldOf(instancePath, context)
  if (keyword === 'required') {
    const missing = String(params.missingProperty ?? (params.requiredProperties as string[] | undefined)?.[0] ?? '')
    const field = at === context ? missing : `${at}.${missing}`
    return { field, code: 'required', message: `${field} is missing.` }
  }
  if (keyword === 'enum' || keyword === 'const') {
    const allowed = [params.allowedValues ?? params.allowedValue].flat()
    return { field: at, code: 'not_allowed', message: `${at} must be one of ${allowed.join(', ')}.` }
  }
  return { field: at, code: CODES[keyword] ?? 'invalid', message: `${at} ${complaint.message ?? 'is not valid'}.` }
}

const CODES: Record<string, string> = {
  type: 'wrong_type',
  format: 'wrong_format',
  pattern: 'wrong_format',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_few',
  maxItems: 'too_many',
  minimum: 'too_small',
  maximum: 'too_large',
}

/** `/user/email` → `user.email`, `/occupancies/0/adults` → `occupancies[0].adults`. */
function fieldOf(pointer: string, context: string): string {
  if (pointer === '') return context
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '')
}
