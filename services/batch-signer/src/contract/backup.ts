import Type from 'typebox'

const tags = ['Backup']

const Text = Type.Union([Type.String(), Type.Null()])

const BackupRun = Type.Object(
  {
    id: Type.String(),
    trigger: Type.Enum(['Manual', 'Scheduled']),
    actor: Type.String(),
    startedAtUtc: Type.String(),
    finishedAtUtc: Text,
    result: Type.Union([Type.Enum(['Succeeded', 'Failed', 'Canceled']), Type.Null()]),
    fileName: Text,
    sizeBytes: Type.Union([Type.Number(), Type.Null()]),
    error: Text,
  },
  { $id: 'BackupRun' },
)

const view = {
  method: 'GET',
  summary: 'How the store is backed up: configuration, the running backup, the newest runs.',
  tags,
  answer: Type.Object(
    {
      supported: Type.Boolean({ description: 'False on PostgreSQL, which has its own tools.' }),
      enabled: Type.Boolean(),
      destination: Text,
      intervalHours: Type.Union([Type.Integer(), Type.Null()]),
      retainCount: Type.Integer(),
      nextDueAtUtc: Text,
      lastSuccessAtUtc: Text,
      masterKeyIncluded: Type.Literal(false),
      running: Type.Union([Type.Object({ ...BackupRun.properties, progress: Type.Number() }), Type.Null()]),
      runs: Type.Array(BackupRun),
    },
    { $id: 'BackupView' },
  ),
} as const

export const backupView = { ...view, path: '/api/backup' } as const

export const backupPage = { ...view, path: '/dashboard/api/backup', hidden: true } as const

const RunId = Type.Object({ runId: Type.String() }, { $id: 'BackupRunId' })

export const startBackup = {
  method: 'POST',
  path: '/api/backup',
  summary: 'Starts a backup of the embedded store.',
  description:
    'Answers as soon as it is admitted. The backup holds the rows, whose secrets are sealed under the master key; the master key itself is not in it and has to be kept apart.',
  tags,
  policy: 'Actions',
  status: 202,
  answer: RunId,
  refusals: ['backup.disabled', 'backup.already-running'],
} as const

export const cancelBackup = {
  method: 'POST',
  path: '/api/backup/cancel',
  summary: 'Stops the running backup and removes what there is of it.',
  tags,
  policy: 'Actions',
  status: 202,
  answer: RunId,
  refusals: ['backup.disabled', 'backup.not-running'],
} as const
