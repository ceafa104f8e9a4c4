import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  boolean,
  type Der,
  implicit,
  integer,
  nothing,
  octetString,
  oid,
  sequence,
  tlv,
} from '@chancela/signature-engine/der'
import { type ContentInfo, SignedData } from '@peculiar/asn1-cms'
import { AsnConvert, type OctetString } from '@peculiar/asn1-schema'
import { TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openssl } from '../tools/run-tool.ts'
import { extension } from './extensions.ts'
import { cachedKeys } from './keys.ts'
import { type RunningDemoPki, startDemoPki } from './start-demo-pki.ts'

let demo: RunningDemoPki
let folder: string

beforeAll(async () => {
  demo = await startDemoPki({ keys: cachedKeys() })
  folder = await mkdtemp(join(tmpdir(), 'demo-pki-tsa-'))
  await writeFile(file('root.pem'), demo.pki.trustAnchors())
  await writeFile(file('document'), 'what is stamped')
  const chain = ['tsa', 'level-2', 'level-1'].map((label) => demo.pki.certificate(label).x509.toString())
  await writeFile(file('chain.pem'), chain.join(''))
})
afterAll(async () => {
  await demo.stop()
  await rm(folder, { recursive: true })
})

const file = (name: string): string => join(folder, name)

async function stamp(request: Buffer): Promise<Buffer> {
  const answer = await fetch(`${demo.baseUrl}/tsa`, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: new Uint8Array(request),
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/timestamp-reply')
  return Buffer.from(await answer.arrayBuffer())
}

/** openssl's request, our answer, openssl's verdict. */
async function stampDocument(...options: string[]): Promise<{ reply: Buffer; verdict: string; text: string }> {
  await openssl(['ts', '-query', '-data', file('document'), ...options, '-out', file('query.tsq')])
  const reply = await stamp(await readFile(file('query.tsq')))
  await writeFile(file('reply.tsr'), reply)
  const trust = ['-CAfile', file('root.pem'), '-untrusted', file('chain.pem')]
  const verified = await openssl(['ts', '-verify', '-in', file('reply.tsr'), '-queryfile', file('query.tsq'), ...trust])
  const shown = await openssl(['ts', '-reply', '-in', file('reply.tsr'), '-text'])
  return { reply, verdict: verified.text, text: shown.text }
}

describe('a time stamp', () => {
  test.each(['-sha256', '-sha384', '-sha512'])('over a %s imprint is verified by openssl', async (hash) => {
    const { verdict, text } = await stampDocument(hash, '-cert')
    expect(verdict).toContain('Verification: OK')
    expect(text).toContain('Status: Granted.')
    expect(text).toContain('Policy OID: 2.16.76.1.6.2')
    expect(text).toContain('Accuracy: 0x01 seconds')
    expect(text).toMatch(/Time stamp: \w+ +\d+ \d\d:\d\d:\d\d \d{4} GMT\n/)
    expect(text).toMatch(/Serial number: 0x[4-7][0-9A-F]{31}\n/)
  })

  test('echoes the nonce, and has none when none was sent', async () => {
    expect((await stampDocument('-sha256', '-cert')).text).toMatch(/Nonce: 0x[0-9A-F]+\n/)
    const without = await stampDocument('-sha256', '-cert', '-no_nonce')
    expect(without.verdict).toContain('Verification: OK')
    expect(without.text).toContain('Nonce: unspecified')
  })

  test('carries certificates only when asked for, and verifies either way', async () => {
    const [asked, notAsked] = [await stampDocument('-sha256', '-cert'), await stampDocument('-sha256')]
    expect(notAsked.verdict).toContain('Verification: OK')
    expect(signedDataOf(asked.reply).certificates).toHaveLength(3)
    expect(signedDataOf(notAsked.reply).certificates).toBeUndefined()
  })

  test('is granted under the policy asked for, when it is the right one', async () => {
    expect((await stampDocument('-sha256', '-cert', '-tspolicy', '2.16.76.1.6.2')).verdict).toContain('OK')
  })

  test('of other data is not accepted for this document', async () => {
    await stampDocument('-sha256', '-cert')
    await writeFile(file('other'), 'something else')
    const { text } = await openssl([
      'ts',
      '-verify',
      '-in',
      file('reply.tsr'),
      '-data',
      file('other'),
      '-CAfile',
      file('root.pem'),
    ])
    expect(text).toContain('Verification: FAILED')
  })

  test('binds its signing certificate, with signed attributes in order', async () => {
    const signer = signedDataOf((await stampDocument('-sha256', '-cert')).reply).signerInfos[0]!
    const types = signer.signedAttrs!.map(({ attrType }) => attrType)
    expect(types.toSorted()).toEqual(['1.2.840.113549.1.9.16.2.47', '1.2.840.113549.1.9.3', '1.2.840.113549.1.9.4'])
    const encoded = signer.signedAttrs!.map((attribute) => Buffer.from(AsnConvert.serialize(attribute)))
    expect(encoded).toEqual(encoded.toSorted(Buffer.compare))
  })

  test('has a number of its own', async () => {
    const numbers = await Promise.all([1, 2, 3].map(async () => infoOf(await stamp(query({}))).serialNumber))
    expect(new Set(numbers.map((number) => Buffer.from(number).toString('hex'))).size).toBe(3)
  })

  test('echoes a negative nonce as it came', async () => {
    const info = infoOf(await stamp(query({ nonce: tlv(0x02, Buffer.from('ff01', 'hex')) })))
    expect(Buffer.from(info.nonce!)).toEqual(Buffer.from('ff01', 'hex'))
  })
})

describe('a request that is not granted', () => {
  test.each([
    ['an imprint by SHA-1', { hash: '1.3.14.3.2.26', imprint: 20 }, 'unrecognized or unsupported algorithm identifier'],
    ['an imprint of the wrong length', { imprint: 31 }, 'the data submitted has the wrong format'],
    ['another version', { version: 2 }, 'transaction not permitted or supported'],
    ['another policy', { policy: '1.2.3.4' }, 'the requested TSA policy is not supported by the TSA'],
    ['an extension', { extensions: true }, 'the requested extension is not supported by the TSA'],
  ])('for %s is rejected', async (_what, parts, reason) => {
    expect(await rejection(await stamp(query(parts)))).toBe(reason)
  })

  test.each([
    ['no DER', Buffer.from('good morning')],
    ['nothing', Buffer.alloc(0)],
    ['another structure', sequence(nothing)],
    ['random bytes', randomBytes(200)],
    ['a good request with a byte too many', Buffer.concat([query({}), Buffer.of(0)])],
  ])('being %s is of bad format', async (_what, body) => {
    expect(await rejection(await stamp(body))).toBe('the data submitted has the wrong format')
  })

  test('is shown as rejected by openssl', async () => {
    const { verdict, text } = await stampDocument('-sha256', '-cert', '-tspolicy', '1.2.3.4')
    expect(text).toContain('Status: Rejected.')
    expect(text).toContain('the requested TSA policy is not supported')
    expect(verdict).toContain('Verification: FAILED')
  })
})

interface QueryParts {
  version?: number
  hash?: string
  imprint?: number
  policy?: string
  nonce?: Der
  extensions?: boolean
}

/** A valid TimeStampReq by default. */
function query({
  version = 1,
  hash = '2.16.840.1.101.3.4.2.1',
  imprint = 32,
  policy,
  nonce,
  extensions,
}: QueryParts): Der {
  const unheardOf = sequence(extension('1.2.3.4.5', nothing))
  return sequence(
    integer(version),
    sequence(sequence(oid(hash), nothing), octetString(Buffer.alloc(imprint, 7))),
    policy === undefined ? undefined : oid(policy),
    nonce,
    boolean(true),
    extensions ? implicit(0, unheardOf) : undefined,
  )
}

/** The reason as openssl parses it: the flags of @peculiar/asn1-tsp are not those of RFC 3161. */
async function rejection(reply: Buffer): Promise<string | undefined> {
  await writeFile(file('rejection.tsr'), reply)
  const { text } = await openssl(['ts', '-reply', '-in', file('rejection.tsr'), '-text'])
  expect(text).toContain('Status: Rejected.')
  expect(AsnConvert.parse(reply, TimeStampResp).timeStampToken).toBeUndefined()
  return /^Failure info: (.*)$/m.exec(text)?.[1]
}

function signedDataOf(reply: Buffer): SignedData {
  const { timeStampToken } = AsnConvert.parse(reply, TimeStampResp)
  return AsnConvert.parse((timeStampToken as ContentInfo).content, SignedData)
}

function infoOf(reply: Buffer): TSTInfo {
  const content = signedDataOf(reply).encapContentInfo.eContent?.single
  return AsnConvert.parse((content as OctetString).buffer, TSTInfo)
}
