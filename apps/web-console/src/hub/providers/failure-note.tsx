import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import type { Provider } from '../api/types.ts'
import classes from './providers.module.css'

/** What last went wrong at a provider, in the words of the hub. */
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
