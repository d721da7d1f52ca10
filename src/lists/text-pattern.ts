import type { TextTest } from './filter-test.ts'

/** Upper and lower case forms of one character, written out in each pattern so that results do not depend on the locale. */
function caseForms(character: string): string[] {
  const forms = [character, character.toLowerCase(), character.toUpperCase()]
  return [...new Set(forms.filter((form) => [...form].length === 1))]
}

type Syntax = {
  readonly escapeOne: (character: string) => string
  readonly any: string
  readonly ends: [string, string]
}

/** Only letters have several forms, so a bracket never contains a special character. */
function writePattern(term: string, { where, ignoreCase }: TextTest, { escapeOne, any, ends }: Syntax): string {
  const body = Array.from(term, (character) => {
    const forms = ignoreCase ? caseForms(character) : [character]
    return forms.length > 1 ? `[${forms.join('')}]` : escapeOne(character)
  }).join('')
  return `${where === 'start' ? ends[0] : any}${body}${where === 'end' ? ends[1] : any}`
}

const REGEXP_SPECIAL = /[\\^$.*+?()[\]{}|/]/
const escapeForRegExp = (character: string) => (REGEXP_SPECIAL.test(character) ? `\\${character}` : character)

const JAVASCRIPT: Syntax = { escapeOne: escapeForRegExp, any: '', ends: ['^', '$'] }
const GLOB_SPECIAL = /[*?[]/
const GLOB: Syntax = {
  escapeOne: (character) => (GLOB_SPECIAL.test(character) ? `[${character}]` : character),
  any: '*',
  ends: ['', ''],
}
const POSTGRES: Syntax = {
  // A backslash escapes a punctuation character, but gives a letter or digit a meaning.
  escapeOne: (character) => (/[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character),
  any: '',
  ends: ['^', '$'],
}

export const toRegExp = (term: string, test: TextTest): RegExp => new RegExp(writePattern(term, test, JAVASCRIPT), 'u')
/** For SQLite's `GLOB`, which is case-sensitive and supports brackets. */
export const toGlob = (term: string, test: TextTest): string => writePattern(term, test, GLOB)
/** For PostgreSQL's `~`. */
export const toPostgresPattern = (term: string, test: TextTest): string => writePattern(term, test, POSTGRES)
