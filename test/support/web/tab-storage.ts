/** Session storage of a tab, limited to `maxLength` characters. Its keys are own properties, as in a browser. */
export function createTabStorage(maxLength = Number.POSITIVE_INFINITY): Storage {
  const texts = new Map<string, string>()
  const methods = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem(key: string, text: string): void {
      const others = [...texts].filter(([other]) => other !== key)
      const size = others.reduce((sum, [, each]) => sum + each.length, text.length)
      if (size > maxLength) throw new DOMException('full', 'QuotaExceededError')
      texts.set(key, text)
    },
    removeItem: (key: string) => void texts.delete(key),
  }
  return new Proxy(methods as Storage, {
    ownKeys: () => [...texts.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })
}
