type Props<T extends string> = {
  id: string
  label: string
  value: T
  options: readonly (readonly [value: T, label: string])[]
  onValue(value: NoInfer<T>): void
}

export function SelectField<T extends string>({ id, label, value, options, onValue }: Props<T>) {
  const choose = (chosen: string) => {
    const option = options.find(([candidate]) => candidate === chosen)
    if (option !== undefined) onValue(option[0])
  }
  return (
    <div>
      <label htmlFor={id} className="field-label">
        {label}
      </label>
      <select id={id} className="field" value={value} onChange={(event) => choose(event.target.value)}>
        {options.map(([optionValue, text]) => (
          <option key={optionValue} value={optionValue}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
