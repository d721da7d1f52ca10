// Runs every npm script. Plain JavaScript without dependencies, because it runs before anything is installed, on the
// machine's own Node. It installs Node 26 and the packages if they are missing, then starts the script.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs, {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const NODE_WANTED = '26.10.0'
const NODE_MAJOR = 26
/** Measured size on disk. */
const NODE_MB = 220
const PACKAGES_MB = { running: 280, all: 560 }

const USAGE = `Usage: node scripts/run.mjs COMMAND [arguments]

  start      the service with a demo account (npm start)
  serai …    the command line (npm run serai -- …)
  test …     the tests (npm test -- --help)
  web        builds the page
  FILE …     runs a file with Node 26 and the installed packages`

/**
 * Limits the young generation, which otherwise grows to several times this size on a large machine without any
 * speed-up.
 */
const MEMORY = '--max-semi-space-size=16'

const PROGRAMS = {
  start: [MEMORY, 'src/cli/serai.ts', 'dev'],
  serai: [MEMORY, 'src/cli/serai.ts'],
  test: ['scripts/test.ts'],
}

/** These run without the packages of tests and development tools. */
const RUNNING = ['start', 'serai', 'web']

const [verb = 'start', ...args] = process.argv.slice(2)
process.chdir(ROOT)
const isHelp = (text) => text === '--help' || text === '-h'
if (isHelp(verb) || !(verb === 'web' || Object.hasOwn(PROGRAMS, verb) || existsSync(verb))) {
  console.log(isHelp(verb) ? USAGE : `Unknown command: ${verb}\n\n${USAGE}`)
  process.exit(isHelp(verb) ? 0 : 2)
}
try {
  const node = ensureNode()
  ensurePackages(node)
  const isFastTest = verb === 'test' && args[0] === 'fast'
  const needsPage = (verb === 'start' || verb === 'test') && !isFastTest && !args.some(isHelp)
  if (needsPage || verb === 'web') ensurePage(node)
  if (verb !== 'web') runProgram(node, PROGRAMS[verb] ?? [verb], args)
} catch (error) {
  // System errors have a code; our own messages do not.
  console.error(`\n${error.code === undefined ? error.message : `${explain(String(error))}\n\n${error}`}\n`)
  process.exit(1)
}

function ensureNode() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath
  const platform = { linux: 'linux', darwin: 'darwin', win32: 'win' }[process.platform]
  const pack = `node-${platform}-${process.arch}`
  const folder = join(ROOT, '.runtime')
  const binary = join(folder, 'node_modules', pack, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  // Written last, so that an interrupted installation is repeated.
  const stamp = join(folder, '.serai-node')
  if (readFileOr(stamp, '') === NODE_WANTED && existsSync(binary)) return binary
  if (platform === undefined || !['x64', 'arm64'].includes(process.arch)) {
    throw new Error(`Serai needs Node ${NODE_MAJOR} or newer; this is ${process.version}. Please install it.`)
  }
  console.log(`This machine has Node ${process.versions.node}; installing Node ${NODE_MAJOR} into .runtime (once) …`)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  npm(
    [
      'install',
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      `${pack}@${NODE_WANTED}`,
    ],
    folder,
    NODE_MB,
  )
  // npm reports success even if the disk is full.
  if (spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout?.trim() !== `v${NODE_WANTED}`) {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
    throw new Error(`Node ${NODE_MAJOR} was installed but does not run here. Please install it yourself and try again.`)
  }
  writeFileSync(stamp, NODE_WANTED)
  return binary
}

/**
 * Runs `npm ci` if the lock file has changed since the last installation, or if the command needs packages that were
 * omitted.
 */
function ensurePackages(node) {
  const stamp = join(ROOT, 'node_modules', '.serai-installed')
  const wanted = digest([join(ROOT, 'package-lock.json'), join(ROOT, 'package.json')])
  const installed = readFileOr(stamp, '')
  const isAll = !RUNNING.includes(verb) || installed.endsWith(' all')
  if (installed === (isAll ? `${wanted} all` : wanted)) return
  // Installed manually as in docs/deploying.md: a service may be using them, and the command line needs no others.
  const byHand = !existsSync(stamp) && existsSync(join(ROOT, 'node_modules', '.package-lock.json'))
  if (verb === 'serai' && byHand) return
  console.log(`Installing packages${isAll ? ' for development' : ''} (once) …`)
  const megabytes = PACKAGES_MB[isAll ? 'all' : 'running']
  const flags = [
    isAll ? '--include=dev' : '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
  ]
  try {
    npm(['ci', ...flags], ROOT, megabytes, node)
  } catch (error) {
    // The lock file may lack native packages of other platforms.
    if (process.platform === 'linux') throw error
    npm(['install', '--no-save', ...flags], ROOT, megabytes, node)
  }
  writeFileSync(stamp, isAll ? `${wanted} all` : wanted)
}

/** Builds the page if its sources have changed. */
function ensurePage(node) {
  const source = join(ROOT, 'web')
  if (!existsSync(join(source, 'vite.config.ts'))) return
  const files = [
    ...listFiles(join(source, 'src')),
    // Configuration and plugins of the build.
    ...readdirSync(source)
      .filter((name) => /\.(ts|html)$/.test(name))
      .map((name) => join(source, name)),
    join(ROOT, 'package-lock.json'),
  ]
  const client = listFiles(join(ROOT, 'packages', 'client', 'src'))
  const stamp = join(source, 'dist', '.serai-built')
  const wanted = digest([...files, ...client])
  if (readFileOr(stamp, '') === wanted) return
  console.log('Building the page …')
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const built = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: source,
    stdio: 'inherit',
    env: environment(node),
  })
  if (built.status !== 0) throw new Error('The page could not be built; see above.')
  writeFileSync(stamp, wanted)
}

function runProgram(node, program, rest) {
  const child = spawn(node, [...program, ...rest], { cwd: ROOT, stdio: 'inherit', env: environment(node) })
  // The terminal sends Ctrl-C to the child too; waiting lets it finish its work.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  // npm ends only its shell, which does not forward the signal: a new parent process is the only sign.
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 300)
  child.on('error', (error) => {
    console.error(`Could not start ${node}: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)))
}

function npm(argv, cwd, neededMb, node) {
  assertWritable(cwd)
  assertSpace(cwd, neededMb)
  // The npm that started us, otherwise the `npm` in PATH.
  const cli = process.env.npm_execpath
  const command = cli?.endsWith('.js') ? [process.execPath, cli] : [process.platform === 'win32' ? 'npm.cmd' : 'npm']
  const [program, ...before] = command
  const done = spawnSync(program, [...before, ...argv], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'inherit', 'pipe'],
    env: node === undefined ? process.env : environment(node),
    shell: process.platform === 'win32' && before.length === 0,
  })
  if (done.status === 0) return
  throw new Error(`${explain(`${done.stderr ?? ''}${done.error ?? ''}`)}\n\n${String(done.stderr ?? '').slice(-2000)}`)
}

function explain(output) {
  if (/ENOSPC|EDQUOT/.test(output)) return diskFullMessage(ROOT)
  if (/spawn(Sync)? \S*npm\S* ENOENT/.test(output)) {
    return 'npm was not found beside Node. Install Node with npm and try again.'
  }
  if (/EACCES|EPERM|EROFS/.test(output)) return notWritableMessage(/ path (\/.+)/.exec(output)?.[1] ?? ROOT)
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network/i.test(output)) {
    return 'The npm registry cannot be reached. Serai needs the network once, to install; check it (and any proxy) and try again.'
  }
  return 'Installing failed.'
}

function assertWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    throw new Error(notWritableMessage(folder))
  }
}

/** npm detects a full disk only after minutes, or not at all. */
function assertSpace(folder, neededMb) {
  const disk = fs.statfsSync?.(folder)
  if (disk !== undefined && disk.bavail * disk.bsize < neededMb * 1e6) throw new Error(diskFullMessage(folder))
}

function diskFullMessage(folder) {
  return `The disk is full: installing into ${folder} needs about ${NODE_MB + PACKAGES_MB.all} MB. Free some space and try again.`
}

function notWritableMessage(path) {
  return `${path} is not writable. Change its owner or clone the repository elsewhere.`
}

/** Puts the right Node first in PATH and enables its compile cache. */
function environment(node) {
  return {
    NODE_COMPILE_CACHE: join(ROOT, '.runtime', 'compiled'),
    // Read by glibc only: fewer memory pools for threads, and large buffers are returned to the system at once.
    // docs/benchmark.md lists the savings of each.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '262144',
    MALLOC_TRIM_THRESHOLD_: '262144',
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  }
}

function digest(files) {
  const hash = createHash('sha256').update(process.platform + process.arch)
  for (const file of files) hash.update(file.slice(ROOT.length)).update(readFileSync(file))
  return hash.digest('hex')
}

function listFiles(folder) {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      return statSync(path).isDirectory() ? listFiles(path) : [path]
    })
}

function readFileOr(file, fallback) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return fallback
  }
}
