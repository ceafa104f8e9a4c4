// Events and the history of jobs in the reader's language: neither has an English sentence left in Portuguese, and
// programs that name no language read what they always read.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { buildRemittance, remittanceRecords, samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { databases, profileOf, type RunningBatchSigner, sharedBatchSigner } from './test-support/running-service.ts'

const label = demoHolders[0]!.label
const profiles = [
  profileOf(label, { Name: 'default', InputFolder: 'default' }),
  profileOf(label, { Name: 'remessas', Format: 'Cades', CheckCnab240: true, Verify: false }),
  profileOf(label, { Name: 'semdatas', Format: 'Cades', CheckCnab240: true, CheckCnab240PaymentDates: false }),
]

const english = { headers: { 'accept-language': 'en-US' } }
const portuguese = { headers: { 'accept-language': 'pt-BR' } }

/** Words of English sentences that no Portuguese one has. */
const ENGLISH =
  /\b(the|is|was|were|by|cannot|could|not|and|because|which|its?|put|into|waits?|input|folder|records?)\b/i

for (const database of databases)
  describe(`what happened, on ${database}`, () => {
    const fresh = sharedBatchSigner({ database, profiles })

    test('is told by events in the language of who reads them, and in English to programs', async () => {
      const service = await fresh()
      await acts(service)
      const [plain, inEnglish, inPortuguese] = [
        await events(service),
        await events(service, english),
        await events(service, portuguese),
      ]
      expect(inEnglish).toStrictEqual(plain)
      expect(new Set(plain.map(({ eventType }) => eventType))).toEqual(new Set(Object.keys(told)))
      expect(inPortuguese.map(({ id }) => id)).toEqual(plain.map(({ id }) => id))
      for (const { eventType, message } of plain) expect(message, eventType).toMatch(told[eventType]![0])
      for (const { eventType, message } of inPortuguese) {
        expect(message, eventType).toMatch(told[eventType]![1])
        expect(message).not.toMatch(ENGLISH)
      }
    })

    test('is found among the events by words of either language', async () => {
      const service = await fresh()
      await service.full.json('POST', '/api/pipeline/pause')
      await service.full.json('POST', '/api/pipeline/resume')
      for (const words of ['PROCESSAMENTO RETOMADO', 'pipeline resumed'])
        expect(await events(service, portuguese, `?contains=${encodeURIComponent(words)}`)).toMatchObject([
          { eventType: 'PipelineResumed', message: 'Processamento retomado por api-key.' },
        ])
    })

    test('is told by the history of each job, on both surfaces', async () => {
      const service = await fresh()
      const ids = await acts(service)
      for (const id of ids) {
        const lines = await history(service, id, portuguese)
        expect(lines.join('\n')).not.toMatch(ENGLISH)
        expect(await compactHistory(service, id, portuguese)).toEqual(lines)
        expect(await history(service, id, english)).toEqual(await history(service, id))
      }
      const [signed, , refused] = ids
      expect(await history(service, signed!)).toEqual([
        expect.stringMatching(/^Uploaded: \d+ bytes, SHA-256 [0-9a-f]{64}\.$/),
        'Picked up.',
        expect.stringMatching(/^Signed \d+ bytes, SHA-256 [0-9a-f]{64}, as Pades\.$/),
        expect.stringMatching(/^Verified; \d+ bytes put into output\/ as contrato\.signed\.pdf\.$/),
      ])
      expect(await history(service, signed!, portuguese)).toEqual([
        expect.stringMatching(/^Enviado: \d+ bytes, SHA-256 [0-9a-f]{64}\.$/),
        'Iniciado.',
        expect.stringMatching(/^Assinados \d+ bytes, SHA-256 [0-9a-f]{64}, como Pades\.$/),
        expect.stringMatching(/^Verificado; \d+ bytes postos em output\/ como contrato\.signed\.pdf\.$/),
      ])
      expect(await history(service, refused!, portuguese)).toEqual([
        expect.stringMatching(/^Enviado/),
        'Iniciado.',
        'Não é uma remessa CNAB240 em conformidade: 1 violação(ões).',
        expect.stringMatching(/^Registro 5, colunas 18 a 23: O trailer do lote deve contar 4 registros/),
        expect.stringMatching(/^Registro 5, colunas 18 a 23: O trailer do lote deve contar 4 registros/),
      ])
    })
  })

/** What each type of event says, in English and in Portuguese. */
const told: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  ServiceStarted: [/^Service \S+ started\.$/, /^O serviço \S+ foi iniciado\.$/],
  SigningProfileCreated: [
    /^The signing profile \w+ was created from the configuration\.$/,
    /^O perfil de assinatura \w+ foi criado a partir da configuração\.$/,
  ],
  PipelinePaused: [
    /^Pipeline paused by api-key\. Reason: almoço$/,
    /^Processamento pausado por api-key\. Motivo: almoço$/,
  ],
  JobRetried: [/^Job \S+ retried as \S+ by api-key\.$/, /^Trabalho \S+ repetido como \S+ por api-key\.$/],
  JobCanceled: [
    /^Job \S+ canceled by api-key\. Reason: engano$/,
    /^Trabalho \S+ cancelado por api-key\. Motivo: engano$/,
  ],
  PipelineResumed: [/^Pipeline resumed by api-key\.$/, /^Processamento retomado por api-key\.$/],
  Cnab240ValidationFailed: [
    /^folha\.rem: Record 5, columns 18 to 23: The batch trailer must count 4 records/,
    /^folha\.rem: Registro 5, colunas 18 a 23: O trailer do lote deve contar 4 registros/,
  ],
  Cnab240PaymentDatePassed: [
    /^tarde\.rem: The earliest payment date is 02\/01\/2020/,
    /^tarde\.rem: A primeira data de pagamento é 02\/01\/2020/,
  ],
  Cnab240PaymentDateCheckSkipped: [
    /^sem\.rem: The payment dates were not checked, because the profile semdatas does not ask for it\.$/,
    /^sem\.rem: As datas de pagamento não foram conferidas, porque o perfil semdatas não o pede\.$/,
  ],
  FileAlreadyProcessed: [
    /^The file contrato\.pdf of the input folder default was refused: A file of this name .* Job \S+ carries the name/,
    /^O arquivo contrato\.pdf da pasta de entrada default foi recusado: Um arquivo com este nome .* O nome é do trabalho/,
  ],
  FolderPaused: [
    /^The input folder default was paused by api-key\. Reason: feriado$/,
    /^A pasta de entrada default foi pausada por api-key\. Motivo: feriado$/,
  ],
  FolderResumed: [
    /^The input folder default was resumed by api-key\.$/,
    /^A pasta de entrada default foi retomada por api-key\.$/,
  ],
  RescanCompleted: [
    /^Rescan of default by api-key: 0 files seen, 0 enqueued, 0 errors\.$/,
    /^Nova varredura de default por api-key: 0 arquivos vistos, 0 postos na fila, 0 erros\.$/,
  ],
  FilesReleased: [
    /^0 held files of the input folder default were released by api-key\.$/,
    /^0 arquivos retidos da pasta de entrada default foram liberados por api-key\.$/,
  ],
  FolderAdded: [/^The input folder outra was added: \/\S+\.$/, /^A pasta de entrada outra foi acrescentada: \/\S+\.$/],
  FolderEdited: [/^The input folder outra was edited: \/\S+\.$/, /^A pasta de entrada outra foi alterada: \/\S+\.$/],
  FolderRemoved: [
    /^The input folder outra was removed; its files stay\.$/,
    /^A pasta de entrada outra foi removida; os arquivos dela ficam\.$/,
  ],
  SigningProfileEdited: [
    /^The signing profile semdatas was edited: inputFolder\.$/,
    /^O perfil de assinatura semdatas foi alterado: inputFolder\.$/,
  ],
  FailuresRetried: [
    /^Of the failures by \S+ since \S+, 1 were queued again and 0 could not be\.$/,
    /^Das falhas por \S+ desde \S+, 1 voltaram à fila e 0 não puderam\.$/,
  ],
  JobDeleted: [
    /^Job of cancelado\.pdf \(Canceled\) deleted by api-key\. Reason: engano$/,
    /^Trabalho de cancelado\.pdf \(cancelado\) excluído por api-key\. Motivo: engano$/,
  ],
}

/** Makes the events of `told` happen; returns the jobs that stay. */
async function acts(service: RunningBatchSigner): Promise<readonly string[]> {
  const { full } = service
  const signed = await ended(service, 'contrato.pdf', samplePdf('Contrato'))
  const encrypted = samplePdf('segredo').toString('latin1').replace('/Root', LOCKED)
  const locked = await ended(service, 'segredo.pdf', Buffer.from(encrypted, 'latin1'))
  const refused = await ended(service, 'folha.rem', miscounted(), '?profile=remessas')
  const late = buildRemittance({ payments: [{ amountCentavos: 100, paymentDate: '2020-01-02' }] })
  const passed = await ended(service, 'tarde.rem', late, '?profile=remessas')
  const good = await ended(service, 'boa.rem', buildRemittance(plan), '?profile=remessas')
  const undated = await ended(service, 'sem.rem', buildRemittance(plan), '?profile=semdatas')
  const { body: retry } = await full.json<{ newJobId: string }>('POST', `/api/jobs/${locked}/retry`)
  await end(service, retry.newJobId)
  await writeFile(join(service.input(), 'contrato.pdf'), samplePdf('Contrato'))
  await expect.poll(async () => (await events(service, english, '?type=FileAlreadyProcessed')).length).toBe(1)
  await post(service, '/api/pipeline/pause', { reason: 'almoço' })
  const canceled = await uploaded(service, 'cancelado.pdf', samplePdf('Não'))
  await post(service, `/api/jobs/${canceled}/cancel`, { reason: 'engano' })
  expect(await history(service, canceled, portuguese)).toContain(
    'Cancelado por um operador: engano. O arquivo enviado foi removido; envie-o de novo para que seja assinado.',
  )
  await send(service, 'DELETE', `/dashboard/api/jobs/${canceled}`, { reason: 'engano' })
  await post(service, '/api/pipeline/resume')
  await post(service, '/dashboard/api/folders/default/pause', { reason: 'feriado' })
  await post(service, '/dashboard/api/folders/default/resume')
  await post(service, '/api/rescan')
  await post(service, '/api/folders/default/release')
  const path = join(service.folder, 'in', 'outra')
  const outra = '/dashboard/api/folders/outra'
  await post(service, '/dashboard/api/folders', { name: 'outra', options: { path }, create: true, profile: 'semdatas' })
  await send(service, 'PUT', outra, { version: 1, options: { path, ignoredExtensions: ['.bak'] } })
  await send(service, 'DELETE', outra)
  const cause = 'job.signing-failed/pdf.encrypted'
  await post(service, '/dashboard/api/failures/retry', { cause, since: '2020-01-01T00:00:00.000Z' })
  await expect.poll(() => unfinished(service)).toBe(0)
  return [signed, locked, refused, passed, good, undated, retry.newJobId]
}

/** Encryption whose password nobody knows. */
const LOCKED = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}> >> /Root`

const plan = { payments: [{ amountCentavos: 100, paymentDate: '2090-01-02' }] }

/** A remittance whose batch trailer (record 5 of 6) counts three records too few. */
function miscounted(): Buffer {
  const records = remittanceRecords(plan)
  const bent = records.map((record, at) =>
    at === records.length - 2 ? `${record.slice(0, 17)}000001${record.slice(23)}` : record,
  )
  return Buffer.from(`${bent.join('\r\n')}\r\n`, 'latin1')
}

interface Event {
  readonly id: string
  readonly eventType: string
  readonly message: string
}

type Init = Parameters<RunningBatchSigner['full']['call']>[2]

async function events(
  { full }: RunningBatchSigner,
  init: Init = {},
  query = '?pageSize=200',
): Promise<readonly Event[]> {
  const { body } = await full.json<{ items: Event[] }>('GET', `/api/events${query}`, init)
  return body.items
}

interface Lines {
  readonly status: string
  readonly history: readonly { readonly message: string }[]
  readonly events: readonly { readonly message: string }[]
}

const detail = async ({ full }: RunningBatchSigner, id: string, init: Init = {}): Promise<Lines> =>
  (await full.json<Lines>('GET', `/api/jobs/${id}`, init)).body

const history = async (service: RunningBatchSigner, id: string, init: Init = {}) =>
  (await detail(service, id, init)).history.map(({ message }) => message)

const compactHistory = async ({ compact }: RunningBatchSigner, id: string, init: Init) =>
  (await compact.json<Lines>('GET', `/api/jobs/${id}`, init)).body.events.map(({ message }) => message)

async function ended(service: RunningBatchSigner, name: string, content: Buffer, query = ''): Promise<string> {
  const id = await uploaded(service, name, content, query)
  await end(service, id)
  return id
}

const end = (service: RunningBatchSigner, id: string) =>
  expect.poll(async () => (await detail(service, id)).status).toMatch(/Completed|Failed/)

async function uploaded({ full }: RunningBatchSigner, name: string, content: Buffer, query = ''): Promise<string> {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(content)], name))
  const { body } = await full.json<{ jobId: string }>('POST', `/api/files${query}`, { body: form })
  return body.jobId
}

async function unfinished({ full }: RunningBatchSigner): Promise<number> {
  const { body } = await full.json<{ items: { status: string }[] }>('GET', '/api/jobs?pageSize=50')
  return body.items.filter(({ status }) => status !== 'Completed' && status !== 'Failed').length
}

const post = (service: RunningBatchSigner, path: string, body?: object) => send(service, 'POST', path, body)

async function send({ full }: RunningBatchSigner, method: string, path: string, body?: object): Promise<void> {
  const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await full.call(method, path, json)
  expect([path, answer.ok]).toEqual([path, true])
}
