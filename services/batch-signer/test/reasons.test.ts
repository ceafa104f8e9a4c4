// Why a file failed, told where people look, in their language.
import { demoHolders } from '@chancela/testkit/demo-pki'
import { buildRemittance, remittanceRecords, samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import {
  databases,
  profileOf,
  type RunningBatchSigner,
  sharedBatchSigner,
  startBatchSigner,
} from './test-support/running-service.ts'

const label = demoHolders[0]!.label
const profiles = [
  profileOf(label, { Name: 'default', InputFolder: 'default' }),
  profileOf(label, { Name: 'remessas', Format: 'Cades', CheckCnab240: true }),
  profileOf(label, { Name: 'undated', Format: 'Cades', CheckCnab240: true, CheckCnab240PaymentDates: false }),
]

const plan = { payments: [{ amountCentavos: 100 }] }

/** A remittance whose batch trailer (record 5 of 6) counts three records too few, and whose file trailer one too many. */
function miscounted(): Buffer {
  const records = remittanceRecords(plan)
  const bent = records.map((record, at) =>
    at === records.length - 2
      ? `${record.slice(0, 17)}000001${record.slice(23)}`
      : at === records.length - 1
        ? `${record.slice(0, 17)}000009${record.slice(23)}`
        : record,
  )
  return Buffer.from(`${bent.join('\r\n')}\r\n`, 'latin1')
}

const encryptedPdf = () => Buffer.from(samplePdf('segredo').toString('latin1').replace('/Root', LOCKED), 'latin1')

/** Encryption whose password nobody knows. */
const LOCKED = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}> >> /Root`

const inPortuguese = { headers: { 'accept-language': 'pt-BR' } }

for (const database of databases)
  describe(`the reason of a failure on ${database}`, () => {
    const fresh = sharedBatchSigner({ database, profiles })

    test('of a remittance names record, columns and finding, in list, job, event and compact variant', async () => {
      const service = await fresh()
      const id = await failed(service, 'folha.rem', miscounted(), '?profile=remessas')
      const sentence =
        /^Record 5, columns 18 to 23: The batch trailer must count 4 records.*it says "000001"\. And 1 more\.$/
      expect((await listed(service)).errorMessage).toMatch(sentence)
      expect((await detail(service, id)).errorMessage).toMatch(sentence)
      expect((await compactDetail(service, id)).errorMessage).toMatch(sentence)
      const { body } = await service.full.json<Events>('GET', '/api/events?eventType=Cnab240ValidationFailed')
      expect(body.items[0]!.message).toContain('folha.rem: Record 5, columns 18 to 23: The batch trailer must count')
    })

    test('is told in the reader’s language, and in English to programs that name none', async () => {
      const service = await fresh()
      const id = await failed(service, 'folha.rem', miscounted(), '?profile=remessas')
      const sentence = /^Registro 5, colunas 18 a 23: O trailer do lote deve contar 4 registros.*E mais 1\.$/
      expect((await listed(service, inPortuguese)).errorMessage).toMatch(sentence)
      expect((await detail(service, id, inPortuguese)).errorMessage).toMatch(sentence)
      expect((await compactDetail(service, id, inPortuguese)).errorMessage).toMatch(sentence)
      const cookie = { headers: { 'accept-language': 'en-US', cookie: 'chancela-culture=pt-BR' } }
      expect((await detail(service, id, cookie)).errorMessage).toMatch(sentence)
      expect((await detail(service, id, inPortuguese)).errorFindings).toEqual([
        expect.stringMatching(/^Registro 5, colunas 18 a 23: .*ele diz "000001"\.$/),
        'Registro 6, colunas 18 a 23: O trailer do arquivo deve contar 1 lote(s); ele diz "000009".',
      ])
    })

    test('of a signature is the reason of the engine, in both languages', async () => {
      const service = await fresh()
      const pdf = await failed(service, 'contrato.pdf', encryptedPdf())
      expect(await detail(service, pdf)).toMatchObject({
        errorCode: 'job.signing-failed',
        errorCause: 'job.signing-failed/pdf.encrypted',
        errorMessage: 'The signature could not be made. The file is encrypted, and can be read with its password only.',
      })
      expect((await detail(service, pdf, inPortuguese)).errorMessage).toBe(
        'A assinatura não pôde ser feita. O arquivo está criptografado e só pode ser lido com a senha dele.',
      )
      const xml = await failed(service, 'nota.xml', Buffer.from('<nota><numero>1</nota>'))
      expect((await detail(service, xml, inPortuguese)).errorMessage).toBe(
        'A assinatura não pôde ser feita. A marca final no byte 15 não fecha o elemento aberto.',
      )
    })

    test('of a date that has passed names both days once', async () => {
      const service = await fresh()
      const late = buildRemittance({ payments: [{ amountCentavos: 100, paymentDate: '2020-01-02' }] })
      const id = await failed(service, 'tarde.rem', late, '?profile=remessas')
      expect((await detail(service, id)).errorMessage).toMatch(
        /^The earliest payment date is 02\/01\/2020 and today is [\d/]+: the bank would refuse a payment in the past\.$/,
      )
      expect((await detail(service, id, inPortuguese)).errorMessage).toMatch(
        /^A primeira data de pagamento é 02\/01\/2020/,
      )
    })
  })

describe('the gate of payment dates', () => {
  const fresh = sharedBatchSigner({ database: 'SQLite', profiles })

  test.each([
    [
      '31022090',
      /^Record 3, columns 94 to 101: .*"31022090" is not a date, so nobody can tell whether it has passed\.$/,
    ],
    ['AB012090', /^Record 3, columns 94 to 101: .*"AB012090" is not a date/],
    ['00000000', /^Record 3, columns 94 to 101: The payment carries no date/],
  ])('does not open for the date %s', async (date, reason) => {
    const service = await fresh()
    const id = await failed(service, 'datas.rem', dated(date), '?profile=remessas')
    expect(await detail(service, id)).toMatchObject({
      errorCode: 'cnab240.invalid',
      errorMessage: expect.stringMatching(reason),
    })
  })

  test('is not asked where the profile does not check dates', async () => {
    const service = await fresh()
    const id = await uploaded(service, 'datas.rem', dated('31022090'), '?profile=undated')
    await expect.poll(async () => (await detail(service, id)).status).toBe('Completed')
  })
})

describe('the rules of single banks', () => {
  const payments = [{ amountCentavos: 100, payeeBank: '237' }]
  const tedWithin = buildRemittance({ bank: '237', payments })

  test('are told in the history and the file is signed, by default', async () => {
    const service = await startBatchSigner({ database: 'SQLite', profiles })
    const id = await uploaded(service, 'ted.rem', tedWithin, '?profile=remessas')
    await expect.poll(async () => (await detail(service, id)).status).toBe('Completed')
    const { history } = (await service.full.json<{ history: { message: string }[] }>('GET', `/api/jobs/${id}`)).body
    expect(history.map(({ message }) => message).join(' ')).toContain('A TED cannot go to bank 237 itself')
  })

  test('refuse the file where Cnab240:BankRules says so', async () => {
    const settings = { Cnab240: { BankRules: 'Refuse' } }
    const service = await startBatchSigner({ database: 'SQLite', profiles, settings })
    const id = await failed(service, 'ted.rem', tedWithin, '?profile=remessas')
    expect(await detail(service, id)).toMatchObject({ errorCause: 'cnab240.invalid/bank-ted-within' })
  })
})

/** A remittance with these eight characters as the date of its payment. */
function dated(date: string): Buffer {
  const bent = remittanceRecords(plan).map((record, at) =>
    at === 2 ? record.slice(0, 93) + date + record.slice(101) : record,
  )
  return Buffer.from(`${bent.join('\r\n')}\r\n`, 'latin1')
}

interface Told {
  readonly id: string
  readonly status: string
  readonly errorMessage: string
  readonly errorFindings: readonly string[]
}

interface Events {
  readonly items: readonly { readonly message: string }[]
}

async function failed(service: RunningBatchSigner, fileName: string, content: Buffer, query = ''): Promise<string> {
  const id = await uploaded(service, fileName, content, query)
  await expect.poll(async () => (await detail(service, id)).status).toBe('Failed')
  return id
}

async function uploaded(service: RunningBatchSigner, fileName: string, content: Buffer, query = ''): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)]), fileName)
  return (await service.full.json<{ jobId: string }>('POST', `/api/files${query}`, { body: form })).body.jobId
}

const detail = async (service: RunningBatchSigner, id: string, init?: RequestInit): Promise<Told> =>
  (await service.full.json<Told>('GET', `/api/jobs/${id}`, init)).body

const compactDetail = async (service: RunningBatchSigner, id: string, init?: RequestInit): Promise<Told> =>
  (await service.compact.json<Told>('GET', `/api/jobs/${id}`, init)).body

const listed = async (service: RunningBatchSigner, init?: RequestInit): Promise<Told> =>
  (await service.full.json<{ items: Told[] }>('GET', '/api/jobs', init)).body.items[0]!
