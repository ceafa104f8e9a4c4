import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { verifyFactor } from '../api/portal-calls.ts'
import type { Approver } from '../api/portal-types.ts'
import { CodeForm } from './code-form.tsx'
import { EnrolForm } from './enrol-form.tsx'
import classes from './factor.module.css'

/** Shows a decision once a code was given, where codes are asked for; the service looks again at every decision. */
export function CodeGate({ approver, children }: { approver: Approver; children: ReactNode }) {
  const { t } = useTranslation('batch-portal')
  const { enabled, enrolled, verifiedUntil, lockedUntil } = approver.secondFactor
  if (!enabled || verifiedUntil !== null) return children
  if (!enrolled) return <EnrolForm />
  return (
    <>
      <CodeForm lead={t('factor.prompt')} lockedUntil={lockedUntil} give={verifyFactor} />
      <p className={classes.quiet}>{t('factor.lost')}</p>
    </>
  )
}
