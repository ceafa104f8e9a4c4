// The smallest complete service: settings, a table, a sealed column, API keys, two kinds of access, a reference page.
// Tests of the kernel's service runner and of the command line start it; a newcomer can read it as the pattern.
import { randomUUID } from 'node:crypto'
import { serviceSettings } from '@chancela/service-kernel/config'
import { type ErrorVocabulary, refuser } from '@chancela/service-kernel/errors'
import { eventMigrations } from '@chancela/service-kernel/events'
import { healthMigrations } from '@chancela/service-kernel/health'
import {
  type ApiKeyTables,
  apiKeyMigrations,
  type FrameworkErrors,
  problemDetails,
  route,
  serve,
} from '@chancela/service-kernel/http'
import { masterKeyMigrations, sealedTable } from '@chancela/service-kernel/secrets'
import {
  createSurfaceApp,
  defineService,
  openKeys,
  type ServiceContext,
  type SurfaceDefinition,
  serveOperations,
} from '@chancela/service-kernel/service'
import type { Migration } from '@chancela/service-kernel/store'
import { type Static, Type } from 'typebox'

const errors = {
  'request.invalid': { status: 400, message: 'The request is not accepted.' },
  'request.unknown-route': { status: 404, message: 'Nothing answers here.' },
  'auth.invalid-credentials': { status: 401, message: 'The key is not accepted.' },
  busy: { status: 429, message: 'Too much at once.' },
  internal: { status: 500, message: 'It did not work.' },
  'note.not-found': { status: 404, message: 'No note has this id.' },
} as const satisfies ErrorVocabulary

const refuse = refuser(errors)

const frameworkErrors: FrameworkErrors<keyof typeof errors> = {
  'invalid-json': 'request.invalid',
  validation: 'request.invalid',
  'unsupported-media-type': 'request.invalid',
  'body-too-large': 'request.invalid',
  'unknown-route': 'request.unknown-route',
  unauthorized: 'auth.invalid-credentials',
  'rate-limited': 'busy',
  busy: 'busy',
  internal: 'internal',
}

interface NoteRow {
  id: string
  sealed_text: string
}

interface Tables extends ApiKeyTables {
  note: NoteRow
}

const noteMigrations: readonly Migration[] = [
  {
    id: 1,
    name: 'notes',
    breaking: false,
    up: async (db) => {
      await db.schema
        .createTable('note')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('sealed_text', 'text', (column) => column.notNull())
        .execute()
    },
  },
]

const contextOf = (id: string) => `sample/note/${id}/text`

const sealedNotes = sealedTable<NoteRow>({
  table: 'note',
  idColumn: 'id',
  columns: ['sealed_text'],
  context: (row) => contextOf(row.id),
})

const Note = Type.Object({ id: Type.String(), text: Type.String() })
const keepNote = route({
  method: 'POST',
  path: '/api/notes',
  summary: 'Keeps a note, sealed.',
  body: Type.Object({ text: Type.String({ minLength: 1 }) }),
  status: 201,
  answer: Note,
})
const readNote = route({
  method: 'GET',
  path: '/api/notes/{id}',
  summary: 'Reads a note.',
  answer: Note,
  refusals: ['note.not-found'],
})

const surface: SurfaceDefinition = {
  name: 'sample',
  title: { 'pt-BR': 'Amostra', 'en-US': 'Sample' },
  summary: { 'pt-BR': 'Guarda notas.', 'en-US': 'Keeps notes.' },
  section: 'Http',
  healthPath: '/api/health',
  readyPath: '/api/ready',
  referencePath: '/reference',
  openApiPath: '/openapi/v1.json',
  apiKey: { header: 'X-API-Key', form: 'application|secret' },
}

const sampleSettings = serviceSettings(
  { Http: { Port: 0 }, Database: { Url: 'sqlite:sample/store.db' }, Secrets: { MasterKeyFile: 'sample/master.key' } },
  { Notes: Type.Object({ Password: Type.Optional(Type.String({ secret: true, description: 'A secret to hide.' })) }) },
)

/** A service that keeps notes. Its port and database come from the settings `sample`. */
export const sampleService = defineService<typeof sampleSettings, Tables>({
  name: 'sample',
  title: 'Sample',
  summary: 'Keeps notes.',
  settings: sampleSettings,
  migrations: {
    'api-keys': apiKeyMigrations,
    events: eventMigrations,
    'master-keys': masterKeyMigrations,
    health: healthMigrations,
    sample: noteMigrations,
  },
  sealedTables: [sealedNotes],
  surfaces: [surface],
  build: async (context) => ({ surfaces: { sample: await sampleApp(context) } }),
})

async function sampleApp(context: ServiceContext<Static<typeof sampleSettings>, Tables>) {
  const { settings, store, secrets } = context
  const ring = await openKeys(context)
  const app = await createSurfaceApp(context, {
    surface,
    dialect: problemDetails,
    vocabulary: errors,
    frameworkErrors,
    ring,
  })
  serve(app, keepNote, async ({ body }) => {
    const id = randomUUID()
    const sealed_text = secrets.seal(body.text, contextOf(id))
    await store.db.insertInto('note').values({ id, sealed_text }).execute()
    return { id, text: body.text }
  })
  serve(app, readNote, async ({ params: { id } }) => {
    const note = await store.db.selectFrom('note').selectAll().where('id', '=', id).executeTakeFirst()
    if (!note) throw refuse('note.not-found', { id })
    return { id, text: secrets.openText(note.sealed_text, contextOf(id)) }
  })
  const paths = {
    health: '/api/health',
    ready: '/api/ready',
    readyDetails: '/api/ready/details',
    metrics: '/api/metrics',
  }
  serveOperations(app, context, paths, settings.Metrics)
  return app
}
