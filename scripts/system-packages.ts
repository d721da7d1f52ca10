import { spawnSync } from 'node:child_process'

/** Programs that are not in an npm package: their names, and the Debian package of one of them. */
const PROGRAMS = [
  {
    // The headless build first: the same tests take a third less time with it.
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    package: 'chromium-headless-shell',
    for: 'the browser tests',
  },
  { names: ['redis-server', 'valkey-server'], package: 'redis-server', for: 'the tests with Redis' },
  { names: ['promtool'], package: 'prometheus', for: 'the tests of alert rules and dashboards' },
  { names: ['pgbouncer', '/usr/sbin/pgbouncer'], package: 'pgbouncer', for: 'the failover test' },
  { names: ['haproxy', '/usr/sbin/haproxy'], package: 'haproxy', for: 'the tests of the balancer' },
  { names: ['systemd-analyze'], package: 'systemd', for: 'the test of the systemd unit' },
  { names: ['strace'], package: 'strace', for: 'the durability test' },
] as const

/** Installs missing programs if possible; otherwise the tests that need them report it. */
export function ensureSystemPackages(): void {
  const missing = PROGRAMS.filter(({ names }) => findProgram(...names) === undefined)
  if (missing.length === 0) return
  const names = missing.map((program) => program.package)
  const isRoot = process.getuid?.() === 0
  if (findProgram('apt-get') === undefined || !(isRoot || maySudo())) {
    print(`Missing: ${names.join(', ')}. Install them for ${missing.map((program) => program.for).join(', ')}.`)
    return
  }
  print(`Installing ${names.join(', ')} from Debian's packages …`)
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
  // These packages start a server, and only their programs are needed.
  for (const service of names.filter((name) => name === 'prometheus' || name === 'haproxy')) {
    run('service', service, 'stop')
    run('update-rc.d', service, 'disable')
  }
  if (!done) print(`Could not install ${names.join(', ')}; the tests that need them will report it.`)
}

/** Path of the first of these programs in PATH. */
export function findProgram(...programs: string[]): string | undefined {
  for (const program of programs) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' })
    if (status === 0) return stdout.trim()
  }
  return undefined
}

/** Browser for the browser tests. */
export const findChromium = (): string | undefined => process.env.CHROMIUM_PATH ?? findProgram(...PROGRAMS[0].names)

const maySudo = (): boolean => spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0

function print(words: string): void {
  console.log(words)
}
