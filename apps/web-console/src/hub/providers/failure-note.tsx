import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { Findings } from '../../shared/parts/findings.tsx'
import type { Provider } from '../api/types.ts'
import { operationTexts } from '../texts/finding-texts.ts'
import classes from './providers.module.css'

/** The last error of a provider, in the hub's words. */
export function FailureNote({ failure }: { failure: NonNullable<Provider['lastFailure']> }) {
  const { t } = useTranslation('hub-providers')
  const { language } = useLanguage()
  const { dateAndTime } = useFormats()
  return (
    <div className={classes.failure}>
      {t('lastFailure', { at: dateAndTime(failure.at), operation: operationTexts[language][failure.operation] })}{' '}
      <Findings findings={failure.findings} otherwise={failure.text} />
    </div>
  )
}
