import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { IssuedCertificate, KeyKind, RunningDemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { modificationRules, openssl, runTool, temporaryFolder, WANTED_REFERENCE } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import { readSignedData } from '../cms/signed-data.ts'
import { holderWith } from '../cms/test-support/demo-signers.ts'
import { toPem } from '../der/pem.ts'
import { exchangeOverHttp } from '../http/exchange.ts'
import { createJudge, type Judge } from '../judgement/judge-certificate.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { keySigner } from '../keys/key-signer.ts'
import { formFields, signatureFields } from '../pdf/form-fields.ts'
import { findPage } from '../pdf/page-tree.ts'
import { openPdf } from '../pdf/pdf-file.ts'
import { isArray, isDict, nameOf, type PdfDict } from '../pdf/pdf-object.ts'
import { containerKinds, streamPdf, tablePdf, throughQpdf } from '../pdf/test-support/sample-pdfs.ts'
import { RevocationSource } from '../revocation/revocation-source.ts'
import { openState, sealState } from '../signing/signing-state.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { Certificate } from '../x509/certificate.ts'
import { embeddedSignatures } from './embedded-signatures.ts'
import {
  completePades,
  drawAppearance,
  preparePades,
  type SignPadesOptions,
  signPades,
  validatePades,
} from './index.ts'
import { type PngKind, samplePng } from './test-support/sample-image.ts'
import { signedParts } from './test-support/signed-parts.ts'

let running: RunningDemoPki
let signer: DigestSigner
let root: string
let judge: Judge
const now = new Date()

beforeAll(async () => {
  running = await pkiOfToday()
  signer = await signerWith('RSA-2048')
  root = toPem('CERTIFICATE', running.pki.certificate('root').der)
  const anchors = TrustAnchors.of([Certificate.read(running.pki.certificate('root').der)])
  judge = createJudge({ anchors, revocation: new RevocationSource(), exchange: exchangeOverHttp })
})

const signerWith = async (key: KeyKind): Promise<DigestSigner> => signerOf(await holderWith(running.pki, key))

function signerOf(issued: IssuedCertificate): DigestSigner {
  const { pki } = running
  const [certificate, ...chain] = pki.chainOf(issued).map(({ der }: IssuedCertificate) => Certificate.read(der))
  return keySigner({ certificate: certificate!, chain, privateKey: issued.key.privateKey })
}

const sign = (pdf: Uint8Array, options: Partial<SignPadesOptions> = {}) => signPades(pdf, signer, { now, ...options })

function saved(content: Uint8Array | string, file = 'file.pdf'): string {
  const path = join(temporaryFolder(), file)
  writeFileSync(path, content)
  return path
}

/** How many signatures pdfsig calls valid, and what it says of the last. */
async function pdfsig(pdf: Uint8Array): Promise<{ valid: number; text: string }> {
  const { text } = await runTool('pdfsig', ['-nocert', saved(pdf)])
  return { valid: text.match(/Signature is Valid/g)?.length ?? 0, text }
}

/** What our own validator says of each signature. */
async function ourVerdicts(pdf: Uint8Array): Promise<string[]> {
  const { signatures } = await validatePades(pdf, { judge, now })
  return signatures.map(({ indication }) => indication)
}

const qpdfCheck = async (pdf: Uint8Array) => (await runTool('qpdf', ['--check', saved(pdf)])).exitCode

/** Whether openssl verifies the last signature over the bytes its ByteRange names, up to the demo root. */
async function opensslVerifies(pdf: Uint8Array): Promise<boolean> {
  const { covered, cms } = signedParts(pdf).at(-1)!
  const args = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', saved(cms), '-content', saved(covered)]
  return (await openssl([...args, '-CAfile', saved(root), '-purpose', 'any', '-out', '/dev/null'])).ok
}

const lastDictionary = (pdf: Uint8Array): PdfDict => embeddedSignatures(openPdf(pdf)).at(-1)!.dict

describe.each(Object.entries(containerKinds))('a file of the kind "%s"', (_kind, make) => {
  test('signed twenty times has twenty valid signatures and all the bytes it had before', async () => {
    const original = make()
    let pdf = original
    for (let i = 0; i < 20; i++) {
      const signed = await sign(pdf)
      expect(signed.subarray(0, pdf.length).equals(pdf)).toBe(true)
      pdf = signed
    }
    expect(await ourVerdicts(pdf)).toEqual(Array(20).fill('valid'))
    const { valid, text } = await pdfsig(pdf)
    expect(valid).toBe(20)
    expect(text.match(/Signature Field Name: Signature(\d+)/g)).toHaveLength(20)
    expect(text.match(/Total document signed/g)).toHaveLength(1)
    expect(await opensslVerifies(pdf)).toBe(true)
    expect(await qpdfCheck(pdf)).toBe(await qpdfCheck(original))
  })
})

test('a file made by another library is signed twenty times', async () => {
  const made = await PDFDocument.create()
  made.addPage().drawText('Contrato')
  made.getForm().createTextField('Nome').addToPage(made.addPage())
  let pdf: Uint8Array = await made.save()
  for (let i = 0; i < 20; i++) pdf = await sign(pdf)
  expect(await ourVerdicts(pdf)).toEqual(Array(20).fill('valid'))
  expect((await pdfsig(pdf)).valid).toBe(20)
  expect(await qpdfCheck(pdf)).toBe(0)
})

describe('every kind of key', () => {
  test.each([
    ['RSA-2048', 'sha256'],
    ['RSA-2048', 'sha512'],
    ['RSA-4096', 'sha256'],
    ['P-256', 'sha256'],
    ['P-384', 'sha512'],
  ] as const)('%s with %s makes a signature others accept', async (key, digest) => {
    const signed = await signPades(tablePdf(), await signerWith(key), { now, digest })
    expect(await opensslVerifies(signed)).toBe(true)
    expect((await pdfsig(signed)).valid).toBe(1)
  })

  // Neither poppler's NSS nor `openssl cms` of version 3.0 has EdDSA in CMS; openssl has the signature itself.
  test('Ed25519 signs attributes that hold the digest of the covered bytes', async () => {
    const ed25519 = await signerWith('Ed25519')
    const { covered, cms } = signedParts(await signPades(tablePdf(), ed25519, { now }))[0]!
    const [signed] = readSignedData(cms).signers
    expect(signed!.toBeSigned!.includes(createHash('sha512').update(covered).digest())).toBe(true)
    const key = saved(ed25519.certificate.publicKey.export({ type: 'spki', format: 'pem' }))
    const files = ['-in', saved(signed!.toBeSigned!), '-sigfile', saved(signed!.signature)]
    expect((await openssl(['pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', key, ...files])).ok).toBe(true)
  })
})

describe('the container', () => {
  test('carries what PAdES asks for', async () => {
    const signed = await sign(tablePdf(), {
      signerName: 'João',
      location: 'São Paulo (SP)',
      reason: 'Aceite',
      contactInfo: 'a@b',
    })
    const dictionary = lastDictionary(signed)
    expect([...dictionary.keys()].sort()).toEqual(
      [
        ...['ByteRange', 'ContactInfo', 'Contents', 'Filter', 'Location', 'M', 'Name', 'Reason', 'Reference'],
        ...['SubFilter', 'Type'],
      ].sort(),
    )
    expect(nameOf(dictionary.get('SubFilter'))).toBe('ETSI.CAdES.detached')
    const file = openPdf(signed)
    const extensions = file.catalog().get('Extensions')
    expect(isDict(extensions) && extensions.has('ADBE')).toBe(true)
    const form = file.resolve(file.catalog().get('AcroForm'))
    expect(isDict(form) && form.get('SigFlags')).toBe(3)
    const { text } = await pdfsig(signed)
    expect(text).toContain('Signature Type: ETSI.CAdES.detached')
  })

  test('the signature covers everything but the hole, to the end of the file', async () => {
    const signed = await sign(tablePdf())
    expect(signedParts(signed)[0]!.end).toBe(signed.length)
    const { contents } = embeddedSignatures(openPdf(signed))[0]!
    expect(String.fromCharCode(signed[contents.start!]!, signed[contents.end! - 1]!)).toBe('<>')
  })

  test('a version before 1.7 declares no extension, and one that is declared stays', async () => {
    expect(
      openPdf(await sign(tablePdf({ version: '1.4' })))
        .catalog()
        .has('Extensions'),
    ).toBe(false)
    const declared = tablePdf({ catalog: '/Extensions << /ESIC << /BaseVersion /1.7 /ExtensionLevel 1 >> >>' })
    const extensions = openPdf(await sign(declared))
      .catalog()
      .get('Extensions')
    expect(isDict(extensions) && [...extensions.keys()]).toEqual(['ESIC'])
  })

  const other = '<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (note) >>'
  test.each([
    ['none', tablePdf(), 1],
    ['in the page', tablePdf({ page: '/MediaBox [0 0 9 9] /Annots [100 0 R]', extra: { 100: other } }), 2],
    [
      'in an object',
      tablePdf({ page: '/MediaBox [0 0 9 9] /Annots 101 0 R', extra: { 100: other, 101: '[100 0 R]' } }),
      2,
    ],
    [
      'in an object stream',
      streamPdf({ page: '/MediaBox [0 0 9 9] /Annots 101 0 R', extra: { 100: other, 101: '[100 0 R]' } }),
      2,
    ],
  ])('annotations that are %s are kept', async (_where, pdf, count) => {
    const signed = await sign(pdf)
    const annotations = openPdf(signed).resolve(findPage(openPdf(signed), 0).dict.get('Annots'))
    expect(annotations).toHaveLength(count)
    expect((await pdfsig(signed)).valid).toBe(1)
  })

  const text = '<< /FT /Tx /T (Name) /V (x) >>'
  test.each([
    ['in the catalog', tablePdf({ catalog: '/AcroForm << /Fields [100 0 R] /DA (/F1 0 Tf) >>', extra: { 100: text } })],
    [
      'an object',
      tablePdf({ catalog: '/AcroForm 101 0 R', extra: { 100: text, 101: '<< /Fields [100 0 R] /DA (/F1 0 Tf) >>' } }),
    ],
    [
      'with its list an object',
      tablePdf({
        catalog: '/AcroForm 101 0 R',
        extra: { 100: text, 101: '<< /Fields 102 0 R /DA (/F1 0 Tf) >>', 102: '[100 0 R]' },
      }),
    ],
    [
      'in an object stream',
      streamPdf({ catalog: '/AcroForm 101 0 R', extra: { 100: text, 101: '<< /Fields [100 0 R] /DA (/F1 0 Tf) >>' } }),
    ],
  ])('a form that is %s keeps its fields', async (_where, pdf) => {
    const twice = await sign(await sign(pdf))
    const file = openPdf(twice)
    expect([...formFields(file)].map(({ name }) => name)).toEqual(['Name', 'Signature1', 'Signature2'])
    const form = file.resolve(file.catalog().get('AcroForm'))
    expect(isDict(form) && [form.get('SigFlags'), form.has('DA')]).toEqual([3, true])
    expect((await pdfsig(twice)).valid).toBe(2)
  })

  test('the PBAD names of ICP-Brasil are there on demand', async () => {
    const signed = await sign(tablePdf(), { level: 'AD-RB', pdfStandard: 'icp-brasil-strict' })
    const dictionary = lastDictionary(signed)
    expect([nameOf(dictionary.get('Filter')), nameOf(dictionary.get('SubFilter'))]).toEqual([
      'PBAD_PAdES',
      'PBAD.PAdES',
    ])
    expect(await opensslVerifies(signed)).toBe(true)
  })
})

describe('signature fields', () => {
  const empty = '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Diretor) /Rect [10 10 200 60] /P 4 0 R >>'
  const withField = (field = empty, extra = {}) =>
    tablePdf({
      catalog: '/AcroForm << /Fields [100 0 R] >>',
      page: '/MediaBox [0 0 612 792] /Annots [100 0 R]',
      extra: { 100: field, ...extra },
    })

  test('an empty one is filled by its name', async () => {
    const signed = await sign(withField(), { fieldName: 'Diretor' })
    expect(signatureFields(openPdf(signed)).map(({ name }) => name)).toEqual(['Diretor'])
    expect((await pdfsig(signed)).text).toContain('Signature Field Name: Diretor')
    const form = openPdf(signed).resolve(openPdf(signed).catalog().get('AcroForm'))
    expect(isDict(form) && form.get('SigFlags')).toBe(3)
  })

  test('a new one takes the name given', async () => {
    const signed = await sign(tablePdf(), { fieldName: 'Testemunha' })
    expect(signatureFields(openPdf(signed)).map(({ name }) => name)).toEqual(['Testemunha'])
  })

  test('the lock of a field comes into force with its signature', async () => {
    const locked = empty.replace('/P 4', '/Lock << /Type /SigFieldLock /Action /All >> /P 4')
    const signed = await sign(withField(locked), { fieldName: 'Diretor' })
    await expect(sign(signed)).rejects.toMatchObject({ code: 'pades.locked' })
  })

  test.each([
    [
      'pades.field-signed',
      async () => sign(await sign(withField(), { fieldName: 'Diretor' }), { fieldName: 'Diretor' }),
    ],
    ['pades.field-not-signature', () => sign(withField('<< /FT /Tx /T (Diretor) >>'), { fieldName: 'Diretor' })],
    ['pades.field-name', () => sign(tablePdf(), { fieldName: 'a.b' })],
    ['pades.field-name', () => sign(tablePdf(), { fieldName: '' })],
    [
      'pades.seed-value',
      () =>
        sign(withField(empty.replace('/P 4', '/SV << /Ff 2 /SubFilter [/adbe.x509.rsa_sha1] >> /P 4')), {
          fieldName: 'Diretor',
        }),
    ],
  ])('%s is said before anything is signed', async (code, attempt) => {
    await expect(attempt()).rejects.toMatchObject({ code })
  })
})

describe('the rule for later changes', () => {
  test.each(Object.entries(containerKinds))(
    'is on the first signature as the official validator wants it, and on no later one, in a file of the kind "%s"',
    async (_kind, make) => {
      const thrice = await sign(await sign(await sign(make())))
      expect(await modificationRules(thrice)).toEqual({
        permissions: undefined,
        references: [WANTED_REFERENCE, null, null],
      })
      expect((await pdfsig(thrice)).valid).toBe(3)
      expect(await ourVerdicts(thrice)).toEqual(['valid', 'valid', 'valid'])
    },
  )

  const withLevel = (level: number) => JSON.parse(JSON.stringify(WANTED_REFERENCE).replace('"/P":2', `"/P":${level}`))

  test.each([
    ['unsaid', null],
    ['no-changes', withLevel(1)],
    ['form-filling', WANTED_REFERENCE],
    ['annotations', withLevel(3)],
  ] as const)('is the one asked for: %s', async (permits, reference) => {
    const signed = await sign(tablePdf(), { permits })
    expect(await modificationRules(signed)).toEqual({ permissions: undefined, references: [reference] })
    expect((await pdfsig(signed)).valid).toBe(1)
    expect(await qpdfCheck(signed)).toBe(0)
  })

  test('is entered in the catalog by a certification alone', async () => {
    const { permissions, references } = await modificationRules(await sign(tablePdf(), { certify: 'form-filling' }))
    expect(permissions).toEqual({ '/DocMDP': expect.any(String) })
    expect(references).toEqual([WANTED_REFERENCE])
  })

  test('asked for on a later signature does nothing', async () => {
    const twice = await sign(await sign(tablePdf(), { permits: 'unsaid' }), { permits: 'annotations' })
    expect((await modificationRules(twice)).references).toEqual([null, null])
  })

  test('stands beside the lock of the field that is signed', async () => {
    const field = '<< /FT /Sig /T (Diretor) /Lock << /Type /SigFieldLock /Action /All >> >>'
    const pdf = tablePdf({ catalog: '/AcroForm << /Fields [100 0 R] >>', extra: { 100: field } })
    const { references } = await modificationRules(await sign(pdf, { fieldName: 'Diretor' }))
    expect(references).toMatchObject([[WANTED_REFERENCE[0], { '/TransformMethod': '/FieldMDP' }]])
  })

  test('is not said twice: a certification that no field holds counts as the first signature', async () => {
    const reference = '[<< /TransformMethod /DocMDP /TransformParams << /P 2 /V /1.2 >> >>]'
    const pdf = tablePdf({
      catalog: '/Perms << /DocMDP 100 0 R >>',
      extra: { 100: `<< /Type /Sig /Reference ${reference} >>` },
    })
    expect(lastDictionary(await sign(pdf)).has('Reference')).toBe(false)
    await expect(sign(pdf, { certify: 'form-filling' })).rejects.toMatchObject({
      code: 'pades.certification-not-first',
    })
  })

  test('of no changes refuses a second signature, although the catalog does not know it', async () => {
    const closed = await sign(tablePdf(), { permits: 'no-changes' })
    await expect(sign(closed)).rejects.toMatchObject({ code: 'pades.locked' })
  })

  test('decides whether a later signature is shown on every page', async () => {
    const everywhere = { page: 'all', x: 50, y: 40, width: 200, height: 60, lines: ['João'] } as const
    const pdf = tablePdf({ pages: 2 })
    await expect(sign(await sign(pdf), { appearance: everywhere })).rejects.toMatchObject({ code: 'pades.locked' })
    for (const permits of ['unsaid', 'annotations'] as const) {
      const twice = await sign(await sign(pdf, { permits }), { appearance: everywhere })
      expect(await ourVerdicts(twice)).toEqual(['valid', 'valid'])
    }
  })

  test('lets every signer put stamps where the first one allowed annotations', async () => {
    const stamped = async (pdf: Uint8Array, x: number, options: Partial<SignPadesOptions> = {}) =>
      sign(pdf, { ...options, stamps: [await drawAppearance({ x, y: 300, width: 60, height: 30, lines: ['JC'] })] })
    const thrice = await stamped(await stamped(await stamped(tablePdf(), 50, { permits: 'annotations' }), 150), 250)
    expect(await ourVerdicts(thrice)).toEqual(['valid', 'valid', 'valid'])
    expect((await pdfsig(thrice)).valid).toBe(3)
    for (const permits of ['unsaid', 'form-filling'] as const) {
      const first = await stamped(tablePdf(), 50, { permits })
      await expect(stamped(first, 150)).rejects.toMatchObject({ code: 'pades.locked' })
    }
  })
})

describe('permissions', () => {
  test.each([
    ['form-filling', 2],
    ['annotations', 3],
  ] as const)('a document certified for %s can be signed again', async (certify, level) => {
    const certified = await sign(tablePdf(), { certify })
    const twice = await sign(certified)
    expect((await pdfsig(twice)).valid).toBe(2)
    const permissions = openPdf(twice).resolve(openPdf(twice).catalog().get('Perms'))
    const certification = openPdf(twice).resolve(isDict(permissions) ? permissions.get('DocMDP') : null)
    const references = isDict(certification) ? certification.get('Reference') : null
    const parameters = isArray(references) && isDict(references[0]) ? references[0].get('TransformParams') : null
    expect(isDict(parameters) && parameters.get('P')).toBe(level)
  })

  test('a document certified without changes refuses a second signature', async () => {
    const certified = await sign(tablePdf(), { certify: 'no-changes' })
    expect((await pdfsig(certified)).valid).toBe(1)
    await expect(sign(certified)).rejects.toMatchObject({ code: 'pades.locked' })
  })

  test('only the first signature can certify', async () => {
    await expect(sign(await sign(tablePdf()), { certify: 'form-filling' })).rejects.toMatchObject({
      code: 'pades.certification-not-first',
    })
  })

  const lockedBy = (parameters: string) =>
    tablePdf({
      catalog: '/AcroForm << /Fields [100 0 R] /SigFlags 3 >>',
      extra: {
        100: '<< /FT /Sig /T (First) /V 101 0 R >>',
        101: `<< /Type /Sig /Reference [<< /TransformMethod /FieldMDP /TransformParams << ${parameters} >> >>] >>`,
      },
    })
  test.each([
    ['/Action /All', 'Signature1', false],
    ['/Action /Exclude /Fields [(Other)]', 'Signature1', false],
    ['/Action /Exclude /Fields [(Signature1)]', 'Signature1', true],
    ['/Action /Include /Fields [(Signature1)]', 'Signature1', false],
    ['/Action /Include /Fields [(Other)]', 'Signature1', true],
  ])('fields locked by %s: signing %s is allowed: %s', async (parameters, fieldName, allowed) => {
    const attempt = sign(lockedBy(parameters), { fieldName })
    if (allowed) await expect(attempt).resolves.toBeInstanceOf(Buffer)
    else await expect(attempt).rejects.toMatchObject({ code: 'pades.locked' })
  })
})

describe('two phases', () => {
  test('the state travels sealed, and the key answers elsewhere', async () => {
    const pdf = tablePdf()
    const { state, toSign, digest, algorithm } = preparePades(pdf, signer.certificate, { now, chain: signer.chain })
    const secret = Buffer.alloc(32, 7)
    const sealed = sealState(state, secret, { document: 'outside' })
    const signature = await signer.sign({ toSign, digest, algorithm })
    const signed = completePades(openState(sealed, secret, pdf), signature)
    expect((await pdfsig(signed)).valid).toBe(1)
  })

  test('preparing again with the same uuid gives the same bytes to sign, whatever is drawn', async () => {
    const drawn = () => drawAppearance({ x: 50, y: 50, width: 200, height: 60, lines: ['João Conceição'], qrCode: 'x' })
    for (const pdf of [tablePdf(), streamPdf()]) {
      const again = async (uuid: string) =>
        preparePades(pdf, signer.certificate, { now, uuid, appearance: await drawn() }).toSign
      expect(await again('6ba7b810-9dad-11d1-80b4-00c04fd430c8')).toEqual(
        await again('6ba7b810-9dad-11d1-80b4-00c04fd430c8'),
      )
    }
  })

  test('stamps are signed with the rest, and a later signer puts theirs where annotations are allowed', async () => {
    const stampAt = (x: number) => drawAppearance({ x, y: 300, width: 60, height: 30, lines: ['JC'] })
    const signedWith = async (pdf: Uint8Array, options: Partial<Parameters<typeof preparePades>[2]>) => {
      const prepared = preparePades(pdf, signer.certificate, { now, chain: signer.chain, ...options })
      return completePades(prepared.state, await signer.sign(prepared))
    }
    const stamps = [await stampAt(50), await stampAt(150)]
    const first = await signedWith(tablePdf(), { stamps, certify: 'annotations' })
    const second = await signedWith(first, { stamps: [await stampAt(250)] })
    expect((await pdfsig(second)).valid).toBe(2)
    // Two fields and three stamps.
    expect(openPdf(second).resolve(findPage(openPdf(second), 0).dict.get('Annots'))).toHaveLength(5)
    expect(await validatePades(second, { judge, now })).toMatchObject({ indication: 'valid' })
    const closed = await signedWith(tablePdf(), { stamps, certify: 'form-filling' })
    await expect(signedWith(closed, { stamps })).rejects.toMatchObject({ code: 'pades.locked' })
  })

  test('a signature of another key is not released', async () => {
    const { state, ...request } = preparePades(tablePdf(), signer.certificate, { now })
    const other = signerOf(running.pki.certificate('bruno-lima'))
    const wrong = await other.sign({ ...request, toSign: Buffer.from('something else') })
    expect(() => completePades(state, wrong)).toThrowError(expect.objectContaining({ code: 'signing.wrong-signature' }))
  })

  test('the bytes to append are the same document without a copy of it', async () => {
    const pdf = tablePdf()
    const appended = await sign(pdf, { output: 'appended' })
    expect((await pdfsig(Buffer.concat([pdf, appended]))).valid).toBe(1)
  })

  test('a digest state of an earlier pass is carried on, and can be used again', async () => {
    const pdf = tablePdf({ fillers: 50 })
    const digestState = createHash('sha256').update(pdf)
    for (let i = 0; i < 2; i++) expect((await pdfsig(await sign(pdf, { digestState }))).valid).toBe(1)
    const other = createHash('sha512').update(pdf)
    await expect(sign(pdf, { digestState: other })).rejects.toMatchObject({ code: 'pades.digest-state' })
  })
})

describe('a refusal', () => {
  const dynamic = { catalog: '/NeedsRendering true /AcroForm << /Fields [] /XFA (x) >>' }
  test.each([
    ['pdf.xfa-dynamic', tablePdf(dynamic), {}],
    ['pdf.encrypted', throughQpdf(tablePdf(), '--encrypt', 'user', 'owner', '256', '--'), {}],
    ['pdf.damaged', tablePdf().subarray(0, 300), {}],
    ['pades.reason-with-policy', tablePdf(), { level: 'AD-RB', reason: 'Aceite' }],
    ['pades.level-unknown', tablePdf(), { level: 'AD-RV' as 'AD-RT' }],
    ['pades.timestamps-missing', tablePdf(), { level: 'B-T' }],
    ['pdf.no-such-page', tablePdf(), { appearance: { page: 2, x: 0, y: 0, width: 90, height: 30, lines: ['x'] } }],
    [
      'pades.appearance',
      tablePdf(),
      { appearance: { x: 0, y: 0, width: 90, height: 30, image: Buffer.from('GIF89a') } },
    ],
    ['pades.appearance', tablePdf(), { appearance: { x: 0, y: 0, width: 4, height: 4, lines: ['x'] } }],
  ] as const)('%s', async (code, pdf, options) => {
    await expect(sign(pdf, options)).rejects.toMatchObject({ code })
  })
})

describe('a visible signature', () => {
  const lines = ['Assinado por João Conceição', 'Łukasz Žižka · Ελλάδα']
  const shown = { x: 50, y: 40, width: 300, height: 60, lines, border: true, qrCode: 'https://example.org/v/1' }

  test('shows its text, accents included, and stays valid', async () => {
    const signed = await sign(tablePdf(), { appearance: { ...shown, image: samplePng('rgb-alpha') } })
    expect((await pdfsig(signed)).valid).toBe(1)
    expect(await qpdfCheck(signed)).toBe(0)
    const { text } = await runTool('pdftotext', [saved(signed), '-'])
    for (const line of lines) expect(text).toContain(line)
  })

  test.each([0, 90, 180, 270])('stands where it should on a page turned by %s degrees', async (rotate) => {
    const page = `/MediaBox [0 0 600 800] /CropBox [100 50 500 650] /Rotate ${rotate}`
    const signed = await sign(tablePdf({ page }), {
      appearance: { x: 30, y: 20, width: 120, height: 40, origin: 'top-left', border: true },
    })
    expect(await darkBox(signed)).toEqual({ left: 30, top: 20, right: 150, bottom: 60 })
  })

  test('on all pages is one field, and one picture on each page', async () => {
    const signed = await sign(tablePdf({ pages: 3 }), { appearance: { ...shown, page: 'all' } })
    expect((await pdfsig(signed)).valid).toBe(1)
    const { text } = await runTool('pdftotext', [saved(signed), '-'])
    expect(text.split('João Conceição')).toHaveLength(4)
  })

  test('on all pages is refused where annotations are not allowed', async () => {
    const certified = await sign(tablePdf({ pages: 2 }), { certify: 'form-filling' })
    await expect(sign(certified, { appearance: { ...shown, page: 'all' } })).rejects.toMatchObject({
      code: 'pades.locked',
    })
  })

  test('on the last page is there', async () => {
    const signed = await sign(tablePdf({ pages: 3 }), { appearance: { ...shown, page: 'last' } })
    const { text } = await runTool('pdftotext', ['-f', '3', saved(signed), '-'])
    expect(text).toContain('João Conceição')
  })

  test('fills a field that was prepared for it', async () => {
    const field = '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Diretor) /Rect [10 10 300 90] /P 4 0 R >>'
    const pdf = tablePdf({
      catalog: '/AcroForm << /Fields [100 0 R] >>',
      page: '/MediaBox [0 0 612 792] /Annots [100 0 R]',
      extra: { 100: field },
    })
    const signed = await sign(pdf, { fieldName: 'Diretor', appearance: shown })
    const { text } = await runTool('pdftotext', [saved(signed), '-'])
    expect(text).toContain('João Conceição')
  })

  test.each<PngKind>(['grey', 'rgb', 'palette', 'grey-alpha', 'rgb-alpha'])(
    'takes a PNG of the kind %s',
    async (kind) => {
      const signed = await sign(tablePdf(), {
        appearance: { x: 0, y: 0, width: 90, height: 30, image: samplePng(kind) },
      })
      expect(await qpdfCheck(signed)).toBe(0)
      expect((await runTool('pdftoppm', ['-r', '20', saved(signed)])).text).not.toContain('Error')
    },
  )

  test('drawn once serves many documents', async () => {
    const appearance = await drawAppearance(shown)
    for (const pdf of [tablePdf(), streamPdf()]) {
      const { state, ...request } = preparePades(pdf, signer.certificate, { now, appearance })
      expect((await pdfsig(completePades(state, await signer.sign(request)))).valid).toBe(1)
    }
  })

  /** The box of dark pixels near the top left, on a rendering with one pixel per point. */
  async function darkBox(pdf: Uint8Array) {
    const { stdout } = await runTool('pdftoppm', [
      '-r',
      '72',
      '-gray',
      '-cropbox',
      '-aa',
      'no',
      '-aaVector',
      'no',
      saved(pdf),
    ])
    const [, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString('latin1', 0, 30))!.map(Number)
    const pixels = stdout.subarray(stdout.length - width! * height!)
    const box = { left: Infinity, top: Infinity, right: 0, bottom: 0 }
    for (let y = 0; y < 80; y++) {
      for (let x = 0; x < 170; x++) {
        if (pixels[y * width! + x]! > 128) continue
        box.left = Math.min(box.left, x)
        box.top = Math.min(box.top, y)
        box.right = Math.max(box.right, x + 1)
        box.bottom = Math.max(box.bottom, y + 1)
      }
    }
    return box
  }
})
