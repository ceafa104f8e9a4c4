import { useTranslation } from 'react-i18next'
import { Command } from '../../shared/command/command.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { useNow } from '../../shared/format/use-now.ts'
import { OnceDialog } from '../../shared/parts/once-dialog.tsx'
import type { EnrolmentCode } from '../api/types.ts'

/** Shows the code an agent enrols with, which cannot be shown again, and the command to run on the holder's machine. */
export function CodeDialog({ made, onClose }: { made: EnrolmentCode; onClose: () => void }) {
  const { t } = useTranslation(['sessions-workstations', 'console'])
  return (
    <OnceDialog
      title={t('codeTitle', { name: made.workstation.name })}
      text={t('codeText')}
      value={made.code}
      what={t('codeWhat')}
      taken={t('console:kept')}
      onClose={onClose}
    >
      <p>{t('command')}</p>
      <Command line={`chancela-agent enrol ${location.origin} ${made.code}`} what={t('commandWhat')} />
      <GoodUntil expiresAt={made.expiresAt} />
    </OnceDialog>
  )
}

function GoodUntil({ expiresAt }: { expiresAt: string }) {
  const { t } = useTranslation('sessions-workstations')
  const { hour, duration } = useFormats()
  const left = Date.parse(expiresAt) - useNow(1000)
  if (left <= 0) return <p role="alert">{t('codeOver')}</p>
  // Whole seconds: a figure that changes more often cannot be read.
  return <p>{t('codeUntil', { time: hour(expiresAt), left: duration(Math.ceil(left / 1000) * 1000) })}</p>
}
