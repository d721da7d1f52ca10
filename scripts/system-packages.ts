import { spawnSync } from 'node:child_process'

/** Programs that come from no npm package, and the Debian package that has each. */
const PROGRAMS = [
  { program: 'chromium', package: 'chromium', for: 'the browser tests' },
  { program: 'redis-server', package: 'redis-server', for: 'the tests with Redis' },
  { program: 'strace', package: 'strace', for: 'the durability test' },
] as const

/** Installs what is missing where that is possible; where it is not, the tests that need it say so themselves. */
export function ensureSystemPackages(): void {
  const missing = PROGRAMS.filter(({ program }) => !has(program))
  if (missing.length === 0) return
  const names = missing.map((one) => one.package)
  if (!has('apt-get')) {
    say(`Missing: ${names.join(', ')}. Install them for ${missing.map((one) => one.for).join(', ')}.`)
    return
  }
  say(`Installing ${names.join(', ')} from Debian's packages …`)
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const run = (...argv: string[]) => {
    const [program = '', ...args] = [...sudo, ...argv]
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

export function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0
}

function say(words: string): void {
  console.log(words)
}
