import Type, { type TSchema } from 'typebox'

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** Why a file is not taken now. */
const waitReasons = [
  'open',
  'settling',
  'changing',
  'empty',
  'no-ready-marker',
  'name-not-utf8',
  'path-too-long',
] as const

export type WaitReason = (typeof waitReasons)[number]

const WaitingFile = Type.Object(
  {
    fileName: Type.String(),
    reason: Type.Enum([...waitReasons], {
      description:
        'open: somebody has it open for writing or locked. settling: nobody can say, so it must rest longer. changing: it kept changing. empty: it has no content. no-ready-marker: the file that says it is complete is not there. name-not-utf8, path-too-long: it cannot be taken under this name.',
    }),
    since: Type.String({ format: 'date-time' }),
  },
  { $id: 'WaitingFile' },
)

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
    waitingCount: Type.Integer({ description: 'Files that are not taken now, and why is known; up to 1,000.' }),
    waiting: Type.Array(WaitingFile, { description: 'The first 50 of them, those that wait longest first.' }),
    refusedCount: Type.Integer({ description: 'Files that lie there although their job failed or was canceled.' }),
    heldCount: Type.Integer({ description: 'Files that lay there before the database knew the folder.' }),
    heldReason: nullable(
      Type.Enum(['folder-new', 'database-new', 'database-older'], {
        description:
          'folder-new: the database meets the folder for the first time. database-new: another database knew it. database-older: the database was restored to an earlier state.',
      }),
    ),
    instance: nullable(Type.String({ description: 'Null unless several instances share one store.' })),
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

/** Held files are taken on an operator's word. */
export const releaseFolder = {
  method: 'POST',
  path: '/api/folders/{name}/release',
  summary: 'Takes the held files of an input folder.',
  description:
    'Files that lie in a folder when a new or restored database first meets it are held. Rescan takes them as well, with those whose last job failed or was canceled.',
  tags: ['Folders'],
  policy: 'Actions',
  status: 200,
  answer: Type.Object({ folder: Type.String(), released: Type.Integer() }, { $id: 'ReleasedFolder' }),
  refusals: ['folder.not-found'],
} as const
