import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/request.ts'
import type { Folder, Page } from './types.ts'

/** The service's maximum page size. */
const PAGE = 500

/** All folders: the tree is rendered as a whole. */
export const foldersQuery = queryOptions({
  queryKey: ['folders'],
  queryFn: async ({ signal }) => {
    const folders: Folder[] = []
    // Lists carry no total: a short page is the last one.
    for (;;) {
      const query = new URLSearchParams({ limit: String(PAGE), offset: String(folders.length), order: 'Asc' })
      const { items } = await call<Page<Folder>>('GET', `/api/folders?${query}`, { signal })
      folders.push(...items)
      if (items.length < PAGE) return folders
    }
  },
})

const folder = (id: string) => `/api/folders/${encodeURIComponent(id)}`

export const createFolder = (name: string, parentId: string | null) =>
  call<Folder>('POST', '/api/folders', { body: { name, parentId } })

export const changeFolder = (id: string, name: string, parentId: string | null) =>
  call<Folder>('PUT', folder(id), { body: { name, parentId } })

/** Nothing: only an empty folder is deleted. */
export type DeleteAction = 'MoveContent' | 'DeleteContent' | null

export const deleteFolder = (id: string, deleteAction: DeleteAction, destinationFolderId: string | null) =>
  call<unknown>('POST', `${folder(id)}/delete`, { body: { deleteAction, destinationFolderId } })
