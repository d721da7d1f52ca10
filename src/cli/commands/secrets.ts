import { resealAll } from '../../store/secret-checks.ts'
import { type Command, print } from '../command.ts'
import { readVerb } from '../read-verb.ts'
import { withAccounts } from '../with-accounts.ts'

const USAGE = `serai secrets reseal
            encrypts everything in the database with the first of SERAI_SECRETS, in batches; the service may be running.
            Restart every process with that secret first. Afterwards the other secrets can be removed.`

export const secretsCommand: Command = { usage: USAGE, run: runSecrets }

async function runSecrets(args: string[]): Promise<number> {
  readVerb(args, { reseal: '' }, {})
  return withAccounts(({ config, database, audited }) =>
    audited('secrets.reseal', config.secrets[0]?.id ?? '', async () => {
      const { values, unreadable, retired } = await resealAll(database, config.secrets)
      print(`${values} values encrypted again.`, 0)
      if (unreadable > 0)
        return print(`${unreadable} values could not be opened with any secret. Keep the old secrets.`, 1)
      return print(retired.length === 0 ? 'No other secret is in use.' : `No longer needed: ${retired.join(', ')}.`, 0)
    }),
  )
}
