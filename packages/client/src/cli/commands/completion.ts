import { type Command, parseCommand } from '../command.ts'
import { EXIT, UsageError } from '../exit-codes.ts'

export function createCompletionCommand(commands: Readonly<Record<string, Command>>): Command {
  return {
    summary: 'print a completion script for bash, zsh or fish',
    usage: `Usage: serai-api completion bash|zsh|fish

  bash: source <(serai-api completion bash)
  zsh:  source <(serai-api completion zsh)
  fish: serai-api completion fish | source`,
    options: [],
    async run(args) {
      const { positionals } = parseCommand(args, {}, { min: 1, max: 1 })
      const write = Object.hasOwn(SHELLS, positionals[0] ?? '') ? SHELLS[positionals[0] ?? ''] : undefined
      if (write === undefined) throw new UsageError(`The shell must be one of ${Object.keys(SHELLS).join(', ')}.`)
      console.log(write(Object.entries(commands)))
      return EXIT.done
    },
  }
}

type Entries = readonly (readonly [name: string, command: Command])[]
const joinOptions = ({ options }: Command) => [...options, '--json', '--help'].join(' ')

const bash = (entries: Entries): string => `_serai_api() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${entries.map(([name]) => name).join(' ')} completion help" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${entries.map(([name, command]) => `    ${name}) COMPREPLY=($(compgen -W "${joinOptions(command)}" -- "$word")) ;;`).join('\n')}
    completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")) ;;
  esac
}
complete -F _serai_api serai-api`

const zsh = (entries: Entries): string => `autoload -Uz +X bashcompinit && bashcompinit\n${bash(entries)}`

const fish = (entries: Entries): string =>
  [
    'complete -c serai-api -f',
    ...entries.map(
      ([name, { summary }]) => `complete -c serai-api -n __fish_use_subcommand -a ${name} -d "${summary}"`,
    ),
    'complete -c serai-api -n __fish_use_subcommand -a completion -d "print a completion script"',
    ...entries.flatMap(([name, command]) =>
      joinOptions(command)
        .split(' ')
        .map((option) => `complete -c serai-api -n "__fish_seen_subcommand_from ${name}" -l ${option.slice(2)}`),
    ),
    'complete -c serai-api -n "__fish_seen_subcommand_from completion" -a "bash zsh fish"',
  ].join('\n')

const SHELLS: Readonly<Record<string, (entries: Entries) => string>> = { bash, zsh, fish }
