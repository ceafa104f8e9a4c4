import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument, PDFName, PDFSignature } from '@cantoo/pdf-lib'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { containerKinds, tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import {
  addSignatureFields,
  type FieldLock,
  listSignatureFields,
  type NewSignatureField,
  readSignatureFields,
  type SeedValue,
  type SignPadesOptions,
} from './index.ts'
import { renderPage } from './test-support/rendered-page.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

function saved(pdf: Uint8Array): string {
  const path = join(temporaryFolder(), 'fields.pdf')
  writeFileSync(path, pdf)
  return path
}
const said = async (tool: 'pdfsig' | 'qpdf', pdf: Uint8Array, ...options: string[]) =>
  runTool(tool, [...options, saved(pdf)])
const indications = async (pdf: Uint8Array) => (await room.validate(pdf)).signatures.map((one) => one.indication)

const place = { x: 50, y: 60, width: 200, height: 50 }
const two: readonly NewSignatureField[] = [
  { name: 'Diretor', place, tooltip: 'Assinatura do diretor', lock: { action: 'include', fields: ['Nome'] } },
  { name: 'Testemunha', place: { ...place, page: 'last', origin: 'top-right' } },
]

describe.each(Object.entries(containerKinds))('empty signature fields in a file of the kind "%s"', (_kind, make) => {
  test('are there for others to read, and are signed one after the other', async () => {
    const pdf = make()
    const made = addSignatureFields(pdf, [...two, { name: 'Oculta' }])
    expect(made.subarray(0, pdf.length).equals(pdf)).toBe(true)
    expect((await said('qpdf', made, '--check')).exitCode).toBe((await said('qpdf', pdf, '--check')).exitCode)
    const form = (await PDFDocument.load(made)).getForm()
    const others = form.getFields().filter((field) => field instanceof PDFSignature)
    expect(others.map((field) => field.getName())).toEqual(['Diretor', 'Testemunha', 'Oculta'])
    expect(others[0]!.acroField.getWidgets()[0]!.getRectangle()).toEqual(place)
    expect(others.every((field) => field.acroField.dict.get(PDFName.of('V')) === undefined)).toBe(true)
    let signed: Buffer = made
    for (const fieldName of ['Testemunha', 'Diretor', 'Oculta'])
      signed = await room.sign(signed, { fieldName, ...(fieldName !== 'Oculta' && { mark: {} }) })
    expect(await indications(signed)).toEqual(['valid', 'valid', 'valid'])
    const { text } = await said('pdfsig', signed, '-nocert')
    expect(text.match(/Signature is Valid/g)).toHaveLength(3)
    expect(listSignatureFields(signed).map(({ isSigned }) => isSigned)).toEqual([true, true, true])
  })
})

describe('a list of signature fields', () => {
  test.each([0, 90, 180, 270])('tells where each stands on a page that is turned by %s degrees', async (rotate) => {
    const page = `/MediaBox [0 0 600 800] /CropBox [50 50 550 750] /Rotate ${rotate} /UserUnit 2`
    const made = addSignatureFields(tablePdf({ page }), two)
    const [first, second] = listSignatureFields(made)
    expect(first).toMatchObject({ name: 'Diretor', page: 1, place, lock: two[0]!.lock })
    const width = rotate % 180 === 0 ? 1000 : 1400
    const height = rotate % 180 === 0 ? 1400 : 1000
    expect(second!.place).toEqual({ x: width - 250, y: height - 110, width: 200, height: 50 })
    const shown = await renderPage(
      await room.sign(made, {
        fieldName: 'Diretor',
        mark: { background: { opacity: 1, color: '#ff0000' }, text: 'none' },
      }),
    )
    expect(shown.at(75, 42)).toEqual([255, 0, 0])
  })

  test('tells what they lock and ask for', () => {
    const seedValue: SeedValue = {
      filter: 'Adobe.PPKLite',
      subFilter: ['ETSI.CAdES.detached'],
      digestMethod: ['SHA256', 'SHA512'],
      reasons: ['De acordo', 'Ciente'],
      mdp: 'form-filling',
      timeStamp: { url: 'https://carimbo.example/', required: true },
      legalAttestation: ['Nenhuma'],
      addRevInfo: false,
      cert: {
        subject: [room.signer.certificate.der],
        issuer: [],
        oid: ['2.16.76.1.2.1.1'],
        keyUsage: ['11X'],
        required: ['subject', 'oid'],
      },
      required: ['filter', 'reasons'],
    }
    const lock: FieldLock = { action: 'exclude', fields: ['Nome'], permits: 'annotations' }
    const [found] = listSignatureFields(addSignatureFields(tablePdf(), [{ name: 'Diretor', lock, seedValue }]))
    expect(found).toMatchObject({ lock, place: undefined, isSigned: false })
    const [subject] = found!.seedValue!.cert!.subject!
    expect(room.signer.certificate.der.equals(subject!)).toBe(true)
    expect(found!.seedValue).toEqual({
      ...seedValue,
      cert: { ...seedValue.cert, subject: [expect.anything()] },
    })
  })
})

describe('a field is not made', () => {
  test.each<[string, readonly NewSignatureField[]]>([
    ['pades.field-name', [{ name: '' }]],
    ['pades.field-name', [{ name: 'a.b' }]],
    ['pades.field-exists', [{ name: 'Diretor' }, { name: 'Diretor' }]],
    ['pades.mark-outside-page', [{ name: 'Diretor', place: { ...place, x: 5000 } }]],
    ['pades.mark-outside-page', [{ name: 'Diretor', place: { ...place, x: Number.NaN } }]],
    ['pades.appearance', [{ name: 'Diretor', place: { ...place, width: 0 } }]],
    ['pdf.no-such-page', [{ name: 'Diretor', place: { ...place, page: 2 } }]],
  ])('%s', (code, fields) => {
    expect(() => addSignatureFields(tablePdf(), fields)).toThrowError(expect.objectContaining({ code }))
  })

  test('where it is there already', () => {
    const made = addSignatureFields(tablePdf(), two)
    expect(() => addSignatureFields(made, two)).toThrowError(expect.objectContaining({ code: 'pades.field-exists' }))
  })

  test('where an earlier signature does not allow it; where one does, that stays valid', async () => {
    const locked = await room.sign(tablePdf(), { certify: 'no-changes' })
    expect(() => addSignatureFields(locked, two)).toThrowError(expect.objectContaining({ code: 'pades.locked' }))
    const all = addSignatureFields(tablePdf(), [{ name: 'Diretor', lock: { action: 'all' } }])
    const closed = await room.sign(all, { fieldName: 'Diretor' })
    expect(() => addSignatureFields(closed, [{ name: 'Outra' }])).toThrowError(
      expect.objectContaining({ code: 'pades.locked' }),
    )
    const open = addSignatureFields(await room.sign(tablePdf()), two)
    expect(await indications(open)).toEqual(['valid'])
    expect(await indications(await room.sign(open, { fieldName: 'Diretor' }))).toEqual(['valid', 'valid'])
    expect((await said('pdfsig', open, '-nocert')).text).toContain('Signature is Valid')
  })
})

describe('the lock of a field', () => {
  const locks: [string, FieldLock, boolean][] = [
    ['on every field', { action: 'all' }, false],
    ['on that field', { action: 'include', fields: ['Testemunha'] }, false],
    ['on another', { action: 'include', fields: ['Nome'] }, true],
    ['on all but that', { action: 'exclude', fields: ['Testemunha'] }, true],
    ['on all but another', { action: 'exclude', fields: ['Nome'] }, false],
    ['on the document', { action: 'include', fields: ['Nome'], permits: 'no-changes' }, false],
  ]
  test.each(locks)('%s: a later signature is allowed or refused', async (_what, lock, allowed) => {
    const made = addSignatureFields(tablePdf(), [{ name: 'Diretor', lock }, { name: 'Testemunha' }])
    const signed = await room.sign(made, { fieldName: 'Diretor' })
    expect(await indications(signed)).toEqual(['valid'])
    expect((await said('pdfsig', signed, '-nocert')).text).toContain('Signature is Valid')
    const later = room.sign(signed, { fieldName: 'Testemunha' })
    if (allowed) expect(await indications(await later)).toEqual(['valid', 'valid'])
    else await expect(later).rejects.toMatchObject({ code: 'pades.locked' })
  })

  test('is judged when somebody signs a locked field all the same', async () => {
    const made = addSignatureFields(tablePdf(), [
      { name: 'Diretor', lock: { action: 'include', fields: ['Testemunha'] } },
      { name: 'Testemunha' },
    ])
    const signed = await room.sign(made, { fieldName: 'Diretor' })
    // Who overlooks the lock is shown another one.
    const blind = Buffer.from(signed.toString('latin1').replaceAll('(Testemunha)]', '(Testemunho)]'), 'latin1')
    const appended = await room.sign(blind, { fieldName: 'Testemunha', output: 'appended' })
    const [first] = await indications(Buffer.concat([signed, appended]))
    expect(first).toBe('invalid')
  })
})

const OTHER = new Uint8Array([0x30, 0x00])

/** A document of another author, whose field has these seed values. */
function seededBy(seed: string): Buffer {
  const field = `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Diretor) /Rect [0 0 0 0] /P 4 0 R /SV << ${seed} >> >>`
  return tablePdf({
    catalog: '/AcroForm << /Fields [100 0 R] >>',
    page: '/MediaBox [0 0 612 792] /Annots [100 0 R]',
    extra: { 100: field },
  })
}

describe('the seed values of a field', () => {
  const seeded = (seedValue: SeedValue) => addSignatureFields(tablePdf(), [{ name: 'Diretor', seedValue }])
  const sign = (seedValue: SeedValue, options: Partial<SignPadesOptions> = {}) =>
    room.sign(seeded(seedValue), { fieldName: 'Diretor', ...options })

  const broken: [string, SeedValue, Partial<SignPadesOptions>][] = [
    ['Filter', { filter: 'Other.Filter', required: ['filter'] }, {}],
    ['SubFilter', { subFilter: ['adbe.pkcs7.detached'], required: ['subFilter'] }, {}],
    [
      'SubFilter',
      { subFilter: ['ETSI.CAdES.detached'], required: ['subFilter'] },
      { pdfStandard: 'icp-brasil-strict' },
    ],
    ['DigestMethod', { digestMethod: ['SHA512'], required: ['digestMethod'] }, { digest: 'sha256' }],
    ['DigestMethod', { digestMethod: ['SHA1'], required: ['digestMethod'] }, {}],
    ['Reasons', { reasons: ['Aceito', 'Ciente'], required: ['reasons'] }, {}],
    ['Reasons', { reasons: ['Aceito'], required: ['reasons'] }, { reason: 'Outra' }],
    ['Reasons', { reasons: ['.'], required: ['reasons'] }, { reason: 'Outra' }],
    ['Reasons', { reasons: ['Aceito'], required: ['reasons'] }, { level: 'AD-RB' }],
    ['LockDocument', { lockDocument: false, required: ['lockDocument'] }, { lockDocument: true }],
    ['LockDocument', { lockDocument: false, required: ['lockDocument'] }, { certify: 'no-changes' }],
    ['LockDocument', { lockDocument: true, required: ['lockDocument'] }, { lockDocument: false }],
    ['MDP', { mdp: 'form-filling' }, { certify: 'annotations' }],
    ['MDP', { mdp: 'ordinary' }, { certify: 'form-filling' }],
    ['MDP', { mdp: 'ordinary' }, { permits: 'form-filling' }],
    ['TimeStamp', { timeStamp: { url: 'https://carimbo.example/', required: true } }, {}],
    ['LegalAttestation', { legalAttestation: ['Nenhuma'], mdp: 'form-filling', required: ['legalAttestation'] }, {}],
    ['AddRevInfo', { addRevInfo: true, required: ['addRevInfo'] }, {}],
    ['Cert.Subject', { cert: { subject: [OTHER], required: ['subject'] } }, {}],
    ['Cert.Issuer', { cert: { issuer: [OTHER], required: ['issuer'] } }, {}],
    ['Cert.OID', { cert: { oid: ['1.2.3'], required: ['oid'] } }, {}],
    ['Cert.KeyUsage', { cert: { keyUsage: ['0'], required: ['keyUsage'] } }, {}],
  ]
  test.each(broken)('refuse a signature that breaks what they require: %s', async (entry, seedValue, options) => {
    const code = 'pades.seed-value'
    await expect(sign(seedValue, options)).rejects.toMatchObject({ code, details: { field: 'Diretor', entry } })
  })

  test('are met by what they wish for where the signer says nothing', async () => {
    const signed = await sign({
      digestMethod: ['RIPEMD160', 'SHA512', 'SHA256'],
      reasons: ['De acordo'],
      mdp: 'annotations',
      subFilter: ['adbe.pkcs7.detached', 'ETSI.CAdES.detached'],
      required: ['digestMethod', 'reasons', 'subFilter'],
    })
    expect(await indications(signed)).toEqual(['valid'])
    const { text } = await said('pdfsig', signed, '-nocert')
    expect(text).toContain('SHA-512')
    expect(signed.toString('latin1')).toContain('/Reason (De acordo)')
    expect(signed.toString('latin1')).toMatch(/\/Perms ?<<\/DocMDP /)
    expect((await sign({ mdp: 'ordinary' })).toString('latin1')).not.toContain('/DocMDP')
  })

  test('are shown on the mark of the signature', async () => {
    const made = addSignatureFields(tablePdf(), [{ name: 'Diretor', place, seedValue: { reasons: ['De acordo'] } }])
    const signed = await room.sign(made, { fieldName: 'Diretor', mark: {} })
    expect((await runTool('pdftotext', [saved(signed), '-'])).text).toContain('Motivo: De acordo')
  })

  test('are wishes that the signer may disregard', async () => {
    const wishes: SeedValue = { filter: 'Other', subFilter: ['x'], digestMethod: ['SHA512'], reasons: ['A', 'B'] }
    const cert = { subject: [OTHER], oid: ['1.2.3'] }
    const signed = await sign({ ...wishes, cert }, { digest: 'sha256', reason: 'C' })
    expect(await indications(signed)).toEqual(['valid'])
  })

  test('are met by the certificate, the level and the reason that they require', async () => {
    const { certificate, chain } = room.signer
    const cert: SeedValue['cert'] = {
      subject: [OTHER, certificate.der],
      issuer: [chain[0]!.der],
      oid: [...certificate.extensions.policies],
      keyUsage: ['0', 'XX'],
      required: ['subject', 'issuer', 'oid', 'keyUsage'],
    }
    const timeStamp = { url: 'https://carimbo.example/', required: true }
    const seed: SeedValue = {
      cert,
      timeStamp,
      addRevInfo: true,
      reasons: ['A', 'B'],
      required: ['addRevInfo', 'reasons'],
    }
    expect(await indications(await sign(seed, { level: 'B-LT', reason: 'B' }))).toEqual(['valid'])
  })

  test('are met by a subject that has every attribute they name, however it is spelt', async () => {
    const { subject } = room.signer.certificate
    const spelt = { CN: ` ${subject.commonName!.toLowerCase()} `, '2.5.4.6': subject.country!.toLowerCase() }
    const cert = { subjectDN: [spelt, { O: subject.organization! }], required: ['subjectDN'] } as const
    expect(await indications(await sign({ cert }))).toEqual(['valid'])
    const other = { ...cert, subjectDN: [...cert.subjectDN, { O: 'Another' }] }
    const refused = { code: 'pades.seed-value', details: { field: 'Diretor', entry: 'Cert.SubjectDN' } }
    await expect(sign({ cert: other })).rejects.toMatchObject(refused)
  })

  test('lock the document where they say so, and evidence may still come', async () => {
    const seedValue: SeedValue = { lockDocument: true, required: ['lockDocument'] }
    const made = addSignatureFields(tablePdf(), [{ name: 'Diretor', seedValue }, { name: 'Testemunha' }])
    const signed = await room.sign(made, { fieldName: 'Diretor', level: 'B-LTA' })
    expect(await indications(signed)).toEqual(['valid', 'valid'])
    expect(listSignatureFields(signed)[0]!.lock).toEqual({ action: 'all', permits: 'no-changes' })
    expect((await said('pdfsig', signed, '-nocert')).text).toContain('Signature is Valid')
    expect((await said('qpdf', signed, '--check')).ok).toBe(true)
    await expect(room.sign(signed, { fieldName: 'Testemunha' })).rejects.toMatchObject({ code: 'pades.locked' })
    const kept: FieldLock = { action: 'include', fields: ['Nome'] }
    const both = addSignatureFields(tablePdf(), [{ name: 'Diretor', seedValue, lock: kept }])
    const locked = await room.sign(both, { fieldName: 'Diretor' })
    expect(listSignatureFields(locked)[0]!.lock).toEqual({ ...kept, permits: 'no-changes' })
    expect(await indications(locked)).toEqual(['valid'])
  })

  test('of an address to enrol at require nothing', async () => {
    const pdf = seededBy('/Cert << /Ff 64 /URL (https://x.example/) >>')
    expect(await indications(await room.sign(pdf, { fieldName: 'Diretor' }))).toEqual(['valid'])
    expect(listSignatureFields(pdf)[0]!.seedValue).toEqual({ cert: { url: 'https://x.example/' } })
  })

  test('a new field locks the document, too', async () => {
    const signed = await room.sign(tablePdf(), { lockDocument: true })
    expect(await indications(signed)).toEqual(['valid'])
    await expect(room.sign(signed)).rejects.toMatchObject({ code: 'pades.locked' })
  })

  test.each([
    ['AppearanceFilter', '/Ff 256 /AppearanceFilter (x)'],
    ['Ff', '/Ff 4096'],
    ['V', '/Ff 4 /V 9'],
    ['Cert.SubjectDN', '/Cert << /Ff 8 /SubjectDN [<< /Nobody.Knows (x) >>] >>'],
    ['Cert.URL', '/Cert << /Ff 64 /URL (https://x.example/) /URLType /ASSP >>'],
  ])('that require what is not understood are refused by its name: %s', async (entry, seed) => {
    const pdf = seededBy(seed)
    const refused = { code: 'pades.seed-unsupported', details: { field: 'Diretor', entry } }
    await expect(room.sign(pdf, { fieldName: 'Diretor' })).rejects.toMatchObject(refused)
    expect(listSignatureFields(pdf)[0]).toMatchObject({ unsupported: entry })
    const wish = pdf.toString('latin1').replace(/\/Ff \d+/, (flags) => `/Ff 0${' '.repeat(flags.length - 5)}`)
    expect(await indications(await room.sign(Buffer.from(wish, 'latin1'), { fieldName: 'Diretor' }))).toEqual(['valid'])
  })
})

describe('fields from JSON', () => {
  test('are what it says, their certificates read from where the caller says', () => {
    const cert = { subject: ['maria.pem'], required: ['subject'] }
    const [field] = readSignatureFields(
      [{ name: 'Diretor', place, seedValue: { cert } }],
      () => room.signer.certificate.der,
    )
    expect(field).toMatchObject({ name: 'Diretor', place, seedValue: { cert: { required: ['subject'] } } })
    expect(field!.seedValue!.cert!.subject).toEqual([room.signer.certificate.der])
  })

  test.each<[string, unknown]>([
    ['the data', {}],
    ['[0].name', [{}]],
    ['[0].rect', [{ name: 'a', rect: [1, 2, 3, 4] }]],
    ['[0].place.width', [{ name: 'a', place: { x: 1, y: 1, height: 1 } }]],
    ['[1].lock.action', [{ name: 'a' }, { name: 'b', lock: { action: 'some' } }]],
    ['[0].seedValue.digest', [{ name: 'a', seedValue: { digest: 'SHA256' } }]],
    ['[0].seedValue.cert.oid[0]', [{ name: 'a', seedValue: { cert: { oid: ['x'] } } }]],
    ['[0].seedValue.lockDocument', [{ name: 'a', seedValue: { lockDocument: 'yes' } }]],
    ['[0].seedValue.cert.subjectDN[0].XX', [{ name: 'a', seedValue: { cert: { subjectDN: [{ XX: 'x' }] } } }]],
    ['[0].seedValue.required[0]', [{ name: 'a', seedValue: { required: ['mdp'] } }]],
    ['a.pem', [{ name: 'a', seedValue: { cert: { issuer: ['a.pem'] } } }]],
  ])('are refused by the name of what is wrong: %s', (member, json) => {
    expect(() => readSignatureFields(json)).toThrowError(
      expect.objectContaining({ code: 'pades.field-data', details: expect.objectContaining({ member }) }),
    )
  })
})
