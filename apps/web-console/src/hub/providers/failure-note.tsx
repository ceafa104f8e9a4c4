import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import type { Provider } from '../api/types.ts'
import classes from './providers.module.css'

/** The last error of a provider, in the hub's words. */
export function FailureNote({ failure }: { failure: NonNullable<Provider['lastFailure']> }) {
  const { t } = useTranslation('hub-providers')
  const { dateAndTime } = useFormats()
  return (
    <p className={classes.failure}>
      {t('lastFailure', { at: dateAndTime(failure.at), operation: failure.operation })}{' '}
      <span lang="en">{failure.text}</span>
    </p>
  )
}
