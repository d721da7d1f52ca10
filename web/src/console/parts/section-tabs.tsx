type Props = { label: string; tabs: readonly (readonly [path: string, title: string])[]; open: string }

/** Views of a section as links, each with its own address. */
export function SectionTabs({ label, tabs, open }: Props) {
  return (
    <nav aria-label={label} className="mb-4 flex flex-wrap gap-1 border-b border-line">
      {tabs.map(([path, title]) => (
        <a
          key={path}
          href={path}
          aria-current={path === open ? 'page' : undefined}
          className="-mb-px flex min-h-11 items-center border-b-2 border-transparent px-3 max-[24rem]:px-1.5 hover:border-edge aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-accent-strong"
        >
          {title}
        </a>
      ))}
    </nav>
  )
}
