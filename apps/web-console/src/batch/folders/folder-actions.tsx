import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FolderSearch, type LucideIcon, Pause, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { pauseFolder, removeFolder, resumeFolder } from '../api/folders.ts'
import { conditionsQuery } from '../api/queries.ts'
import type { Folder, FolderList } from '../api/types.ts'
import { useTryFolder } from '../conditions/use-try-folder.ts'
import { FolderDialog } from './folder-dialog.tsx'
import classes from './folders.module.css'

type Asked = 'pause' | 'resume' | 'change' | 'remove'

interface FolderActionsProps {
  folder: Folder
  list: FolderList
  busy: boolean
  onRescan: () => void
}

/** What an operator does with one folder. */
export function FolderActions({ folder, list, busy, onRescan }: FolderActionsProps) {
  const { t } = useTranslation('batch-folders')
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const trying = useTryFolder(folder.name)
  const { data: conditions } = useQuery(conditionsQuery)
  const isHeld = conditions?.folders.some((hold) => hold.folder === folder.name)
  const move = folder.paused ? 'resume' : 'pause'
  const actions: readonly { key: string; text: string; icon: LucideIcon; onClick: () => void }[] = [
    ...(isHeld ? [{ key: 'try', text: t('tryNow'), icon: RefreshCw, onClick: trying.run }] : []),
    { key: 'rescan', text: t('rescan'), icon: FolderSearch, onClick: onRescan },
    { key: move, text: t(`${move}.verb`), icon: folder.paused ? Play : Pause, onClick: () => setAsked(move) },
    ...(folder.source === 'Dashboard'
      ? [
          { key: 'change', text: t('form.change'), icon: Pencil, onClick: () => setAsked('change') },
          { key: 'remove', text: t('remove.verb'), icon: Trash2, onClick: () => setAsked('remove') },
        ]
      : []),
  ]
  return (
    <>
      <div className={classes.actions}>
        {actions.map(({ key, text, icon: Icon, onClick }) => (
          <Button
            key={key}
            variant="default"
            size="xs"
            disabled={busy || trying.busy}
            // Begins with the words on the button: who speaks to the page says those.
            aria-label={t('actionOf', { action: text, name: folder.name })}
            leftSection={<Icon size={14} aria-hidden="true" />}
            onClick={onClick}
          >
            {text}
          </Button>
        ))}
      </div>
      {asked === 'change' && <FolderDialog folder={folder} list={list} onClose={close} />}
      {asked !== undefined && asked !== 'change' && <AskFirst asked={asked} name={folder.name} onClose={close} />}
    </>
  )
}

function AskFirst({ asked, name, onClose }: { asked: Exclude<Asked, 'change'>; name: string; onClose: () => void }) {
  const { t } = useTranslation('batch-folders')
  const acts = { pause: pauseFolder, resume: resumeFolder, remove: removeFolder } as const
  const act = useAction(
    (reason: string | undefined) => acts[asked](name, reason) as Promise<unknown>,
    () => t(`${asked}.done`, { name }),
  )
  return (
    <ConfirmDialog
      title={t(`${asked}.title`, { name })}
      confirm={t(`${asked}.verb`)}
      danger={asked === 'remove'}
      withReason={asked !== 'remove'}
      onConfirm={act.attempt}
      onClose={onClose}
    >
      {t(`${asked}.text`)}
    </ConfirmDialog>
  )
}
