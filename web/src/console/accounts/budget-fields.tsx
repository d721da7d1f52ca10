import { TextField } from '../../ui/text-field.tsx'
import { numberFault, refuseFields } from '../parts/refuse-fields.ts'
import { SelectField } from '../parts/select-field.tsx'

export type BudgetDraft = { readonly amount: string; readonly currency: string; readonly per: 'day' | 'month' }
export const NO_BUDGET: BudgetDraft = { amount: '', currency: 'EUR', per: 'day' }

export const BUDGET_FIELDS = ['budget.amount', 'budget.currency'] as const

/** Budget in the API's form; null if no amount was entered. Throws with a message for each invalid field. */
export function parseBudget({ amount, currency, per }: BudgetDraft) {
  if (amount.trim() === '') return null
  const code = currency.trim().toUpperCase()
  refuseFields({
    'budget.amount': numberFault(amount),
    'budget.currency': /^[A-Z]{3}$/.test(code) ? undefined : 'Enter an ISO 4217 currency code, such as EUR.',
  })
  return { amount: Number(amount), currency: code, per }
}

type Props = { draft: BudgetDraft; onDraft(draft: BudgetDraft): void; getError(field: string): string | undefined }

export function BudgetFields({ draft, onDraft, getError }: Props) {
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">Budget</legend>
      <div className="grid grid-cols-3 gap-3">
        <TextField
          id="budget-amount"
          label="Amount"
          hint="Leave empty for no limit."
          value={draft.amount}
          onValue={(amount) => onDraft({ ...draft, amount })}
          error={getError('budget.amount')}
          autoComplete="off"
        />
        <TextField
          id="budget-currency"
          label="Currency"
          value={draft.currency}
          onValue={(currency) => onDraft({ ...draft, currency })}
          error={getError('budget.currency')}
          autoComplete="off"
        />
        <SelectField
          id="budget-per"
          label="Per"
          value={draft.per}
          onValue={(per) => onDraft({ ...draft, per })}
          options={[
            ['day', 'day (UTC)'],
            ['month', 'month (UTC)'],
          ]}
        />
      </div>
    </fieldset>
  )
}
