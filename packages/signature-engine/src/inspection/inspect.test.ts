import type { RunningDemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { signCades } from '../cades/sign-cades.ts'
import { toPem } from '../der/pem.ts'
import { encryptTo } from '../envelope/encrypt.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { keySigner } from '../keys/key-signer.ts'
import { signPades } from '../pades/sign-pades.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { createTimestampClient } from '../timestamps/timestamp-client.ts'
import { Certificate } from '../x509/certificate.ts'
import { signXades } from '../xades/sign-xades.ts'
import { type Inspected, inspect, inspectionText } from './index.ts'

const now = new Date()
const samples: Record<string, Buffer> = {}
let demo: RunningDemoPki
let signer: DigestSigner

beforeAll(async () => {
  demo = await pkiOfToday()
  const maria = await demo.pki.issuePerson({ name: 'MARIA DA SILVA', cpf: '52998224725' })
  const [certificate, ...chain] = demo.pki.chainOf(maria).map(({ der }) => Certificate.read(der))
  signer = keySigner({ certificate: certificate!, chain, privateKey: maria.key.privateKey })
  const timestamps = createTimestampClient({ authorities: [{ url: `${demo.baseUrl}/tsa` }] })
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
