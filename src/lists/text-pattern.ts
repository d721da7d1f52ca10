import type { TextTest } from './filter-test.ts'

/**
 * "Ignoring case" means here: a letter also matches its one-character upper and lower case form. The forms are written
 * out in each pattern, so the answer does not depend on what a database or its locale calls the same letter.
 */
function formsOf(character: string): string[] {
  const forms = [character, character.toLowerCase(), character.toUpperCase()]
  return [...new Set(forms.filter((form) => [...form].length === 1))]
}

type Syntax = { readonly one: (character: string) => string; readonly any: string; readonly ends: [string, string] }

/** Only letters have several forms, so a bracket never holds a sign that would mean something inside it. */
function write(term: string, { where, ignoreCase }: TextTest, { one, any, ends }: Syntax): string {
  const body = Array.from(term, (character) => {
    const forms = ignoreCase ? formsOf(character) : [character]
    return forms.length > 1 ? `[${forms.join('')}]` : one(character)
  }).join('')
  return `${where === 'start' ? ends[0] : any}${body}${where === 'end' ? ends[1] : any}`
}

const REGEXP_SIGN = /[\\^$.*+?()[\]{}|/]/
const escapeForRegExp = (character: string) => (REGEXP_SIGN.test(character) ? `\\${character}` : character)

const JAVASCRIPT: Syntax = { one: escapeForRegExp, any: '', ends: ['^', '$'] }
const GLOB_SIGN = /[*?[]/
const GLOB: Syntax = {
  one: (character) => (GLOB_SIGN.test(character) ? `[${character}]` : character),
  any: '*',
  ends: ['', ''],
}
const POSTGRES: Syntax = {
  // Before a sign the backslash takes away its meaning; before a letter or digit it would give one.
  one: (character) => (/[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character),
  any: '',
  ends: ['^', '$'],
}

export const toRegExp = (term: string, test: TextTest): RegExp => new RegExp(write(term, test, JAVASCRIPT), 'u')
/** For SQLite's `GLOB`, which minds case and knows brackets. */
export const toGlob = (term: string, test: TextTest): string => write(term, test, GLOB)
/** For PostgreSQL's `~`. */
export const toPostgresPattern = (term: string, test: TextTest): string => write(term, test, POSTGRES)
