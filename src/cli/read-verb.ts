import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { plain, WrongArgument } from './command.ts'

/** What a command line asks for, read and checked before anything is opened. */
export type Order<Deps> = {
  readonly verb: string
  /** The arguments behind the verb, without the options. */
  readonly words: readonly string[]
  /** Returns the exit code. Results go to standard output, refusals to standard error. */
  work(deps: Deps): Promise<number>
}

/**
 * Reads `VERB WORD… --OPTION…`. `verbs` maps each verb to its words and options, such as `'ID [STATE] --limit'`; a word in brackets
 * is optional. Anything else is refused.
 */
export function readVerb<Verb extends string, Options extends ParseArgsOptionsConfig>(
  args: string[],
  verbs: Readonly<Record<Verb, string>>,
  options: Options,
) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [word, ...words] = positionals
  const known = Object.keys(verbs) as Verb[]
  const verb = known.find((one) => one === word)
  if (verb === undefined) {
    const why = word === undefined ? 'Name one of these' : `${plain(word)} is none of these`
    throw new WrongArgument(`${why}: ${known.join(', ')}.`)
  }
  const taken = verbs[verb].split(' ').filter((name) => name !== '')
  const names = taken.filter((name) => !name.startsWith('--'))
  const unused = Object.keys(values).find((name) => !taken.includes(`--${name}`))
  if (unused !== undefined) throw new WrongArgument(`${verb} has no option --${unused}.`)
  const surplus = words[names.length]
  if (surplus !== undefined) throw new WrongArgument(`One argument too many: ${plain(surplus)}`)
  const missing = names.find((name, at) => words[at] === '' || (words[at] === undefined && !name.startsWith('[')))
  if (missing !== undefined) throw new WrongArgument(`${verb} needs ${missing.replace(/^\[|\]$/g, '')}.`)
  return { verb, words, values }
}
