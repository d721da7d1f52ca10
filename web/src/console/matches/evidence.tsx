type Fact = { readonly fact: string; readonly weight: number }

export const formatPercent = (score: number): string => `${(score * 100).toFixed(1)} %`

const formatWeight = (weight: number): string => `${weight < 0 ? '−' : '+'}${Math.abs(weight).toFixed(2)}`

/** Evidence for and against a match, strongest first. The sign carries the meaning, not only the colour. */
export function Evidence({ evidence }: { evidence: readonly Fact[] }) {
  if (evidence.length === 0) return <p className="text-muted">First record of the property.</p>
  const sorted = evidence.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
  return (
    <ul>
      {sorted.map(({ fact, weight }) => (
        <li key={fact} className="flex gap-2">
          <span className={`figures w-12 shrink-0 text-right ${weight < 0 ? 'text-bad' : 'text-good'}`}>
            {formatWeight(weight)}
          </span>
          {fact}
        </li>
      ))}
    </ul>
  )
}

/** The strongest evidence in one line, with its weights. */
export const formatMainReasons = (evidence: readonly Fact[], sign: 1 | -1): string =>
  evidence
    .filter(({ weight, fact }) => weight * sign > 0 && fact !== PRIOR)
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, 3)
    .map(({ fact, weight }) => `${fact} (${formatWeight(weight)})`)
    .join(', ')

const PRIOR = 'most neighbours are different properties'
