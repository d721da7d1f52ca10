import type { Faults } from '../../ui/faults.ts'
import { TextField } from '../../ui/text-field.tsx'
import { currencyFault, numberFault } from '../parts/checks.ts'
import { SelectField } from '../parts/select-field.tsx'

export type BudgetDraft = { readonly amount: string; readonly currency: string; readonly per: 'day' | 'month' }
export const NO_BUDGET: BudgetDraft = { amount: '', currency: 'EUR', per: 'day' }

export const checkBudget = ({ amount, currency }: BudgetDraft): Faults =>
  amount.trim() === '' ? {} : { 'budget.amount': numberFault(amount), 'budget.currency': currencyFault(currency) }

/** Budget in the API's form; null if no amount was entered. */
export const toBudgetBody = ({ amount, currency, per }: BudgetDraft) =>
  amount.trim() === '' ? null : { amount: Number(amount), currency: currency.trim().toUpperCase(), per }

type Props = { draft: BudgetDraft; onDraft(draft: BudgetDraft): void }

export function BudgetFields({ draft, onDraft }: Props) {
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">Budget</legend>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        <TextField
          id="budget-amount"
          name="budget.amount"
          label="Amount"
          hint="Leave empty for no limit."
          value={draft.amount}
          onValue={(amount) => onDraft({ ...draft, amount })}
        />
        <TextField
          id="budget-currency"
          name="budget.currency"
          label="Currency"
          value={draft.currency}
          onValue={(currency) => onDraft({ ...draft, currency })}
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
