import type { World } from './contract.ts'

/** World that is built on first use, so that the stand-ins listen before the world is ready. */
export function createLazyWorld(build: () => World): World {
  let built: World | undefined
  const world = (): World => {
    built ??= build()
    return built
  }
  return {
    near: (...args) => world().near(...args),
    property: (key) => world().property(key),
    walk: (...args) => world().walk(...args),
    keysIn: (countryCode) => world().keysIn(countryCode),
    size: () => world().size(),
    rates: (...args) => world().rates(...args),
  }
}
