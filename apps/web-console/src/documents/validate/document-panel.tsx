import { CircleCheck, CircleHelp, CircleX, Clock, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Facts } from '../../shared/parts/facts.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import type { SignaturesInfo } from '../api/types.ts'
import { StatusChip } from '../parts/status-chip.tsx'
import { groupedCode } from './document-code.ts'
import classes from './validate.module.css'
import { summaryOf } from './verdicts.ts'

const icons: Readonly<Record<ReturnType<typeof summaryOf>, LucideIcon>> = {
  valid: CircleCheck,
  invalid: CircleX,
  undetermined: CircleHelp,
  unsigned: Clock,
}

/** The document, with one sentence on the validity of its signatures. */
export function DocumentPanel({ info }: { info: SignaturesInfo }) {
  const { t } = useTranslation('documents-validate')
  const { dateAndMinute } = useFormats()
  const summary = summaryOf(info.signers)
  const Icon = icons[summary]
  return (
    <Panel title={t('document')}>
      <p className={classes.summary} data-verdict={summary} role="status">
        <Icon size={22} aria-hidden="true" />
        {t(`summary.${summary}`)}
      </p>
      {info.status === 'Pending' && <p className={classes.quiet}>{t('notConcluded')}</p>}
      <Facts
        rows={[
          [t('code'), <code key="code">{groupedCode(info.key)}</code>],
          [t('status'), <StatusChip key="status" status={info.status} />],
          [t('createdBy'), info.createdBy.name],
          [t('created'), dateAndMinute(info.creationDate)],
          [t('updated'), dateAndMinute(info.updateDate)],
          [t('digest'), <code key="digest">{info.digests.signed ?? info.digests.original}</code>],
        ]}
      />
    </Panel>
  )
}
