import { CircleCheck, CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useCodeText } from '../../../shared/bundle.ts'
import { Chip } from '../../../shared/parts/chip.tsx'
import { useFailureText } from '../../../shared/parts/problem-note.tsx'
import { visibleName } from '../../parts/visible-name.ts'
import { NotTaken, type Outcome } from '../signing/signing-way.ts'
import classes from './approve.module.css'

/** What became of each file: what was not approved comes first. */
export function Outcomes({ outcomes }: { outcomes: readonly Outcome[] }) {
  const { t } = useTranslation('batch-portal')
  const failed = outcomes.filter(({ why }) => why !== undefined)
  const approved = outcomes.filter(({ why }) => why === undefined)
  const done = approved.length
  return (
    <>
      <p role="status">
        {failed.length === 0 ? t('approve.done', { count: done }) : t('approve.some', { done, all: outcomes.length })}
      </p>
      <ul className={classes.outcomes}>
        {[...failed, ...approved].map((outcome) => (
          <li key={outcome.file.jobId}>
            <span>{visibleName(outcome.file.fileName)}</span>
            <OutcomeChip outcome={outcome} />
            {outcome.why !== undefined && <Why why={outcome.why} />}
          </li>
        ))}
      </ul>
    </>
  )
}

function OutcomeChip({ outcome: { why, released } }: { outcome: Outcome }) {
  const { t } = useTranslation('batch-portal')
  if (why !== undefined)
    return (
      <Chip icon={CircleX} tone="bad">
        {t('approve.failed')}
      </Chip>
    )
  return (
    <Chip icon={CircleCheck} tone="good">
      {t(released ? 'approve.released' : 'approve.approved')}
    </Chip>
  )
}

function Why({ why }: { why: unknown }) {
  const { explain } = useCodeText()
  const told = useFailureText()
  return <span className={classes.why}>{why instanceof NotTaken ? (why.said ?? explain(why.code)) : told(why)}</span>
}
