import Type from 'typebox'

/** Result of a cleanup; the compact variant answers the same. */
export const CleanupResult = Type.Object(
  {
    jobsDeleted: Type.Integer(),
    outputFilesDeleted: Type.Integer(),
    errorFilesDeleted: Type.Integer({ description: 'Folders under error/.' }),
    operationalEventsDeleted: Type.Integer(),
    filesMissing: Type.Integer({ description: 'Files that were to be deleted and had gone before.' }),
    errors: Type.Integer({ description: 'Jobs kept because a file of theirs could not be deleted.' }),
  },
  { $id: 'CleanupResult' },
)

export const runCleanup = {
  method: 'POST',
  path: '/api/cleanup',
  summary: 'Runs the retention cleanup now.',
  description:
    'Deletes what ended longer ago than Retention:RetentionDays. A call during a cleanup waits for that one.',
  tags: ['Operations'],
  policy: 'Actions',
  answer: CleanupResult,
} as const

const Text = Type.Union([Type.String(), Type.Null()])
const Check = Type.Object({
  name: Type.String(),
  ok: Type.Boolean(),
  told: Type.Union([Type.String(), Type.Null()], {
    description: 'What it means that it is red, in the language of the request.',
  }),
  detail: Type.Optional(Type.String({ description: 'What it found, in English.' })),
})

/** The data of the dashboard's System page. */
export const systemView = {
  method: 'GET',
  path: '/dashboard/api/system',
  summary: 'The service as its operators look after it.',
  hidden: true,
  answer: Type.Object({
    version: Type.String(),
    environment: Type.String(),
    store: Type.String({ description: 'Product and version of the database.' }),
    startedAt: Type.String(),
    uptimeSeconds: Type.Integer(),
    lastShutdown: Type.Union([
      Type.Object({ startedAt: Type.String(), stoppedAt: Text, clean: Type.Boolean() }),
      Type.Null(),
    ]),
    queueLength: Type.Integer(),
    paths: Type.Object({
      dataFolder: Type.String(),
      storageRoot: Type.String(),
      inputs: Type.Array(Type.Object({ name: Type.String(), path: Type.String() })),
      database: Text,
      masterKeyFile: Text,
      backups: Text,
    }),
    readiness: Type.Object({ ready: Type.Boolean(), checks: Type.Array(Check) }),
    trustAnchors: Type.Array(Type.Object({ subject: Type.String(), notAfter: Type.String() })),
    customerLogo: Text,
    settings: Type.Unknown({ description: 'The effective settings; secrets say only whether they are set.' }),
  }),
} as const
