import { useState } from 'react'
import { Notice } from '../../ui/notice.tsx'
import { ActionButton, Done } from '../parts/action-button.tsx'
import { Block } from '../parts/console-page.tsx'
import { type Column, Table } from '../parts/list-table.tsx'
import { describeMarkup, describeScope, isUnusuallyHigh } from './describe-rule.ts'
import { type DraftRule, moveRule, newDraft, toSellingRule } from './draft-rule.ts'
import { RuleForm } from './rule-form.tsx'
import { Trial } from './trial.tsx'
import { type Faults, useDraft } from './use-draft.ts'
import { Differences, type Rules } from './versions.tsx'

/** The rules in force as a draft that can be changed, tried and stored as a whole. */
export function RulesView({ rules, booking }: { rules: Rules; booking: string }) {
  const draft = useDraft(rules)
  const { base, drafts, faults, hasChanged } = draft
  const [edited, setEdited] = useState<DraftRule>()
  const [done, setDone] = useState<string>()
  return (
    <div className="flex flex-col gap-5">
      {done !== undefined && !hasChanged && <Done what={done} />}
      {hasChanged && rules.version !== base.version && (
        <Notice tone="warn" role="status">
          Version {rules.version} was stored while you were editing. Discard the draft to see it.
        </Notice>
      )}
      <Block
        title={hasChanged ? `Draft, changed from version ${base.version}` : `Rules in force, version ${base.version}`}
      >
        <RuleTable {...{ drafts, faults }} onEdit={setEdited} onChange={draft.setDrafts} />
        <div className="mt-3 flex flex-wrap gap-2">
          <button type="button" className="btn btn-quiet" onClick={() => setEdited(newDraft(nextPriority(drafts)))}>
            Add a rule
          </button>
          {hasChanged && <DraftButtons draft={draft} onDone={setDone} />}
        </div>
        {rules.exchange_margin_percent > 0 && (
          <p className="mt-2 text-muted">
            If the vendor is paid in another currency, {rules.exchange_margin_percent} % is added first.
          </p>
        )}
      </Block>
      <Trial drafts={draft.readable} hasChanged={hasChanged} booking={booking} />
      {edited !== undefined && (
        <RuleForm
          draft={edited}
          faults={faults[edited.key] ?? {}}
          onApply={(changed) => {
            draft.apply(changed)
            setEdited(undefined)
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  )
}

function DraftButtons({ draft, onDone }: { draft: ReturnType<typeof useDraft>; onDone(what: string): void }) {
  return (
    <>
      <button type="button" className="btn btn-quiet" onClick={draft.discard}>
        Discard the draft
      </button>
      <ActionButton
        label="Put the draft into force"
        look="primary"
        run={draft.save}
        onDone={onDone}
        confirm={{ title: 'Put the draft into force?', text: <Differences {...draft.changes} />, reason: true }}
      />
    </>
  )
}

const nextPriority = (drafts: readonly DraftRule[]): number =>
  Math.max(0, ...drafts.map(({ values }) => Number(values.priority) || 0)) + 10

type TableProps = {
  drafts: readonly DraftRule[]
  faults: Faults
  onEdit(draft: DraftRule): void
  onChange(drafts: readonly DraftRule[]): void
}

function RuleTable({ drafts, faults, onEdit, onChange }: TableProps) {
  if (drafts.length === 0)
    return (
      <p className="text-muted">
        No rules: everything is sold at the net price, or at the lowest price that the vendor allows.
      </p>
    )
  const columns: readonly Column<DraftRule>[] = [
    { title: 'Priority', className: 'figures', cell: ({ values }) => values.priority },
    { title: 'Applies to', cell: (draft) => describeScope(toSellingRule(draft)) },
    { title: 'Adds', cell: (draft) => <Added draft={draft} fault={faults[draft.key]?.whole} /> },
    {
      title: 'Actions',
      cell: (draft) => <RowButtons draft={draft} at={drafts.indexOf(draft)} {...{ drafts, onEdit, onChange }} />,
    },
  ]
  return (
    <Table
      caption="Selling rules, in the order in which they are tried"
      {...{ columns }}
      rows={drafts}
      rowKey={({ key }) => key}
    />
  )
}

function Added({ draft, fault }: { draft: DraftRule; fault: string | undefined }) {
  const rule = toSellingRule(draft)
  return (
    <>
      {describeMarkup(rule)}
      {isUnusuallyHigh(rule) && (
        <span className="tag ml-2 bg-warn-wash text-warn">at least doubles the price: is this intended?</span>
      )}
      {fault !== undefined && <span className="field-error">{fault}</span>}
    </>
  )
}

type RowProps = Omit<TableProps, 'faults'> & { draft: DraftRule; at: number }

function RowButtons({ draft, at, drafts, onEdit, onChange }: RowProps) {
  const name = `rule ${draft.values.priority}`
  const button = (label: string, words: string, run: () => void, isOff = false) => (
    <button
      type="button"
      className="btn-plain aria-disabled:text-muted"
      aria-label={`${words} ${name}`}
      aria-disabled={isOff}
      onClick={() => !isOff && run()}
    >
      {label}
    </button>
  )
  return (
    <div className="flex flex-wrap">
      {button('Change', 'Change', () => onEdit(draft))}
      {button('Up', 'Move up', () => onChange(moveRule(drafts, at, -1)), at === 0)}
      {button('Down', 'Move down', () => onChange(moveRule(drafts, at, 1)), at === drafts.length - 1)}
      {button('Remove', 'Remove', () => onChange(drafts.filter((other) => other !== draft)))}
    </div>
  )
}
