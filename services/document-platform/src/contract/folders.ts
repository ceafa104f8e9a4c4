// Folders of an organization, a tree (document-platform facts 1.3).
import Type from 'typebox'
import { byName, Count, Flag, Id, line, maybe, orNull, pageOf, paging, Text, Time } from './common.ts'
import { Organization } from './models.ts'

const tags = ['Folders']

export const FolderInfo = Type.Object(
  { id: Id, name: Text, parentId: orNull(Id), creationDate: Time, updateDate: Time, documents: Count, folders: Count },
  { $id: 'FolderInfo' },
)

export const listFolders = {
  method: 'GET',
  path: '/api/folders',
  summary: 'Lists folders.',
  tags,
  query: Type.Object({
    ...paging,
    ...byName,
    filterByParent: Type.Optional(Flag),
    parentId: Type.Optional(Id),
    organizationId: Type.Optional(Id),
  }),
  answer: pageOf(FolderInfo),
  access: 'folders.read',
  refusals: ['FolderNotFound'],
} as const

export const createFolder = {
  method: 'POST',
  path: '/api/folders',
  summary: 'Makes a folder.',
  tags,
  body: Type.Object({ name: line(200, 1), parentId: maybe(Id) }),
  answer: FolderInfo,
  access: 'folders.create',
  refusals: ['FolderNotFound', 'FolderNameTaken'],
} as const

export const readFolder = {
  method: 'GET',
  path: '/api/folders/{id}',
  summary: 'A folder.',
  tags,
  answer: Type.Object({ id: Id, name: Text, parentId: orNull(Id), organization: Organization }),
  access: 'folders.read',
  refusals: ['FolderNotFound'],
} as const

export const readFolderDetails = {
  method: 'GET',
  path: '/api/folders/{id}/details',
  summary: 'A folder with who has access to it.',
  tags,
  answer: Type.Object({
    id: Id,
    name: Text,
    folderAccesses: Type.Array(Type.Object({ id: Id, name: Text, type: Text, role: Text })),
  }),
  access: 'folders.read',
  refusals: ['FolderNotFound'],
} as const

export const changeFolder = {
  method: 'PUT',
  path: '/api/folders/{id}',
  summary: 'Renames a folder, or moves it in the tree.',
  tags,
  body: Type.Object({ name: line(200, 1), parentId: maybe(Id) }),
  answer: FolderInfo,
  access: 'folders.change',
  refusals: ['FolderNotFound', 'FolderNameTaken', 'InvalidFolderAction'],
} as const

/** What becomes of the content of a deleted folder; as clients name it. */
export const folderDeleteActions = ['MoveContent', 'DeleteContent'] as const

export const deleteFolder = {
  method: 'POST',
  path: '/api/folders/{id}/delete',
  summary: 'Deletes a folder, with what is in it or after moving that elsewhere.',
  tags,
  body: Type.Object({
    deleteAction: maybe(
      Type.Enum([...folderDeleteActions], { description: 'Without it only an empty folder is deleted.' }),
    ),
    destinationFolderId: maybe(
      Type.String({ maxLength: 64, description: 'For MoveContent; without it the documents are left without folder.' }),
    ),
  }),
  status: 200,
  access: 'folders.change',
  refusals: ['FolderNotFound', 'InvalidFolderAction'],
} as const
