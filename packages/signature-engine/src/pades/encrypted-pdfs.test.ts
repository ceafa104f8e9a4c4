import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPage } from '../pdf/page-tree.ts'
import { openPdf } from '../pdf/pdf-file.ts'
import { isDict, isStream, isString } from '../pdf/pdf-object.ts'
import { type EncryptOptions, encryptedPdf, encryptionMethods } from '../pdf/test-support/encrypted-pdfs.ts'
import { streamPdf, tablePdf, throughQpdf, withRevision } from '../pdf/test-support/sample-pdfs.ts'
import { decodeText } from '../pdf/text-string.ts'
import { drawElements, extendPades, type StampPagesOptions, stampPages, timestampPades } from './index.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom

beforeAll(async () => {
  room = await openSigningRoom()
})

afterAll(() => room.stop())

const SECRETS = { user: 'segredo', owner: 'dono' } as const

/** A document with text in strings and in streams, some of them in an object stream. */
const document = (catalog = '', extra: Readonly<Record<number, string>> = {}) =>
  streamPdf({
    pages: 2,
    catalog,
    trailer: '/Info 90 0 R',
    extra: { 90: '<< /Title (Contrato social) >>', ...extra },
  })

function contentOf(pdf: Buffer, password?: string): { title: string; page: string } {
  const file = openPdf(pdf, { password })
  const info = file.resolve(file.trailer.get('Info'))
  const title = isDict(info) ? file.resolve(info.get('Title')) : null
  const content = file.resolve(findPage(file, 0).dict.get('Contents'))
  return {
    title: isString(title) ? decodeText(title) : '',
    page: isStream(content) ? Buffer.from(file.decode(content)).toString('latin1') : '',
  }
}

async function judges(pdf: Uint8Array, password: string) {
  const path = join(temporaryFolder(), 'file.pdf')
  writeFileSync(path, pdf)
  const checked = await runTool('qpdf', [`--password=${password}`, '--check', path])
  const seen = await runTool('pdfsig', ['-nocert', ...(password ? ['-upw', password] : []), path])
  return { qpdf: checked.exitCode, pdfsig: seen.text.match(/Signature is Valid/g)?.length ?? 0 }
}

const GOOD = { qpdf: 0, pdfsig: 1 }

describe.each(encryptionMethods)('a file encrypted by %s', (method) => {
  const encrypted = (options?: EncryptOptions) => encryptedPdf(document(), method, options)

  test('is read with the password of its users, that of its owner, and without one where that is empty', () => {
    const expected = { title: 'Contrato social', page: expect.stringContaining('Contrato, page 1') }
    expect(contentOf(encrypted(SECRETS), SECRETS.user)).toEqual(expected)
    expect(contentOf(encrypted(SECRETS), SECRETS.owner)).toEqual(expected)
    expect(contentOf(encrypted())).toEqual(expected)
    expect(contentOf(encrypted({ file: ['--object-streams=generate'] }))).toEqual(expected)
    expect(contentOf(encrypted({ file: ['--object-streams=disable'] }))).toEqual(expected)
    expect(contentOf(encrypted({ file: ['--linearize'] }))).toEqual(expected)
  })

  test('is refused without its password, and with a wrong one', async () => {
    const pdf = encrypted(SECRETS)
    expect(() => openPdf(pdf)).toThrowError(expect.objectContaining({ code: 'pdf.encrypted' }))
    const wrong = expect.objectContaining({ code: 'pdf.password-wrong' })
    expect(() => openPdf(pdf, { password: 'wrong' })).toThrowError(wrong)
    await expect(room.validate(pdf)).rejects.toMatchObject({ code: 'pdf.encrypted' })
    await expect(room.validate(pdf, { password: 'wrong' })).rejects.toMatchObject({ code: 'pdf.password-wrong' })
    await expect(room.sign(pdf)).rejects.toMatchObject({ code: 'pdf.encrypted' })
  })

  test.each([['table', 'disable'] as const, ['stream', 'generate'] as const])(
    'is signed behind its bytes with a cross-reference %s, and stays encrypted, for every judge',
    async (_style, objectStreams) => {
      for (const password of [SECRETS.user, SECRETS.owner]) {
        const pdf = encrypted({ ...SECRETS, file: [`--object-streams=${objectStreams}`] })
        const appearance = { x: 40, y: 40, width: 220, height: 60, lines: ['Assinado por Maria'] }
        const signed = await room.sign(pdf, { password, reason: 'De acordo (sim)', signerName: 'Maria', appearance })
        expect(signed.subarray(0, pdf.length).equals(pdf)).toBe(true)
        expect(signed.includes('De acordo')).toBe(false)
        expect(await judges(signed, SECRETS.user)).toEqual(GOOD)
        const report = await room.validate(signed, { password: SECRETS.user })
        expect(report).toMatchObject({ indication: 'valid', signatures: [{ indication: 'valid' }] })
      }
    },
  )

  test('whose users need no password is signed and verified without one', async () => {
    const signed = await room.sign(encrypted())
    expect(await judges(signed, '')).toEqual(GOOD)
    expect(await room.validate(signed)).toMatchObject({ indication: 'valid' })
  })

  test('reaches the archive level, and takes a second signature', async () => {
    const once = await room.sign(encrypted(SECRETS), { password: SECRETS.user, level: 'B-LTA' })
    const twice = await room.sign(once, { password: SECRETS.owner })
    const report = await room.validate(twice, { password: SECRETS.user })
    expect(report.signatures.map(({ indication, level }) => [indication, level])).toEqual([
      ['valid', 'B-LTA'],
      ['valid', 'none'],
      ['valid', 'B-B'],
    ])
    expect(await judges(twice, SECRETS.user)).toMatchObject({ qpdf: 0 })
  })

  test('is prepared again with the same bytes, where the version of the document is given', async () => {
    const pdf = encrypted()
    const now = room.clock()
    const one = { now, uuid: '00112233-4455-6677-8899-aabbccddeeff', signerName: 'Maria' }
    const [first, second] = [await room.sign(pdf, one), await room.sign(pdf, one)]
    const start = second.lastIndexOf('/Contents')
    expect(first.subarray(0, start).equals(second.subarray(0, start))).toBe(true)
  })
})

describe('permissions of an encrypted file', () => {
  const FIELD = '/AcroForm << /Fields [80 0 R] >>'
  const field = { 80: '<< /FT /Sig /Type /Annot /Subtype /Widget /T (Aceite) /Rect [0 0 0 0] /P 4 0 R >>' }
  const restricted = (modify: string) =>
    encryptedPdf(document(FIELD, field), 'AES-256 (R6)', { ...SECRETS, restrictions: [`--modify=${modify}`] })
  const stamped = async (added: boolean): Promise<StampPagesOptions> => {
    const [picture] = await drawElements([{ x: 9, y: 9, width: 90, height: 30, elements: [] }])
    return {
      stamps: added ? [] : [{ picture: picture!, pages: [1] }],
      added: added ? [{ width: 9, height: 9, pictures: [] }] : [],
    }
  }
  const doings: Readonly<Record<string, (pdf: Buffer, password: string) => Promise<Buffer>>> = {
    'a new signature': (pdf, password) => room.sign(pdf, { password }),
    'an existing field': (pdf, password) => room.sign(pdf, { password, fieldName: 'Aceite' }),
    'a document timestamp': (pdf, password) => timestampPades(pdf, { password, timestamps: room.timestamps }),
    'a mark on a page': async (pdf, password) => stampPages(pdf, { password, ...(await stamped(false)) }),
    'another page': async (pdf, password) => stampPages(pdf, { password, ...(await stamped(true)) }),
  }
  const allowed: Readonly<Record<string, readonly string[]>> = {
    none: [],
    assembly: ['another page'],
    form: ['an existing field', 'another page'],
    annotate: ['an existing field', 'another page'],
    all: Object.keys(doings),
  }

  test.each(Object.entries(allowed))(
    '"%s" permits its users %j, and its owner everything',
    async (modify, permitted) => {
      const pdf = restricted(modify)
      for (const [doing, run] of Object.entries(doings)) {
        const asUser = run(pdf, SECRETS.user).then(
          () => 'done',
          (error: { code: string }) => error.code,
        )
        expect([doing, await asUser]).toEqual([doing, permitted.includes(doing) ? 'done' : 'pdf.not-permitted'])
        await run(pdf, SECRETS.owner)
      }
    },
  )

  test('evidence of the highest levels needs no more than the signature did', async () => {
    const pdf = restricted('form')
    const signed = await room.sign(pdf, { password: SECRETS.user, fieldName: 'Aceite', level: 'B-T' })
    const options = { password: SECRETS.user, timestamps: room.timestamps, judge: room.newJudge(), now: room.clock() }
    const extended = await extendPades(signed, { ...options, level: 'B-LT' })
    expect(await judges(extended, SECRETS.user)).toEqual(GOOD)
  })
})

describe('an encrypted file', () => {
  test('whose metadata is in clear keeps it so, and what an update adds is encrypted', async () => {
    const metadata = { 91: '<< /Type /Metadata /Subtype /XML /Length 12 >>\nstream\n<x:xmpmeta/>\nendstream' }
    const pdf = encryptedPdf(document('/Metadata 91 0 R', metadata), 'AES-128, metadata in clear (R4)')
    const file = openPdf(pdf)
    const packet = file.resolve(file.catalog().get('Metadata'))
    expect(isStream(packet) && Buffer.from(file.decode(packet)).toString()).toContain('xmpmeta')
    expect(pdf.includes('xmpmeta')).toBe(true)
  })

  test('whose handler is for certificates is refused by the name of that', () => {
    const pdf = tablePdf({ trailer: '/Encrypt << /Filter /Adobe.PubSec /V 4 >>' })
    const refusal = { code: 'pdf.unsupported', details: { reason: expect.stringContaining('Adobe.PubSec') } }
    expect(() => openPdf(pdf)).toThrowError(expect.objectContaining(refusal))
  })

  test('that a later revision encrypts otherwise, or no more, is not read', async () => {
    const clear = await room.sign(tablePdf())
    const later = withRevision(clear, {}, '/Encrypt << /Filter /Standard /V 1 /R 2 >>')
    expect(() => openPdf(later)).toThrowError(expect.objectContaining({ code: 'pdf.ambiguous' }))
    const signed = await room.sign(encryptedPdf(tablePdf(), 'AES-256 (R6)', { file: ['--object-streams=disable'] }))
    expect(await room.validate(withRevision(signed, {}))).toMatchObject({ indication: 'invalid' })
  })

  test('whose encryption dictionary a later revision replaces is not valid', async () => {
    const pdf = encryptedPdf(tablePdf(), 'RC4, 128 bits (R3)', { file: ['--object-streams=disable'] })
    const signed = await room.sign(pdf)
    const [, number] = /\/Encrypt (\d+) 0 R/.exec(signed.toString('latin1'))!
    const [text] = new RegExp(`${number} 0 obj\n<<.*?>>`, 's').exec(signed.toString('latin1'))!
    const other = text.replace(/^.*?<</s, '<< /Note (other)')
    const encrypt = { trailer: `/Encrypt ${number} 0 R ${/\/ID \[.*?\]/s.exec(signed.toString('latin1'))![0]}` }
    const replaced = withRevision(signed, { [Number(number)]: other }, encrypt.trailer)
    expect(await room.validate(replaced)).toMatchObject({ indication: 'invalid' })
  })

  test('that was changed after it was signed is not valid', async () => {
    const signed = await room.sign(encryptedPdf(tablePdf(), 'AES-256 (R6)', SECRETS), { password: SECRETS.user })
    const at = signed.indexOf('stream\n') + 20
    signed[at] = signed[at]! ^ 1
    expect(await room.validate(signed, { password: SECRETS.user })).toMatchObject({ indication: 'invalid' })
  })

  test('signed by others is verified, and decrypting it is what breaks the signature', async () => {
    const signed = await room.sign(encryptedPdf(document(), 'AES-128 (R4)'))
    expect(await room.validate(signed)).toMatchObject({ indication: 'valid' })
    expect(await room.validate(throughQpdf(signed, '--decrypt'))).toMatchObject({ indication: 'invalid' })
  })
})
