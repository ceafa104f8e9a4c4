import { NativeSelect } from '@mantine/core'
import { folderChoices } from '../list/folder-tree.ts'
import { useFolders } from './use-folders.ts'

export interface FolderSelectProps {
  label: string
  /** The label for no folder. */
  none: string
  /** Left out, with its descendants. */
  except?: string
  value: string | null
  onChange: (folderId: string | null) => void
}

/** A select of folders, each labelled with its path. */
export function FolderSelect({ label, none, except, value, onChange }: FolderSelectProps) {
  const { tree } = useFolders()
  return (
    <NativeSelect
      label={label}
      data={[{ value: '', label: none }, ...folderChoices(tree, except)]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
    />
  )
}
