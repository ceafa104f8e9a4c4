import type { RunningDemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { signAsic } from '../asic/sign-asic.ts'
import { signCades } from '../cades/sign-cades.ts'
import { toPem } from '../der/pem.ts'
import { encryptTo } from '../envelope/encrypt.ts'
import { EngineError } from '../errors/engine-error.ts'
import { addJadesSignature, signJades } from '../jades/sign-jades.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { keySigner } from '../keys/key-signer.ts'
import { signPades } from '../pades/sign-pades.ts'
import { encryptedPdf } from '../pdf/test-support/encrypted-pdfs.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { createTimestampClient, type TimestampClient } from '../timestamps/timestamp-client.ts'
import { Certificate } from '../x509/certificate.ts'
import { signXades } from '../xades/sign-xades.ts'
import { type Inspected, inspect, inspectionText } from './index.ts'

const now = new Date()
const samples: Record<string, Buffer> = {}
let demo: RunningDemoPki
let signer: DigestSigner
let timestamps: TimestampClient

beforeAll(async () => {
  demo = await pkiOfToday()
  const maria = await demo.pki.issuePerson({ name: 'MARIA DA SILVA', cpf: '52998224725' })
  const [certificate, ...chain] = demo.pki.chainOf(maria).map(({ der }) => Certificate.read(der))
  signer = keySigner({ certificate: certificate!, chain, privateKey: maria.key.privateKey })
  timestamps = createTimestampClient({ authorities: [{ url: `${demo.baseUrl}/tsa` }] })
  const content = Buffer.from('content')
  const sealed: Buffer[] = []
  for await (const piece of encryptTo([certificate!], content, { now }).bytes) sealed.push(piece)
  const list = await demo.pki.revocationList(demo.pki.certificate('level-2'))
  Object.assign(samples, {
    certificate: Buffer.from(maria.der),
    certificates: Buffer.from(
      demo.pki
        .chainOf(maria)
        .map(({ x509 }) => x509.toString())
        .join(''),
    ),
    pkcs12: demo.pki.pkcs12(maria, { password: 'segredo' }),
    'signed-data': await signCades(content, signer, { now, level: 'AD-RT', timestamps }),
    timestamp: (await timestamps.stamp(content)).token,
    'enveloped-data': Buffer.concat(sealed),
    crl: list.der,
    pdf: await signPades(tablePdf(), signer, { now, reason: 'Aprovado' }),
    jws: await signJades(Buffer.from('{"total":10}'), signer, { now }),
    asic: await signAsic(
      [
        { name: 'a.txt', content },
        { name: 'b.txt', content },
      ],
      signer,
      { now, form: 'ASiC-E' },
    ),
    xml: await signXades(Buffer.from('<invoice><total>10</total></invoice>'), signer, { now, level: 'AD-RB' }),
  })
})

describe('inspecting', () => {
  test('tells what each kind of file is', async () => {
    for (const [kind, bytes] of Object.entries(samples)) expect((await inspect(bytes)).kind).toBe(kind)
  })

  test('reads the same from PEM', async () => {
    for (const [kind, label] of [
      ['signed-data', 'PKCS7'],
      ['crl', 'X509 CRL'],
    ] as const)
      expect(await inspect(Buffer.from(toPem(label, samples[kind]!)))).toEqual(await inspect(samples[kind]!))
  })

  test('shows holder, signers, policies, references and recipients', async () => {
    expect((await inspect(samples.certificate!)).facts).toMatchObject({
      cpf: '52998224725',
      kind: 'e-CPF',
      key: 'rsa 2048 bits',
    })
    const cms = await inspect(samples['signed-data']!)
    expect(found(cms, 'signer')[0]!.facts).toMatchObject({ policy: 'AD-RT 2.4 (CAdES)', algorithm: 'RSA-SHA256' })
    expect(found(cms, 'timestamp')).toHaveLength(1)
    const pdf = await inspect(samples.pdf!)
    expect(found(pdf, 'pdf-revision')).toHaveLength(2)
    expect(found(pdf, 'pdf-signature')[0]!.facts).toMatchObject({
      reason: 'Aprovado',
      subFilter: 'ETSI.CAdES.detached',
    })
    expect(found(await inspect(samples.xml!), 'xml-signature')[0]!.facts.references).toHaveLength(2)
    const { issuer, serialNumber } = found(await inspect(samples['enveloped-data']!), 'recipient')[0]!.facts
    expect(issuer).toBe(signer.certificate.issuer.toString())
    expect(serialNumber).toBe(signer.certificate.serialNumber.toString('hex'))
  })

  test('shows what the headers of a JWS say, in every serialization', async () => {
    const compact = await inspect(samples.jws!)
    expect(compact.facts.serialization).toBe('compact')
    const [signature] = found(compact, 'jws-signature')
    expect(signature!.facts).toMatchObject({ algorithm: 'RS256', content: 'attached, 12 bytes' })
    expect(signature!.facts.protectedHeader).toContain('x5t#S256')
  })

  test('shows what a JWS is detached from, and its timestamps', async () => {
    const options = { now, packaging: 'detached', uri: 'invoice.json' } as const
    const once = await signJades(samples.jws!, signer, { ...options, level: 'B-T', timestamps })
    const [detached] = found(await inspect(once), 'jws-signature')
    expect(detached!.facts).toMatchObject({ content: 'detached', sigD: expect.stringContaining('ObjectIdBy') })
    expect(detached!.facts.files).toEqual([expect.stringContaining('invoice.json')])
    expect(detached!.facts.etsiU).toContain('sigTst')
    expect(found(await inspect(once), 'timestamp')).toHaveLength(1)
    const twice = await addJadesSignature(await signJades(samples.xml!, signer, { now }), signer, { now })
    expect((await inspect(twice)).facts).toMatchObject({ serialization: 'general', signatures: 2 })
  })

  test('shows the files, manifests and signatures of a container', async () => {
    const container = await inspect(samples.asic!)
    expect(container.facts).toMatchObject({ form: 'ASiC-E', files: ['a.txt, 7 bytes', 'b.txt, 7 bytes'] })
    const [manifest] = found(container, 'asic-manifest')
    expect(manifest!.facts.files).toEqual(['a.txt by sha256', 'b.txt by sha256'])
    expect(found(container, 'asic-file').map(({ title }) => title)).toContain(manifest!.facts.signature)
    expect(found(container, 'signer')).toHaveLength(1)
    const simple = await signAsic([{ name: 'a.txt', content: samples.xml! }], signer, {
      now,
      form: 'ASiC-S',
      signature: 'XAdES',
    })
    expect(found(await inspect(simple), 'xml-signature')).toHaveLength(1)
  })

  test('opens an encrypted PDF with a password of its users or its owner, and names it without', async () => {
    const pdf = encryptedPdf(tablePdf(), 'AES-256 (R6)', { user: 'segredo', owner: 'dono' })
    const closed = await inspect(pdf)
    expect(closed).toMatchObject({ kind: 'pdf', contents: [] })
    expect(closed.facts.pages).toBeUndefined()
    for (const pdfPassword of ['segredo', 'dono']) {
      const { facts } = await inspect(pdf, { pdfPassword })
      expect(facts).toMatchObject({ pages: 1, encryption: expect.stringContaining('AES-256') })
    }
    const wrong = expect.objectContaining({ code: 'pdf.password-wrong' })
    await expect(inspect(pdf, { pdfPassword: 'wrong' })).rejects.toEqual(wrong)
  })

  test('opens a PKCS#12 only with a password, and asks for it only then', async () => {
    expect((await inspect(samples.pkcs12!)).contents).toEqual([])
    const opened = await inspect(samples.pkcs12!, { password: async () => 'segredo' })
    expect(opened.contents[0]!.facts.cpf).toBe('52998224725')
    await expect(inspect(samples.pkcs12!, { password: async () => 'wrong' })).rejects.toMatchObject({
      code: 'pkcs12.wrong-password',
    })
    const never = () => Promise.reject(new Error('nobody should ask'))
    await inspect(samples.certificate!, { password: never })
  })

  test('shows a tree of one line per fact, whatever stands in a name', async () => {
    const text = inspectionText(await inspect(samples.pdf!))
    expect(text.split('\n')[0]).toBe('PDF document')
    expect(text).toMatch(/^ {6}Signer 1: MARIA DA SILVA/m)
    const forged: Inspected = { kind: 'certificate', title: 'a\u001b[2Jb', facts: { subject: 'x\ny' }, contents: [] }
    expect(inspectionText(forged)).toBe('a\ufffd[2Jb\n  subject: x\ufffdy')
  })

  test('refuses anything else, and damaged files, by name', async () => {
    for (const other of ['', 'plain text', '\u0030\u0003\u0002\u0001\u0001'])
      await expect(inspect(Buffer.from(other, 'latin1'))).rejects.toMatchObject({ code: 'inspection.unknown' })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(samples)),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (kind, where, flip, isCut) => {
          const at = Math.floor(where * (samples[kind]!.length - 1))
          const bytes = Buffer.from(isCut ? samples[kind]!.subarray(0, at) : samples[kind]!)
          if (!isCut) bytes[at]! ^= flip
          await inspect(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(EngineError))
        },
      ),
      { numRuns: 400 },
    )
  })
})

const found = (inspected: Inspected, kind: Inspected['kind']): Inspected[] =>
  inspected.contents.flatMap((one) => [...(one.kind === kind ? [one] : []), ...found(one, kind)])
