import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import { signAsic } from '../asic/index.ts'
import { signCades } from '../cades/index.ts'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { digest } from '../crypto/digest.ts'
import { explicit, integer, octetString, oid, sequence } from '../der/der-writer.ts'
import { toPem } from '../der/pem.ts'
import { encryptTo } from '../envelope/index.ts'
import { signJades } from '../jades/index.ts'
import { signPades } from '../pades/index.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { signXades } from '../xades/index.ts'
import { writeZip } from '../zip/zip-writer.ts'
import { type DetectedFormat, detectFormat, verify } from './index.ts'

let demo: DemoSigners
let now: Date
beforeAll(async () => {
  demo = await demoSignersOfToday()
  now = new Date()
})

const content = Buffer.from('Ata da assembleia geral ordinária.')
/** A structure of this content type, as `openssl cms` makes it. */
const cmsOf = (type: string) => sequence(oid(type), explicit(0, octetString(content)))
const codeOf = (code: string) => expect.objectContaining({ code })
const verified = (file: Uint8Array, more: object = {}) => verify(file, { judge: demo.judge, now, ...more })

/** A timestamp over the content, on its own and in the answer of its authority. */
async function stamped() {
  const { token } = await demo.timestamps.stampDigest('sha256', digest('sha256', content))
  return { token, answer: sequence(sequence(integer(0)), Buffer.from(token)) }
}

async function envelope(): Promise<Buffer> {
  const { certificate } = await demo.signer()
  const pieces: Buffer[] = []
  for await (const piece of encryptTo([certificate], content, { now, size: content.length }).bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

describe('one door', () => {
  test.each<[string, DetectedFormat, string, () => Promise<Uint8Array>, object?]>([
    ['a PDF', 'PAdES', 'PAdES', async () => signPades(tablePdf(), await demo.signer(), { now })],
    ['XML', 'XAdES', 'XAdES', async () => signXades(Buffer.from('<a/>'), await demo.signer(), { now })],
    ['a CMS', 'CAdES', 'CAdES', async () => signCades(content, await demo.signer(), { now })],
    [
      'a detached CMS in PEM',
      'CAdES',
      'CAdES',
      async () => signCades(content, await demo.signer(), { now, encoding: 'PEM', packaging: 'detached' }),
      { content },
    ],
    [
      'a CMS in base64',
      'CAdES',
      'CAdES',
      async () => Buffer.from((await signCades(content, await demo.signer(), { now })).toString('base64')),
    ],
    ['a container', 'ASiC', 'ASiC-S', async () => signAsic([{ name: 'a.txt', content }], await demo.signer(), { now })],
    ['a compact JWS', 'JAdES', 'JAdES', async () => signJades(content, await demo.signer(), { now })],
    [
      'a JWS in JSON',
      'JAdES',
      'JAdES',
      async () => signJades(content, await demo.signer(), { now, serialization: 'general' }),
    ],
    ['a timestamp', 'timestamp', 'CAdES', async () => (await stamped()).token, { content }],
    [
      'the answer of a time-stamping authority',
      'timestamp',
      'CAdES',
      async () => (await stamped()).answer,
      { content },
    ],
    [
      'a timestamp in PEM',
      'timestamp',
      'CAdES',
      async () => Buffer.from(toPem('PKCS7', (await stamped()).token)),
      { content },
    ],
  ])('verifies %s', async (_what, detected, format, made, options = {}) => {
    const file = await made()
    expect(detectFormat(file)).toBe(detected)
    // The start is enough: large files are not read to be told apart.
    expect(detectFormat(file.subarray(0, 1024))).toBe(detected)
    expect(await verified(file, options)).toMatchObject({ format, indication: 'valid' })
  })

  test('reads a content that is a stream, for every detached signature', async () => {
    async function* stream() {
      yield content.subarray(0, 5)
      yield content.subarray(5)
    }
    const signer = await demo.signer()
    const files = [
      await signCades(content, signer, { now, packaging: 'detached' }),
      await signXades(content, signer, { now, packaging: 'detached', uri: 'ata.txt' }),
      (await stamped()).token,
    ]
    for (const file of files) expect((await verified(file, { content: stream() })).indication).toBe('valid')
  })

  test('opens an encrypted PDF with its password, and asks for one', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'plain.pdf'), tablePdf())
    const encrypt = ['--encrypt', 'segredo', 'dono', '256', '--', 'plain.pdf', 'locked.pdf']
    expect((await runTool('qpdf', encrypt, { folder })).ok).toBe(true)
    const locked = readFileSync(join(folder, 'locked.pdf'))
    const file = await signPades(locked, await demo.signer(), { now, password: 'segredo' })
    expect(await verified(file, { password: 'segredo' })).toMatchObject({ format: 'PAdES', indication: 'valid' })
    await expect(verified(file)).rejects.toThrow(codeOf('pdf.encrypted'))
  })

  test('takes roots instead of a judge, asks nobody, and refuses to trust nobody', async () => {
    const file = await signCades(content, await demo.signer(), { now })
    const report = await verify(file, { anchors: TrustAnchors.of([demo.root]), now })
    expect(report).toMatchObject({
      indication: 'indeterminate',
      signatures: [{ integrity: { content: { state: 'passed' } } }],
    })
    await expect(verify(file, { now })).rejects.toThrow(codeOf('verify.trust-missing'))
  })
})

describe('a file that nothing verifies is refused by what it is', () => {
  const text = (value: string) => Buffer.from(value, 'latin1')

  test.each<[string, () => Uint8Array | Promise<Uint8Array>, string | undefined, string]>([
    ['an empty file', () => Buffer.alloc(0), undefined, 'verify.empty'],
    ['an empty PDF', () => Buffer.alloc(0), 'contract.pdf', 'verify.no-pdf'],
    ['text that is named a PDF', () => text('Hello.'), 'Contract.PDF', 'verify.no-pdf'],
    ['an image that is named a PDF', () => text('\x89PNG\r\n'), 'contract.pdf', 'verify.no-pdf'],
    ['text', () => text('Hello, world.'), undefined, 'verify.unknown-format'],
    ['bytes', () => Buffer.of(1, 2, 3, 4), undefined, 'verify.unknown-format'],
    ['a SEQUENCE of nothing known', () => sequence(explicit(0, integer(1))), undefined, 'verify.unknown-format'],
    ['an image', () => text('\xff\xd8\xff\xe0'), undefined, 'verify.not-signed-format'],
    ['a program', () => text('MZ\x90\x00'), undefined, 'verify.not-signed-format'],
    ['a certificate', () => demo.root.der, undefined, 'verify.not-signed-format'],
    ['a certificate in PEM', () => text(toPem('CERTIFICATE', demo.root.der)), undefined, 'verify.not-signed-format'],
    [
      'a key with its certificates',
      () => demo.pki.pkcs12(demo.pki.certificate('ana-souza'), { password: 'x' }),
      undefined,
      'verify.not-signed-format',
    ],
    ['an envelope', envelope, undefined, 'verify.not-signed-format'],
    [
      'an S/MIME message',
      () =>
        text(
          'From: ana@example.com\r\nSubject: a\r\n b\r\nMIME-Version: 1.0\r\nContent-Type: multipart/signed\r\n\r\n',
        ),
      undefined,
      'verify.not-signed-format',
    ],
    ['an OpenPGP message', () => text('-----BEGIN PGP SIGNED MESSAGE-----\n'), undefined, 'verify.not-signed-format'],
    ['a zip archive', () => writeZip([{ name: 'a.txt', content }], now), undefined, 'asic.no-container'],
  ])('%s', async (_what, made, name, code) => {
    await expect(verified(await made(), name === undefined ? {} : { name })).rejects.toThrow(codeOf(code))
  })

  test.each([
    ['data alone', '1.2.840.113549.1.7.1'],
    ['data with a digest', '1.2.840.113549.1.7.5'],
  ])('a CMS of %s is neither signed nor encrypted', async (_what, type) => {
    const refused = verified(cmsOf(type))
    await expect(refused).rejects.toThrow(codeOf('verify.not-signed-format'))
    await expect(refused).rejects.toMatchObject({ details: { advice: '' } })
  })

  test('and what it is named does not matter where it is something', async () => {
    const file = await signCades(content, await demo.signer(), { now })
    expect(await verified(file, { name: 'contract.pdf' })).toMatchObject({ format: 'CAdES', indication: 'valid' })
  })
})

test('digests stand for a detached content; one of an algorithm the signature does not use leaves it open', async () => {
  const signer = await demo.signer()
  const files = [
    await signCades(content, signer, { now, packaging: 'detached' }),
    await signXades(content, signer, { now, packaging: 'detached', uri: 'ata.txt' }),
    (await stamped()).token,
  ]
  const hashed = (name: string, bytes: Uint8Array) => ({ [name]: createHash(name).update(bytes).digest() })
  const stateOf = async (file: Uint8Array, contentDigests: object) => {
    const { indication, signatures } = await verified(file, { contentDigests })
    return [indication, signatures[0]!.integrity.content.state]
  }
  for (const file of files) {
    expect(await stateOf(file, hashed('sha256', content))).toEqual(['valid', 'passed'])
    expect(await stateOf(file, hashed('sha256', Buffer.from('other')))).toEqual(['invalid', 'failed'])
    expect(await stateOf(file, hashed('sha512', content))).toEqual(['indeterminate', 'not-checked'])
  }
  for (const unusable of [{ sha256: Buffer.alloc(31) }, { md5: Buffer.alloc(16) }])
    await expect(verified(files[0]!, { contentDigests: unusable })).rejects.toThrow(codeOf('verify.digest-unusable'))
})
