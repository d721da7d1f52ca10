/** Parameters of a request, nested as the brackets say; a list has the keys `0`, `1` … */
export type Form = { readonly [name: string]: string | Form }

const BRACKETS = /^([^[\]]+)((?:\[[^[\]]*\])*)$/

/** Reads `a=1&b[c]=2&d[0]=x`. Undefined if a name is malformed or used as both text and group. */
export function readForm(text: string): Form | undefined {
  const form: Record<string, string | Form> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const match = BRACKETS.exec(name)
    if (match === null) return undefined
    const path = [match[1] ?? '', ...[...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map(([, key]) => key ?? '')]
    if (path.some((key) => key === '__proto__') || !setAt(form, path, value)) return undefined
  }
  return form
}

function setAt(form: Record<string, string | Form>, [first = '', ...rest]: readonly string[], value: string): boolean {
  // `d[]=x` appends.
  const key = first === '' ? String(Object.keys(form).length) : first
  if (rest.length === 0) {
    if (key in form) return false
    form[key] = value
    return true
  }
  const inner = form[key] ?? {}
  if (typeof inner === 'string') return false
  form[key] = inner
  return setAt(inner as Record<string, string | Form>, rest, value)
}

export const textOf = (form: Form, name: string): string | undefined => {
  const value = form[name]
  return typeof value === 'string' ? value : undefined
}

export const groupOf = (form: Form, name: string): Form => {
  const value = form[name]
  return typeof value === 'object' ? value : {}
}

export const textsOf = (form: Form, name: string): readonly string[] =>
  Object.values(groupOf(form, name)).filter((value) => typeof value === 'string')
