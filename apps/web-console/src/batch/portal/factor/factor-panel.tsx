import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../shared/format/use-formats.ts'
import { Panel } from '../../../shared/parts/panel.tsx'
import type { Approver } from '../api/portal-types.ts'
import { EnrolForm } from './enrol-form.tsx'
import classes from './factor.module.css'

/** Leads to the enrolment before the first decision asks for it, and tells how long the last code holds. */
export function FactorPanel({ approver }: { approver: Approver }) {
  const { t } = useTranslation('batch-portal')
  const { dateAndMinute } = useFormats()
  const { enabled, enrolled, verifiedUntil } = approver.secondFactor
  if (!enabled) return null
  if (!enrolled)
    return (
      <Panel title={t('factor.panel')}>
        <EnrolForm />
      </Panel>
    )
  return verifiedUntil && <p className={classes.quiet}>{t('factor.verified', { at: dateAndMinute(verifiedUntil) })}</p>
}
