type Props = {
  /** Label of the submit button. */
  label: string
  busy: boolean
  look?: 'primary' | 'danger'
  onClose(): void
}

export function FormButtons({ label, busy, look = 'primary', onClose }: Props) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <button type="button" className="btn btn-quiet" onClick={onClose}>
        Close
      </button>
      <button type="submit" className={`btn btn-${look}`} aria-disabled={busy}>
        {busy ? 'Working …' : label}
      </button>
    </div>
  )
}
