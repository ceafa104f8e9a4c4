import { useLanguage } from '../../shared/i18n/use-language.ts'
import type { Payment } from '../api/types.ts'
import { paymentForms } from './payment-forms.ts'

/** Names of forms of entry in the operator's language; a form newer than this page keeps the server's name. */
export function usePaymentForm(): (form: Payment['form']) => string {
  const { language } = useLanguage()
  return ({ code, name }) => (language === 'pt-BR' ? paymentForms[code] : undefined) ?? name ?? code
}
