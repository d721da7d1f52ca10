import { type ComponentType, lazy, useState } from 'react'

type Module<P> = { readonly default: ComponentType<P> }

/** Like `lazy`, with `preload`. A loaded component skips `lazy`, which delays it by 300 ms after a fallback. */
export function loadable<P extends object>(load: () => Promise<Module<P>>) {
  let loaded: ComponentType<P> | undefined
  const preload = async (): Promise<Module<P>> => {
    const module = await load()
    loaded = module.default
    return module
  }
  const Later = lazy(preload)
  // biome-ignore lint/correctness/noComponentHookFactories: created once per module, like `lazy`
  function Loadable(props: P) {
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Later)
    return <Shown {...props} />
  }
  return Object.assign(Loadable, { preload })
}
