import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleDashed, CirclePause, CircleX, FolderX, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import type { Folder, FolderList } from '../api/types.ts'
import { useWireNames } from '../jobs/use-wire-names.ts'
import { FolderActions } from './folder-actions.tsx'
import { FolderFiles } from './folder-files.tsx'
import classes from './folders.module.css'

type State = Folder['status'] | 'Missing' | 'Paused'

const looks: Readonly<Record<State, { icon: LucideIcon; tone: Tone }>> = {
  Running: { icon: CircleCheck, tone: 'good' },
  Stopped: { icon: CircleX, tone: 'bad' },
  Unassigned: { icon: CircleDashed, tone: 'plain' },
  Missing: { icon: FolderX, tone: 'bad' },
  Paused: { icon: CirclePause, tone: 'warning' },
}

/** The service stops counting files at this number. */
const COUNTED_UP_TO = 50

interface FolderCardProps {
  folder: Folder
  list: FolderList
  busy: boolean
  onRescan: () => void
}

/** A pause comes first: whoever resumes the folder learns then whether it is there. */
const stateOf = ({ paused, exists, status }: Folder): State => {
  if (paused) return 'Paused'
  return exists ? status : 'Missing'
}

/** One watched folder. */
export function FolderCard({ folder, list, busy, onRescan }: FolderCardProps) {
  const { t } = useTranslation(['batch-folders', 'batch'])
  const { count, dateAndTime } = useFormats()
  const names = useWireNames()
  const state = stateOf(folder)
  const lying = folder.fileCount >= COUNTED_UP_TO ? `${COUNTED_UP_TO}+` : count(folder.fileCount)
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <h2 className={classes.name}>{folder.name}</h2>
        <Chip {...looks[state]}>{t(`status.${state}`)}</Chip>
      </div>
      <p className={classes.path}>
        <code>{folder.path}</code>
      </p>
      <p className={classes.explanation}>{t(`explained.${state}`)}</p>
      {folder.paused && (
        <p className={classes.explanation}>
          {t('pausedBy', { by: folder.paused.by, at: dateAndTime(folder.paused.atUtc) })}
          {folder.paused.reason && ` ${t('pausedFor', { reason: folder.paused.reason })}`}
        </p>
      )}
      <Facts
        dense
        rows={[
          [
            t('profile'),
            folder.profileName ? (
              <Link key="profile" to="/profiles/$name" params={{ name: folder.profileName }}>
                {folder.profileName}
              </Link>
            ) : (
              t('batch:none')
            ),
          ],
          [t('format'), names.format(folder.profileFormat)],
          [t('lying'), lying],
          ...(folder.refusedCount > 0 ? ([[t('refused'), count(folder.refusedCount)]] as const) : []),
          [t('processed'), count(folder.processedCount)],
          [t('lastEnqueued'), folder.lastEnqueuedAt ? dateAndTime(folder.lastEnqueuedAt) : t('never')],
          [t('source.title'), t(`source.${folder.source}`)],
        ]}
      />
      {folder.lastError && (
        <p className={classes.error}>
          <TriangleAlert size={16} aria-hidden="true" />
          <span>
            {t('lastError')} {folder.lastError}
          </span>
        </p>
      )}
      <FolderFiles folder={folder} />
      <FolderActions folder={folder} list={list} busy={busy} onRescan={onRescan} />
    </li>
  )
}
