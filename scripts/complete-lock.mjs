// A lock file written with a registry that lacks other platforms' native packages omits them, and `npm ci` then rejects
// it. This adds the missing ones by name and version, marked for their platform, so that `npm ci` skips them here and
// installs them there. Run it after every `npm install` that changes the lock file.
import { readFileSync, writeFileSync } from 'node:fs'

if (process.argv.length > 2) {
  console.log('Usage: node scripts/complete-lock.mjs\n\nCompletes package-lock.json; run it after npm install.')
  process.exit(['--help', '-h'].includes(process.argv[2]) ? 0 : 2)
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const OS = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'win32',
  windows: 'win32',
  android: 'android',
  freebsd: 'freebsd',
  openbsd: 'openbsd',
  netbsd: 'netbsd',
  sunos: 'sunos',
  openharmony: 'openharmony',
  aix: 'aix',
}
const CPU = {
  x64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  s390x: 's390x',
  riscv64: 'riscv64',
  wasm32: 'wasm32',
  loong64: 'loong64',
  mips64el: 'mips64el',
}

const added = []
for (const [path, pack] of Object.entries({ ...lock.packages })) {
  for (const [name, version] of Object.entries(pack.optionalDependencies ?? {})) {
    const nested = `${path}/node_modules/${name}`
    const hoisted = `node_modules/${name}`
    if (lock.packages[nested] !== undefined || lock.packages[hoisted] !== undefined) continue
    const parts = name.split(/[/-]/)
    const os = parts.map((part) => OS[part]).find(Boolean)
    const cpu = parts.map((part) => CPU[part]).find(Boolean)
    // A package that matches no platform is never fetched, such as a WebAssembly fallback.
    lock.packages[hoisted] = {
      version: version.replace(/^[^\d]*/, ''),
      optional: true,
      os: [os ?? 'none'],
      cpu: [cpu ?? 'none'],
      ...(parts.includes('musl') ? { libc: ['musl'] } : {}),
      ...(pack.dev ? { dev: true } : {}),
    }
    added.push(name)
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
console.log(added.length === 0 ? 'The lock file was complete.' : `Added ${added.length}: ${added.join(', ')}`)
