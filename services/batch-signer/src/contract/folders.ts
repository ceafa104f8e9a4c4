import Type, { type TSchema } from 'typebox'

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** A folder, as operators see it. */
export const Folder = Type.Object(
  {
    name: Type.String(),
    path: Type.String(),
    exists: Type.Boolean(),
    status: Type.Enum(['Running', 'Stopped', 'Unassigned'], {
      description:
        'Unassigned: no profile chose the folder, nobody watches it. Stopped: nothing is taken from it; `paused` tells a pause from a failure.',
    }),
    paused: nullable(
      Type.Object({
        atUtc: Type.String({ format: 'date-time' }),
        by: Type.String(),
        reason: nullable(Type.String()),
      }),
    ),
    source: Type.Enum(['Settings', 'Dashboard'], {
      description: 'Where the folder is changed: in the settings file, or on the dashboard.',
    }),
    lastEnqueuedAt: nullable(Type.String({ format: 'date-time' })),
    lastError: nullable(Type.String()),
    processedCount: Type.Integer({ description: 'Files of the folder that have become jobs, ever.' }),
    fileCount: Type.Integer({ maximum: 50, description: 'Files that lie in the folder, counted up to 50.' }),
    profileName: nullable(Type.String()),
    profileFormat: Type.Enum(['Pades', 'Cades', 'Xades', 'auto']),
  },
  { $id: 'Folder' },
)

/** GET /api/folders (spec 2, Resources). */
export const listFolders = {
  method: 'GET',
  path: '/api/folders',
  summary: 'Lists the input folders and their status.',
  tags: ['Folders'],
  answer: Type.Object(
    {
      instance: nullable(Type.String({ description: 'Null unless several instances share one store.' })),
      folders: Type.Array(Folder),
    },
    { $id: 'Folders' },
  ),
} as const
