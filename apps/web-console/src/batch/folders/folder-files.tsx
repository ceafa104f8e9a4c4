import { Button } from '@mantine/core'
import { FileCheck2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { releaseFolder } from '../api/folders.ts'
import type { Folder } from '../api/types.ts'
import { visibleName } from '../parts/visible-name.ts'
import classes from './folders.module.css'

/** Files of a folder that are not taken: held ones with the word that takes them, and the others with their reason. */
export function FolderFiles({ folder }: { folder: Folder }) {
  return (
    <>
      {folder.heldReason && <HeldFiles folder={folder} reason={folder.heldReason} />}
      {folder.waiting.length > 0 && <WaitingFiles folder={folder} />}
    </>
  )
}

function HeldFiles({ folder, reason }: { folder: Folder; reason: NonNullable<Folder['heldReason']> }) {
  const { t } = useTranslation('batch-folders')
  const [asked, setAsked] = useState(false)
  const release = useAction(
    () => releaseFolder(folder.name),
    ({ released }) => t('held.done', { count: released }),
  )
  return (
    <>
      <p className={classes.explanation}>{t(`held.why.${reason}`)}</p>
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<FileCheck2 size={14} aria-hidden="true" />}
          onClick={() => setAsked(true)}
        >
          {t('held.take', { count: folder.heldCount })}
        </Button>
      </div>
      {asked && (
        <ConfirmDialog
          title={t('held.title', { name: folder.name })}
          confirm={t('held.confirm')}
          onConfirm={release.attempt}
          onClose={() => setAsked(false)}
        >
          {t('held.text', { count: folder.heldCount })}
        </ConfirmDialog>
      )}
    </>
  )
}

function WaitingFiles({ folder }: { folder: Folder }) {
  const { t } = useTranslation('batch-folders')
  const { dateAndTime } = useFormats()
  return (
    <details open>
      <summary>{t('notTaken', { count: folder.waitingCount })}</summary>
      <ul className={classes.taken}>
        {folder.waiting.map(({ fileName, reason, since }) => (
          <li key={fileName}>
            {visibleName(fileName)}: {t(`waits.${reason}`)} ({dateAndTime(since)})
          </li>
        ))}
      </ul>
    </details>
  )
}
