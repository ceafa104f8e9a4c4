import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleDashed, CircleX, FolderSearch, FolderX, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Chip, type Tone } from '../../shared/parts/chip.tsx'
import { Facts } from '../../shared/parts/facts.tsx'
import type { Folder } from '../api/types.ts'
import { useWireNames } from '../jobs/use-wire-names.ts'
import classes from './folders.module.css'

type State = Folder['status'] | 'Missing'

const looks: Readonly<Record<State, { icon: LucideIcon; tone: Tone }>> = {
  Running: { icon: CircleCheck, tone: 'good' },
  Stopped: { icon: CircleX, tone: 'bad' },
  Unassigned: { icon: CircleDashed, tone: 'plain' },
  Missing: { icon: FolderX, tone: 'bad' },
}

/** The service stops counting waiting files at this number. */
const COUNTED_UP_TO = 50

/** One watched folder. */
export function FolderCard({ folder, busy, onRescan }: { folder: Folder; busy: boolean; onRescan: () => void }) {
  const { t } = useTranslation(['batch-folders', 'batch'])
  const { count, dateAndTime } = useFormats()
  const names = useWireNames()
  const state: State = folder.exists ? folder.status : 'Missing'
  const waiting = folder.fileCount >= COUNTED_UP_TO ? `${COUNTED_UP_TO}+` : count(folder.fileCount)
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
          [t('waiting'), waiting],
          [t('processed'), count(folder.processedCount)],
          [t('lastEnqueued'), folder.lastEnqueuedAt ? dateAndTime(folder.lastEnqueuedAt) : t('never')],
        ]}
      />
      {folder.lastError && (
        <p className={classes.error}>
          <TriangleAlert size={16} aria-hidden="true" />
          <span>
            {t('lastError')} <span lang="en">{folder.lastError}</span>
          </span>
        </p>
      )}
      <Button
        className={classes.rescan!}
        variant="default"
        size="xs"
        disabled={busy}
        aria-label={t('rescanOf', { name: folder.name })}
        leftSection={<FolderSearch size={14} aria-hidden="true" />}
        onClick={onRescan}
      >
        {t('rescan')}
      </Button>
    </li>
  )
}
