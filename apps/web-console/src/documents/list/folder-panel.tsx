import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import {
  ChevronDown,
  ChevronRight,
  Files,
  Folder as FolderIcon,
  FolderPlus,
  FolderX,
  Pencil,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../shared/icon-button.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import type { Folder } from '../api/types.ts'
import { useRights } from '../parts/rights.ts'
import { useFolders } from '../parts/use-folders.ts'
import { type DocumentFilters, WITHOUT_FOLDER } from './document-filters.ts'
import { CreateFolderDialog, DeleteFolderDialog, RenameFolderDialog } from './folder-dialogs.tsx'
import { type FolderNode, pathTo } from './folder-tree.ts'
import classes from './list.module.css'

type Dialog = 'create' | 'rename' | 'delete'

/** The folder tree, with the actions for the selected folder. */
export function FolderPanel(props: { filters: DocumentFilters; onChange: (filters: DocumentFilters) => void }) {
  const { t } = useTranslation('documents-list')
  const { filters, onChange } = props
  const { folders, tree, error } = useFolders()
  const { may } = useRights()
  const [dialog, setDialog] = useState<Dialog>()
  const shown = folders.find(({ id }) => id === filters.folder)
  const close = () => setDialog(undefined)
  return (
    <nav className={classes.folders} aria-label={t('folders.label')}>
      {error && <ProblemNote error={error} />}
      <ul className={classes.tree}>
        <Place icon={Files} label={t('folders.all')} />
        <Place icon={FolderX} label={t('folders.without')} folder={WITHOUT_FOLDER} />
        {tree.map((node) => (
          <Branch
            key={node.folder.id}
            node={node}
            open={new Set(pathTo(folders, filters.folder ?? '').map(({ id }) => id))}
          />
        ))}
      </ul>
      <div className={classes.folderActions}>
        {may('folders.create') && (
          <Button
            variant="default"
            size="xs"
            leftSection={<FolderPlus size={14} aria-hidden="true" />}
            onClick={() => setDialog('create')}
          >
            {t('folders.new')}
          </Button>
        )}
        {shown && may('folders.change') && (
          <>
            <IconButton
              icon={Pencil}
              label={t('folders.renameTitle', { name: shown.name })}
              onClick={() => setDialog('rename')}
            />
            <IconButton
              icon={Trash2}
              label={t('folders.deleteTitle', { name: shown.name })}
              onClick={() => setDialog('delete')}
            />
          </>
        )}
      </div>
      {dialog === 'create' && <CreateFolderDialog parent={shown} onClose={close} />}
      {dialog === 'rename' && shown && <RenameFolderDialog folder={shown} onClose={close} />}
      {dialog === 'delete' && shown && (
        <DeleteFolderDialog folder={shown} onClose={close} onDeleted={() => onChange(parentOf(shown))} />
      )}
    </nav>
  )
}

const parentOf = ({ parentId }: Folder): DocumentFilters => (parentId === null ? {} : { folder: parentId })

function Place({ icon: Icon, label, folder }: { icon: typeof Files; label: string; folder?: string }) {
  return (
    <li>
      <FolderLink folder={folder}>
        <Icon size={16} aria-hidden="true" />
        {label}
      </FolderLink>
    </li>
  )
}

/** Selects a folder; resets the other filters. */
function FolderLink({ folder, children }: { folder: string | undefined; children: React.ReactNode }) {
  return (
    <Link
      to="/documents"
      search={folder === undefined ? {} : { folder }}
      className={classes.folder!}
      activeOptions={{ exact: true, includeSearch: true }}
    >
      {children}
    </Link>
  )
}

/** A folder and, when open, its children; the path to the selected folder is open initially. */
function Branch({ node: { folder, children }, open }: { node: FolderNode; open: ReadonlySet<string> }) {
  const { t } = useTranslation('documents-list')
  const [isOpen, setOpen] = useState<boolean>()
  const expanded = isOpen ?? open.has(folder.id)
  return (
    <li>
      <span className={classes.branch}>
        <FolderLink folder={folder.id}>
          <FolderIcon size={16} aria-hidden="true" />
          {folder.name}
        </FolderLink>
        {children.length > 0 && (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={expanded}
            aria-label={t(expanded ? 'folders.close' : 'folders.open', { name: folder.name })}
            onClick={() => setOpen(!expanded)}
          >
            {expanded ? <ChevronDown size={16} aria-hidden="true" /> : <ChevronRight size={16} aria-hidden="true" />}
          </button>
        )}
      </span>
      {expanded && children.length > 0 && (
        <ul className={classes.subtree}>
          {children.map((child) => (
            <Branch key={child.folder.id} node={child} open={open} />
          ))}
        </ul>
      )}
    </li>
  )
}
