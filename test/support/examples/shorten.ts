/** Long lists whose entries are alike. */
const SHOWN_ONCE = ['availability', 'available_rooms', 'room_types', 'rooms', 'images', 'alternatives', 'data']
const SHOWN_MAX = 3
/** Replaces measured durations. */
const TOOK_MS = 84
const RANDOM: readonly (readonly [RegExp, string])[] = [
  [/^whsec_.*/, 'whsec_ZXhhbXBsZS1leGFtcGxlLWV4YW1wbGUtZXhhbXBsZS0xMjM='],
  [/^(srk_(?:live|test)_)[\w-]{43}$/, '$1ZXhhbXBsZS1leGFtcGxlLWV4YW1wbGUtZXhhbXBsZS0x'],
  [/^(srk_(?:live|test)_…)....$/, '$1S0x1'],
  [/^ses_.*/, 'ses_5f0c1d2e3b4a59687765a4b3'],
  [/(?<=[?&]token=)[^&]+/, 'sof1.k1.Yd0c3t'],
  // The simulator's pictures are data URLs.
  [/^data:image.*/, 'https://img.example.com/1.svg'],
]

/** Cuts long lists and replaces random and measured values; `names` maps known values to placeholders. */
export function shortenExample(value: unknown, names: Readonly<Record<string, string>>, field = ''): unknown {
  if (Array.isArray(value))
    return value.slice(0, SHOWN_ONCE.includes(field) ? 1 : SHOWN_MAX).map((entry) => shortenExample(entry, names))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortenExample(inner, names, key)]))
  if (field === 'took_ms') return TOOK_MS
  return typeof value === 'string' ? (names[value] ?? withoutRandom(value)) : value
}

const withoutRandom = (text: string) => RANDOM.reduce((shown, [pattern, fixed]) => shown.replace(pattern, fixed), text)

/** Keeps one event of each name. */
export function shortenStream(text: string, shown: (value: unknown) => unknown): string {
  const events = text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [])
  const first = new Map(events.toReversed().map(([, name, data]) => [name, data]))
  return [...first]
    .toReversed()
    .map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(shown(JSON.parse(data ?? '')))}\n\n`)
    .join('')
}
