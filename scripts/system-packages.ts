import { spawnSync } from 'node:child_process'

/** Programs that come from no npm package: their names, and the Debian package that has one of them. */
const PROGRAMS = [
  {
    // The headless build first: the same tests take a third less time with it.
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    package: 'chromium-headless-shell',
    for: 'the browser tests',
  },
  { names: ['redis-server', 'valkey-server'], package: 'redis-server', for: 'the tests with Redis' },
  { names: ['strace'], package: 'strace', for: 'the durability test' },
] as const

/** Installs what is missing where that is possible; where it is not, the tests that need it say so themselves. */
export function ensureSystemPackages(): void {
  const missing = PROGRAMS.filter(({ names }) => find(...names) === undefined)
  if (missing.length === 0) return
  const names = missing.map((one) => one.package)
  const isRoot = process.getuid?.() === 0
  if (find('apt-get') === undefined || !(isRoot || maySudo())) {
    say(`Missing: ${names.join(', ')}. Install them for ${missing.map((one) => one.for).join(', ')}.`)
    return
  }
  say(`Installing ${names.join(', ')} from Debian's packages …`)
  const run = (...argv: string[]) => {
    const [program = '', ...args] = [...(isRoot ? [] : ['sudo', '-n']), ...argv]
    return (
      spawnSync(program, args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      }).status === 0
    )
  }
  const done =
    run('apt-get', 'update', '-qq') && run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names)
  if (!done) say(`Could not install ${names.join(', ')}; the tests that need them will say so.`)
}

/** Where the first of these programs is on the path. */
export function find(...programs: string[]): string | undefined {
  for (const program of programs) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' })
    if (status === 0) return stdout.trim()
  }
  return undefined
}

/** The browser of the browser tests. */
export const findChromium = (): string | undefined => process.env.CHROMIUM_PATH ?? find(...PROGRAMS[0].names)

const maySudo = (): boolean => spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0

function say(words: string): void {
  console.log(words)
}
