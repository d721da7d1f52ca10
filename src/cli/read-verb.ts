import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { sanitize, WrongArgument } from './command.ts'

/** Parsed command line, validated before anything is opened. */
export type ParsedCommand<Deps> = {
  readonly verb: string
  /** Positional arguments after the verb. */
  readonly words: readonly string[]
  /** Returns the exit code. Results go to standard output, errors to standard error. */
  work(deps: Deps): Promise<number>
}

/**
 * Parses `VERB WORD… --OPTION…`. `verbs` maps each verb to its words and options, such as `'ID [STATE] --limit'`; a word in
 * brackets is optional.
 */
export function readVerb<Verb extends string, Options extends ParseArgsOptionsConfig>(
  args: string[],
  verbs: Readonly<Record<Verb, string>>,
  options: Options,
) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [word, ...words] = positionals
  const known = Object.keys(verbs) as Verb[]
  const verb = known.find((name) => name === word)
  if (verb === undefined) {
    const problem = word === undefined ? 'A subcommand is missing' : `Unknown subcommand ${sanitize(word)}`
    throw new WrongArgument(`${problem}. Use one of: ${known.join(', ')}.`)
  }
  const accepted = verbs[verb].split(' ').filter((name) => name !== '')
  const names = accepted.filter((name) => !name.startsWith('--'))
  const unused = Object.keys(values).find((name) => !accepted.includes(`--${name}`))
  if (unused !== undefined) throw new WrongArgument(`${verb} has no option --${unused}.`)
  const surplus = words[names.length]
  if (surplus !== undefined) throw new WrongArgument(`Unexpected argument: ${sanitize(surplus)}`)
  const missing = names.find((name, i) => words[i] === '' || (words[i] === undefined && !name.startsWith('[')))
  if (missing !== undefined) throw new WrongArgument(`${verb} needs ${missing.replace(/^\[|\]$/g, '')}.`)
  return { verb, words, values }
}
