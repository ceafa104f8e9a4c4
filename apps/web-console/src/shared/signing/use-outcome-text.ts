import { useTranslation } from 'react-i18next'
import { signingTexts } from './signing-texts.ts'

const outcomes = signingTexts['en-US'].outcome

/** What an outcome means; one that this page does not know yet is a failure. */
export function useOutcomeText(): (outcome: string) => string {
  const { t } = useTranslation('signing')
  return (outcome) => t(`outcome.${Object.hasOwn(outcomes, outcome) ? (outcome as keyof typeof outcomes) : 'failed'}`)
}
