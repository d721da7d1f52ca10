import type { World } from './contract.ts'

/** A world that is built when it is first used, so that the stand-ins listen before the world is ready. */
export function createLazyWorld(build: () => World): World {
  let built: World | undefined
  const world = (): World => {
    built ??= build()
    return built
  }
  return {
    near: (...at) => world().near(...at),
    property: (key) => world().property(key),
    walk: (...from) => world().walk(...from),
    keysIn: (countryCode) => world().keysIn(countryCode),
    size: () => world().size(),
    rates: (...of) => world().rates(...of),
  }
}
