import type { World } from './contract.ts'

/** A world that is built when it is first looked at: its servers can be found before the last town is in place. */
export function createLateWorld(build: () => World): World {
  let built: World | undefined
  const world = (): World => {
    built ??= build()
    return built
  }
  return {
    near: (...at) => world().near(...at),
    property: (key) => world().property(key),
    view: (...of) => world().view(...of),
    byVendorId: (...id) => world().byVendorId(...id),
    walk: (...from) => world().walk(...from),
    sizeOf: (vendor) => world().sizeOf(vendor),
    rates: (...of) => world().rates(...of),
  }
}
