import { type ComponentType, lazy, useState } from 'react'

type Module<P> = { readonly default: ComponentType<P> }

/**
 * A component whose code is loaded when it is first shown, or earlier by `preload`. One that is loaded already is shown at once:
 * after React has shown a fallback, it holds the component itself back for 300 ms.
 */
export function loadable<P extends object>(load: () => Promise<Module<P>>) {
  let loaded: ComponentType<P> | undefined
  const preload = async (): Promise<Module<P>> => {
    const module = await load()
    loaded = module.default
    return module
  }
  const Later = lazy(preload)
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, like those of `lazy`
  function Loadable(props: P) {
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Later)
    return <Shown {...props} />
  }
  return Object.assign(Loadable, { preload })
}
