import { CalendarX, CircleCheck, CircleX, Clock, EyeOff, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../shared/format/use-formats.ts'
import type { PortalFile } from '../api/portal-types.ts'
import classes from './file.module.css'
import { type FileStand, fileStand } from './file-stand.ts'

const looks: Readonly<Record<FileStand, { icon: LucideIcon; tone: 'good' | 'bad' | 'warning' | 'idle' }>> = {
  open: { icon: Clock, tone: 'warning' },
  waiting: { icon: Clock, tone: 'idle' },
  stranger: { icon: EyeOff, tone: 'idle' },
  approved: { icon: CircleCheck, tone: 'good' },
  rejected: { icon: CircleX, tone: 'bad' },
  vetoed: { icon: CircleX, tone: 'bad' },
  released: { icon: CircleCheck, tone: 'good' },
  expired: { icon: Clock, tone: 'idle' },
  canceled: { icon: CircleX, tone: 'idle' },
  ended: { icon: CircleCheck, tone: 'idle' },
}

/** Where the file stands for the caller, in one sentence. */
export function StandNote({ file }: { file: PortalFile }) {
  const { t } = useTranslation('batch-portal')
  const { dateAndMinute } = useFormats()
  const stand = fileStand(file, Date.now())
  const { icon: Icon, tone } = looks[stand]
  const at = file.ownDecision?.decidedAt ?? file.expiresAt
  return (
    <p className={classes.stand} data-tone={tone} role="status">
      <Icon size={18} aria-hidden="true" />
      <span>
        {t(`stand.${stand}`, { at: at ? dateAndMinute(at) : '' })}
        {!file.isMember && stand !== 'stranger' && ` ${t('stand.stranger')}`}
      </span>
    </p>
  )
}

/** That the first payment date has passed, and what comes of it. */
export function DateNote({ warning }: { warning: NonNullable<PortalFile['dateWarning']> }) {
  const { t } = useTranslation('batch-portal')
  return (
    <p className={classes.stand} data-tone={warning === 'will-fail' ? 'bad' : 'warning'} role="note">
      <CalendarX size={18} aria-hidden="true" />
      <span>{t(`dateWarning.${warning}`)}</span>
    </p>
  )
}
