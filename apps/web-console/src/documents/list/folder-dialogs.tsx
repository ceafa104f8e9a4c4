import { Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../shared/parts/form-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { changeFolder, createFolder, type DeleteAction, deleteFolder } from '../api/folders.ts'
import type { Folder } from '../api/types.ts'
import { FolderSelect } from '../parts/folder-select.tsx'
import classes from './list.module.css'

const MAX_NAME = 200

/** Makes a folder, below the one that is shown. */
export function CreateFolderDialog({ parent, onClose }: { parent: Folder | undefined; onClose: () => void }) {
  const { t } = useTranslation('documents-list')
  const [name, setName] = useState('')
  const { attempt } = useAction(createFolderIn(parent), (made: Folder) => t('folders.created', { name: made.name }))
  return (
    <FormDialog
      title={parent ? t('folders.newIn', { name: parent.name }) : t('folders.new')}
      confirm={t('folders.create')}
      ready={name.trim() !== ''}
      onSubmit={() => attempt(name.trim())}
      onClose={onClose}
    >
      <TextInput
        label={t('folders.name')}
        maxLength={MAX_NAME}
        autoFocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </FormDialog>
  )
}

const createFolderIn = (parent: Folder | undefined) => (name: string) => createFolder(name, parent?.id ?? null)

/** Renames a folder, or moves it in the tree. */
export function RenameFolderDialog({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const { t } = useTranslation('documents-list')
  const [name, setName] = useState(folder.name)
  const [parentId, setParentId] = useState(folder.parentId)
  const { attempt } = useAction(
    () => changeFolder(folder.id, name.trim(), parentId),
    (changed) => t('folders.renamed', { name: changed.name }),
  )
  return (
    <FormDialog
      title={t('folders.renameTitle', { name: folder.name })}
      confirm={t('folders.rename')}
      ready={name.trim() !== ''}
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <TextInput
        label={t('folders.name')}
        maxLength={MAX_NAME}
        autoFocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <FolderSelect
        label={t('folders.parent')}
        none={t('folders.top')}
        except={folder.id}
        value={parentId}
        onChange={setParentId}
      />
    </FormDialog>
  )
}

const deleteChoices = {
  onlyEmpty: null,
  move: 'MoveContent',
  delete: 'DeleteContent',
} as const satisfies Readonly<Record<string, DeleteAction>>

type DeleteChoice = keyof typeof deleteChoices

const choices = Object.keys(deleteChoices) as readonly DeleteChoice[]

/** Deletes a folder, after asking what to do with its contents. */
export function DeleteFolderDialog(props: { folder: Folder; onClose: () => void; onDeleted: () => void }) {
  const { t } = useTranslation('documents-list')
  const { folder, onClose, onDeleted } = props
  const [choice, setChoice] = useState<DeleteChoice>('onlyEmpty')
  const [destination, setDestination] = useState<string | null>(null)
  const { attempt } = useAction(
    async () => {
      await deleteFolder(folder.id, deleteChoices[choice], choice === 'move' ? destination : null)
      onDeleted()
    },
    () => t('folders.deleted', { name: folder.name }),
  )
  return (
    <FormDialog
      title={t('folders.deleteTitle', { name: folder.name })}
      confirm={t('folders.delete')}
      danger
      onSubmit={() => attempt(undefined)}
      onClose={onClose}
    >
      <Radio.Group
        label={t('folders.deleteWhat')}
        value={choice}
        onChange={(value) => setChoice(value as DeleteChoice)}
      >
        <div className={classes.radios}>
          {choices.map((value) => (
            <Radio key={value} value={value} label={t(`folders.deleteChoice.${value}`)} />
          ))}
        </div>
      </Radio.Group>
      {choice === 'move' && (
        <FolderSelect
          label={t('folders.destination')}
          none={t('folders.top')}
          except={folder.id}
          value={destination}
          onChange={setDestination}
        />
      )}
    </FormDialog>
  )
}
