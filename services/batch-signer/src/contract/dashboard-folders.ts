import Type, { type TSchema } from 'typebox'
import { Folder } from './folders.ts'
import { NO_NUL } from './no-nul.ts'

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const Options = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The fields of an entry of Storage:Inputs but its Name, with a small first letter; null for none.',
})

const FolderDetail = Type.Object(
  {
    ...Folder.properties,
    options: Options,
    version: Type.Integer({ description: 'Number of its edits; 0 of a folder of the settings file.' }),
  },
  { $id: 'FolderDetail' },
)

const form = {
  options: Options,
  profile: Type.Optional(
    nullable(
      Type.String({
        maxLength: 64,
        pattern: NO_NUL,
        description: 'The profile to feed; null for none, absent leaves it.',
      }),
    ),
  ),
  create: Type.Optional(Type.Boolean({ description: 'Whether a folder that does not exist is made.' })),
} as const

const route = { hidden: true, policy: 'Actions' } as const

/** Every folder with its state, and what a form offers. */
export const listFolderDetails = {
  method: 'GET',
  path: '/dashboard/api/folders',
  summary: 'The input folders, with what the dashboard edits.',
  hidden: true,
  answer: Type.Object({
    folders: Type.Array(FolderDetail),
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.Enum(['text', 'number', 'list', 'flag']),
        required: Type.Boolean(),
      }),
      { description: 'The options of a folder in this build.' },
    ),
    profiles: Type.Array(Type.Object({ name: Type.String(), folder: nullable(Type.String()) })),
  }),
} as const

export const addFolder = {
  ...route,
  method: 'POST',
  path: '/dashboard/api/folders',
  summary: 'Adds an input folder, which is watched at once.',
  body: Type.Object({ name: Type.String({ maxLength: 64 }), ...form }),
  status: 201,
  answer: FolderDetail,
  refusals: ['folder.invalid', 'folder.already-exists'],
} as const

export const editFolder = {
  ...route,
  method: 'PUT',
  path: '/dashboard/api/folders/{name}',
  summary: 'Changes an input folder; the version says which one the form was opened with.',
  body: Type.Object({ version: Type.Integer(), ...form }),
  answer: FolderDetail,
  refusals: ['folder.not-found', 'folder.invalid', 'folder.changed-meanwhile', 'folder.in-settings'],
} as const

export const removeFolder = {
  ...route,
  method: 'DELETE',
  path: '/dashboard/api/folders/{name}',
  summary: 'Stops watching an input folder; its files stay, and jobs in flight end.',
  answer: Type.Object({ name: Type.String() }),
  refusals: ['folder.not-found', 'folder.in-settings'],
} as const

const transition = {
  ...route,
  method: 'POST',
  body: Type.Optional(
    Type.Object({
      reason: Type.Optional(nullable(Type.String({ description: 'At most 512 characters.' }))),
    }),
  ),
  answer: FolderDetail,
  refusals: ['folder.not-found', 'validation.reason-too-long'],
} as const

export const pauseFolder = {
  ...transition,
  path: '/dashboard/api/folders/{name}/pause',
  summary: 'Takes no more files from an input folder; files already taken are signed.',
} as const

export const resumeFolder = {
  ...transition,
  path: '/dashboard/api/folders/{name}/resume',
  summary: 'Takes files from an input folder again.',
} as const
