import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IssuedCertificate, RunningDemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { openssl, runTool, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import { attributeOids } from '../cms/oids.ts'
import { readSignedData, valuesOf } from '../cms/signed-data.ts'
import { toPem } from '../der/pem.ts'
import { exchangeOverHttp } from '../http/exchange.ts'
import { createJudge, type Judge } from '../judgement/judge-certificate.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { keySigner } from '../keys/key-signer.ts'
import { openPdf } from '../pdf/pdf-file.ts'
import { isArray, isDict, isStream, nameOf, type PdfDict } from '../pdf/pdf-object.ts'
import { streamPdf, tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { RevocationSource } from '../revocation/revocation-source.ts'
import { createTimestampClient, type TimestampClient } from '../timestamps/timestamp-client.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { Certificate } from '../x509/certificate.ts'
import { embeddedSignatures } from './embedded-signatures.ts'
import { extendPades, type PadesLevel, signPades } from './index.ts'
import { signedParts } from './test-support/signed-parts.ts'

let running: RunningDemoPki
let signer: DigestSigner
let timestamps: TimestampClient
let judge: Judge
let root: string
const now = new Date()

beforeAll(async () => {
  running = await pkiOfToday()
  const { pki, baseUrl } = running
  const issued = await pki.issuePerson({ name: 'Maria da Silva', cpf: '52998224725' })
  const [certificate, ...chain] = pki.chainOf(issued).map(({ der }: IssuedCertificate) => Certificate.read(der))
  signer = keySigner({ certificate: certificate!, chain, privateKey: issued.key.privateKey })
  timestamps = createTimestampClient({ authorities: [{ url: `${baseUrl}/tsa` }] })
  const anchors = TrustAnchors.of([Certificate.read(pki.certificate('root').der)])
  judge = createJudge({ anchors, revocation: new RevocationSource(), exchange: exchangeOverHttp })
  root = toPem('CERTIFICATE', pki.certificate('root').der)
})

const sign = (pdf: Uint8Array, level: PadesLevel, options = {}) =>
  signPades(pdf, signer, { level, now, timestamps, judge, ...options })

const extend = (pdf: Uint8Array, level: PadesLevel, options = {}) =>
  extendPades(pdf, { level, now, timestamps, judge, ...options })

function saved(content: Uint8Array | string): string {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, content)
  return path
}

/** All signatures are valid: pdfsig and openssl check signatures, openssl checks timestamps; qpdf reports no error. */
async function requireAllValid(pdf: Uint8Array): Promise<void> {
  const parts = signedParts(pdf)
  const path = saved(pdf)
  const { text } = await runTool('pdfsig', ['-nocert', path])
  expect(text.match(/Signature is Valid/g)).toHaveLength(parts.filter(({ kind }) => kind === 'signature').length)
  expect((await runTool('qpdf', ['--check', path])).exitCode).toBe(0)
  const ca = saved(root)
  for (const { kind, covered, cms } of parts) {
    if (kind === 'document-timestamp') {
      expect(
        (await openssl(['ts', '-verify', '-token_in', '-in', saved(cms), '-data', saved(covered), '-CAfile', ca])).text,
      ).toContain('OK')
      continue
    }
    const files = ['-in', saved(cms), '-content', saved(covered), '-CAfile', ca]
    expect(
      (await openssl(['cms', '-verify', '-binary', '-inform', 'DER', ...files, '-purpose', 'any', '-out', '/dev/null']))
        .ok,
    ).toBe(true)
    for (const token of signatureTimestamps(cms)) {
      const value = saved(readSignedData(cms).signers[0]!.signature)
      expect(
        (await openssl(['ts', '-verify', '-token_in', '-in', saved(token), '-data', value, '-CAfile', ca])).text,
      ).toContain('OK')
    }
  }
}

const signatureTimestamps = (cms: Uint8Array): Buffer[] =>
  valuesOf(readSignedData(cms).signers[0]!.unsignedAttributes, attributeOids.signatureTimestamp).map(({ raw }) => raw)

function store(pdf: Uint8Array): PdfDict {
  const file = openPdf(pdf)
  const found = file.resolve(file.catalog().get('DSS'))
  return isDict(found) ? found : new Map()
}

const kinds = (pdf: Uint8Array) => signedParts(pdf).map(({ kind }) => kind)
const size = (pdf: Uint8Array, key: string): number => {
  const list = openPdf(pdf).resolve(store(pdf).get(key))
  return isArray(list) ? list.length : isDict(list) ? list.size : 0
}

describe.each([
  ['B-B', 0, false, false],
  ['B-T', 1, false, false],
  ['B-LT', 1, true, false],
  ['B-LTA', 1, true, true],
  ['AD-RB', 0, false, false],
  ['AD-RT', 1, false, false],
  ['AD-RC', 1, true, true],
  ['AD-RA', 1, true, true],
] as const)('the level %s', (level, tokens, hasStore, hasDocumentTimestamp) => {
  test.each([
    ['a table', tablePdf],
    ['streams', streamPdf],
  ])('is made on a file with %s, and every part of it is valid', async (_what, make) => {
    const original = make({ pages: 2 })
    const signed = await sign(original, level)
    expect(signed.subarray(0, original.length).equals(original)).toBe(true)
    await requireAllValid(signed)
    expect(signatureTimestamps(signedParts(signed)[0]!.cms)).toHaveLength(tokens)
    expect(kinds(signed)).toEqual(hasDocumentTimestamp ? ['signature', 'document-timestamp'] : ['signature'])
    expect(store(signed).has('VRI')).toBe(hasStore)
    expect(signedParts(signed).at(-1)!.end === signed.length).toBe(level !== 'B-LT')
  })
})

describe('the document security store', () => {
  test('names the signature by its padded contents and holds its chain and revocation data', async () => {
    const signed = await sign(tablePdf(), 'B-LT')
    const [signature] = embeddedSignatures(openPdf(signed))
    const key = createHash('sha1').update(signature!.contents.bytes).digest('hex').toUpperCase()
    const file = openPdf(signed)
    const entries = file.resolve(store(signed).get('VRI'))
    const entry = file.resolve(isDict(entries) ? entries.get(key) : null)
    expect(isDict(entry) && nameOf(entry.get('Type'))).toBe('VRI')
    const certificates = file.resolve(store(signed).get('Certs'))
    const stored = (isArray(certificates) ? certificates : []).map((item) => {
      const stream = file.resolve(item)
      return isStream(stream) ? Certificate.read(file.decode(stream)).fingerprint : ''
    })
    for (const { fingerprint } of [signer.certificate, ...signer.chain]) expect(stored).toContain(fingerprint)
    expect(new Set(stored).size).toBe(stored.length)
    expect(size(signed, 'CRLs') + size(signed, 'OCSPs')).toBeGreaterThan(0)
  })

  test('keeps what ICP-Brasil wants in the archive', async () => {
    const artifacts = {
      policy: Buffer.from('policy'),
      list: Buffer.from('list'),
      listSignature: Buffer.from('signature'),
    }
    const signed = await sign(tablePdf(), 'AD-RA', { artifacts })
    for (const key of ['PBAD_PolicyArtifacts', 'PBAD_LpaArtifacts', 'PBAD_LpaSignatures'])
      expect(size(signed, key)).toBe(1)
    const entries = openPdf(signed).resolve(store(signed).get('VRI'))
    const [entry] = isDict(entries) ? [...entries.values()].map((value) => openPdf(signed).resolve(value)) : []
    expect(isDict(entry) && entry.has('PBAD_PolicyArtifact')).toBe(true)
    await requireAllValid(signed)
  })

  test('stores the same certificate once, however many signatures need it', async () => {
    const once = await sign(tablePdf(), 'B-LT')
    const twice = await sign(once, 'B-LT')
    expect(size(twice, 'VRI')).toBe(2)
    expect(size(twice, 'Certs')).toBe(size(once, 'Certs'))
    await requireAllValid(twice)
  })
})

describe('extending', () => {
  test('goes step by step from B-B to B-LTA in a file that has room', async () => {
    const basic = await signPades(tablePdf(), signer, { level: 'B-T', now, timestamps })
    const lt = await extend(basic, 'B-LT')
    const lta = await extend(lt, 'B-LTA')
    expect(lta.subarray(0, lt.length).equals(lt)).toBe(true)
    await requireAllValid(lta)
  })

  test('a signature without room gets a document timestamp instead', async () => {
    const extended = await extend(await sign(tablePdf(), 'B-B'), 'B-T')
    expect(kinds(extended)).toEqual(['signature', 'document-timestamp'])
    await requireAllValid(extended)
    expect(await extend(extended, 'B-T')).toEqual(extended)
  })

  test('a signature of ICP-Brasil without room is refused, for only a signature timestamp will do', async () => {
    await expect(extend(await sign(tablePdf(), 'AD-RB'), 'AD-RT')).rejects.toMatchObject({
      code: 'pades.hole-too-small',
    })
  })

  test('a later signature keeps an earlier one from being stamped inside', async () => {
    const first = await sign(tablePdf(), 'B-B', { timestampBytes: 8192 })
    const second = await sign(first, 'B-B')
    const extended = await extend(second, 'B-LTA')
    expect(extended.subarray(0, second.length).equals(second)).toBe(true)
    expect(size(extended, 'VRI')).toBeGreaterThanOrEqual(2)
    await requireAllValid(extended)
  })

  test('again renews the archive: evidence for the last timestamp, and a new one over it', async () => {
    const lta = await sign(tablePdf(), 'B-LTA')
    const renewed = await extend(lta, 'B-LTA')
    expect(renewed.subarray(0, lta.length).equals(lta)).toBe(true)
    expect(kinds(renewed)).toEqual(['signature', 'document-timestamp', 'document-timestamp'])
    expect(size(renewed, 'VRI')).toBe(2)
    await requireAllValid(renewed)
  })

  test('further signatures on an archived document leave everything valid', async () => {
    await requireAllValid(await sign(await sign(streamPdf(), 'B-LTA'), 'AD-RC'))
  })

  test('a token longer than expected gets the room it needs', async () => {
    const signed = await sign(tablePdf(), 'B-B')
    await requireAllValid(await extend(signed, 'B-T', { timestampBytes: 100 }))
  })

  test('a document certified without changes still takes evidence and timestamps', async () => {
    await requireAllValid(await sign(tablePdf(), 'B-LTA', { certify: 'no-changes' }))
  })

  test.each([
    ['pades.no-signature', () => extend(tablePdf(), 'B-T')],
    ['pades.no-signature', () => extend(tablePdf(), 'B-LT')],
    ['pades.timestamps-missing', () => extendPades(tablePdf(), { level: 'B-T', now })],
    ['pades.judge-missing', () => extendPades(tablePdf(), { level: 'B-LT', now, timestamps })],
    ['pades.level-unknown', () => extend(tablePdf(), 'AD-RV' as 'AD-RT')],
    ['pades.hole-too-small', () => sign(tablePdf(), 'B-T', { timestampBytes: 100, level: 'AD-RT' })],
  ])('is refused as %s', async (code, attempt) => {
    await expect(attempt()).rejects.toMatchObject({ code })
  })
})
