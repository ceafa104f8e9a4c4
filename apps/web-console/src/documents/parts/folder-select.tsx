import { NativeSelect } from '@mantine/core'
import { folderChoices } from '../list/folder-tree.ts'
import { useFolders } from './use-folders.ts'

export interface FolderSelectProps {
  label: string
  /** What stands for no folder. */
  none: string
  /** Left out, with what lies below it. */
  except?: string
  value: string | null
  onChange: (folderId: string | null) => void
}

/** A choice among the folders, each named with the way to it. */
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
