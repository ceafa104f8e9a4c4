import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { foldersQuery } from '../api/folders.ts'
import { folderTree } from '../list/folder-tree.ts'

/** The folders of the organization, as a list and as a tree. */
export function useFolders() {
  const { language } = useLanguage()
  const { data: folders = [], error } = useQuery(foldersQuery)
  const tree = useMemo(() => folderTree(folders, language), [folders, language])
  return { folders, tree, error }
}
