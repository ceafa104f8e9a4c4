import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPdf } from '../pdf/pdf-file.ts'
import type { PdfSource } from '../pdf/pdf-source.ts'
import { encryptedPdf } from '../pdf/test-support/encrypted-pdfs.ts'
import { containerKinds, streamPdf, tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { extendPadesFile, preparePades, signPadesFile, validatePades, validatePadesFile } from './index.ts'
import { attackClasses } from './test-support/attacks.ts'
import { contractPdf } from './test-support/contract-pdf.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom

beforeAll(async () => {
  room = await openSigningRoom()
})

afterAll(() => room.stop())

/** Bytes that count how many of them are read, and how many at once. */
class CountedSource implements PdfSource {
  total = 0
  most = 0
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get length(): number {
    return this.bytes.length
  }

  read(start: number, end: number): Buffer {
    this.total += end - start
    this.most = Math.max(this.most, end - start)
    return Buffer.from(this.bytes.subarray(start, end))
  }
}

const tools = () => ({ now: room.clock(), timestamps: room.timestamps, judge: room.newJudge() })

function fileOf(pdf: Uint8Array): { path: string; out: (name: string) => string } {
  const folder = temporaryFolder()
  const path = join(folder, 'in.pdf')
  writeFileSync(path, pdf)
  return { path, out: (name) => join(folder, name) }
}

const validSignatures = async (path: string): Promise<number> =>
  (await runTool('pdfsig', ['-nocert', path])).text.match(/Signature is Valid/g)?.length ?? 0

describe('a PDF on the disk', () => {
  test.each(Object.entries(containerKinds))(
    'of the kind "%s" is signed, extended and validated there',
    async (_, make) => {
      const pdf = make()
      const { path, out } = fileOf(pdf)
      await signPadesFile(path, out('signed.pdf'), room.signer, { ...tools(), level: 'B-T' })
      expect(readFileSync(out('signed.pdf')).subarray(0, pdf.length).equals(pdf)).toBe(true)
      expect(await validSignatures(out('signed.pdf'))).toBe(1)
      await extendPadesFile(out('signed.pdf'), out('archived.pdf'), { ...tools(), level: 'B-LTA' })
      const report = await validatePadesFile(out('archived.pdf'), tools())
      expect(report).toMatchObject({ indication: 'valid', signatures: [{ level: 'B-LTA' }, {}] })
    },
  )

  test('gets a timestamp into its signature, as every level asks for', async () => {
    const { path, out } = fileOf(tablePdf())
    await signPadesFile(path, out('signed.pdf'), room.signer, { ...tools(), level: 'AD-RT', chain: room.signer.chain })
    const report = await validatePadesFile(out('signed.pdf'), tools())
    expect(report).toMatchObject({ indication: 'valid', signatures: [{ level: 'AD-RT', timestamps: [{}] }] })
  })

  test('may be encrypted, and open already; what is there is not overwritten', async () => {
    const { path, out } = fileOf(encryptedPdf(streamPdf(), 'AES-256 (R6)', { user: 'segredo' }))
    const file = await open(path)
    await signPadesFile(file, out('signed.pdf'), room.signer, { ...tools(), password: 'segredo' })
    await file.close()
    const report = await validatePadesFile(out('signed.pdf'), { ...tools(), password: 'segredo' })
    expect(report).toMatchObject({ indication: 'valid' })
    await expect(signPadesFile(path, out('signed.pdf'), room.signer, tools())).rejects.toThrow()
    expect(existsSync(out('signed.pdf'))).toBe(true)
  })
})

describe('of a large PDF', () => {
  const MEGABYTES = 24
  const large = (make = tablePdf) => make({ pages: 20, fillers: MEGABYTES, fillerBytes: 1024 * 1024 })

  test('signing reads a few kilobytes beside what is hashed while it is copied', async () => {
    const source = new CountedSource(large())
    expect(openPdf(source).version()).toBe('1.7')
    const digestState = (await import('node:crypto')).createHash('sha256').update(source.read(0, source.length))
    source.total = source.most = 0
    preparePades(source, room.signer.certificate, { now: room.clock(), digestState })
    expect(source.total).toBeLessThan(2 * 1024 * 1024)
  })

  test('validation reads each byte once, in small pieces, and later revisions in full', async () => {
    const once = await room.sign(large())
    const twice = await room.sign(once)
    for (const signed of [once, twice]) {
      const source = new CountedSource(signed)
      expect(await validatePades(source, tools())).toMatchObject({ indication: 'valid' })
      expect(source.most).toBeLessThan(4 * 1024 * 1024)
      expect(source.total).toBeLessThan(1.2 * source.length)
    }
  })
})

describe('the verdict on a file is that on its bytes', () => {
  const now = new Date()
  const verdict = async (document: Buffer | PdfSource) => {
    const { indication, findings, signatures } = await validatePades(document, { judge: room.newJudge(), now })
    const each = signatures.map((one) => ({ ...one, certificate: null, timestamps: [], signer: one.signer?.name }))
    return { indication, findings, each }
  }

  const all = Object.entries(attackClasses).flatMap(([name, variants]) =>
    Object.entries(variants).map(([variant, attack]) => [`${name}: ${variant}`, attack] as const),
  )

  test.each(all)('%s', async (_, { document, tamper }) => {
    const attacked = tamper(await room.sign(document ? await document(room.sign) : contractPdf()))
    expect(await verdict(new CountedSource(attacked))).toEqual(await verdict(attacked))
  })
})
