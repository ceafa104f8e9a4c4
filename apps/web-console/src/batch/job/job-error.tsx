import { CircleX, Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useCodeText } from '../../shared/bundle.ts'
import type { JobDetail } from '../api/types.ts'
import classes from './job.module.css'

/** Why a job failed, or the warning of a completed one: the reason, then what the code means and what to do. */
export function JobError({ job: { status, errorCode, errorMessage, errorFindings } }: { job: JobDetail }) {
  const { t } = useTranslation('batch-job')
  const { explain } = useCodeText()
  const failed = status === 'Failed'
  const Icon = failed ? CircleX : Info
  return (
    <section className={classes.error} data-tone={failed ? 'bad' : 'warning'} aria-label={t('why')}>
      <Icon size={22} aria-hidden="true" />
      <div className={classes.errorText}>
        {errorMessage && <p className={classes.errorMeaning}>{errorMessage}</p>}
        {errorFindings.length > 1 && (
          <ul className={classes.errorMessage}>
            {errorFindings.slice(1).map((finding) => (
              <li key={finding}>{finding}</li>
            ))}
          </ul>
        )}
        {errorCode && <p className={classes.errorMessage}>{explain(errorCode)}</p>}
        {errorCode && (
          <p className={classes.errorCode}>
            {t('code')} <code>{errorCode}</code>
          </p>
        )}
      </div>
    </section>
  )
}
