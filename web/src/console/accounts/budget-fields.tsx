import { TextField } from '../../ui/text-field.tsx'
import { numberFault, refuseFields } from '../parts/refuse-fields.ts'
import { SelectField } from '../parts/select-field.tsx'

export type BudgetDraft = { readonly amount: string; readonly currency: string; readonly per: 'day' | 'month' }
export const NO_BUDGET: BudgetDraft = { amount: '', currency: 'EUR', per: 'day' }

export const BUDGET_FIELDS = ['budget.amount', 'budget.currency'] as const

/** The budget as the API expects it; null if no amount is typed. Throws an error with a message for each wrong field. */
export function budgetOf({ amount, currency, per }: BudgetDraft) {
  if (amount.trim() === '') return null
  const code = currency.trim().toUpperCase()
  refuseFields({
    'budget.amount': numberFault(amount),
    'budget.currency': /^[A-Z]{3}$/.test(code) ? undefined : 'Name a currency of ISO 4217, such as EUR.',
  })
  return { amount: Number(amount), currency: code, per }
}

type Props = { draft: BudgetDraft; onDraft(draft: BudgetDraft): void; errorOf(field: string): string | undefined }

export function BudgetFields({ draft, onDraft, errorOf }: Props) {
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">Budget</legend>
      <div className="grid grid-cols-3 gap-3">
        <TextField
          id="budget-amount"
          label="Amount"
          hint="Empty: no limit."
          value={draft.amount}
          onValue={(amount) => onDraft({ ...draft, amount })}
          error={errorOf('budget.amount')}
          autoComplete="off"
        />
        <TextField
          id="budget-currency"
          label="Currency"
          value={draft.currency}
          onValue={(currency) => onDraft({ ...draft, currency })}
          error={errorOf('budget.currency')}
          autoComplete="off"
        />
        <SelectField
          id="budget-per"
          label="For each"
          value={draft.per}
          onValue={(per) => onDraft({ ...draft, per })}
          options={[
            ['day', 'day of UTC'],
            ['month', 'month of UTC'],
          ]}
        />
      </div>
    </fieldset>
  )
}
