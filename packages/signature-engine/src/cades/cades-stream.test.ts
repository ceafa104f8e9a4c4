import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { readSignedData } from '../cms/signed-data.ts'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { opensslVerifies } from '../cms/test-support/openssl-cms.ts'
import { EngineError } from '../errors/engine-error.ts'
import { createJudge } from '../judgement/judge-certificate.ts'
import { finding } from '../report/report.ts'
import { openState, sealState } from '../signing/signing-state.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import {
  attachCadesContent,
  completeCades,
  detachCadesContent,
  extendCades,
  prepareCadesStream,
  signCades,
  signCadesStream,
  validateCades,
  validateCadesStream,
} from './index.ts'

let demo: DemoSigners
beforeAll(async () => {
  demo = await demoSignersOfToday()
})

const now = new Date()
const content = Buffer.from('linha do extrato\n'.repeat(9_000))
const codeOf = (code: string) => expect.objectContaining({ code })

/** The content in uneven pieces, some of them empty. */
async function* pieces(of: Buffer = content) {
  for (let at = 0, size = 1; at < of.length; at += size, size = (size * 7) % 20_011) {
    yield of.subarray(at, at + size)
    yield Buffer.alloc(0)
  }
}

async function collected(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(Buffer.from(part))
  return Buffer.concat(all)
}

async function* inPieces(file: Buffer, size: number) {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size)
}

const helpers = () => ({ now, timestamps: demo.timestamps, judge: demo.judge })

async function expectGood(file: Buffer, level: string): Promise<void> {
  const streamed = await validateCadesStream(inPieces(file, 4_096), { judge: demo.judge, now: new Date() })
  const whole = await validateCades(file, { judge: demo.judge, now: new Date() })
  for (const report of [streamed, whole]) {
    expect(report.signatures.map((signature) => [signature.level, signature.indication])).toEqual([[level, 'valid']])
  }
  const { ok, text, stdout } = await opensslVerifies(file, { roots: demo.pki.trustAnchors() })
  expect(ok, text).toBe(true)
  expect(stdout.equals(content)).toBe(true)
}

describe('a signature over a stream', () => {
  it('of known length is DER, byte for byte what signing in memory gives', async () => {
    const signer = await demo.signer('RSA-2048')
    const file = await collected(signCadesStream(pieces(), signer, { now, length: content.length }))
    expect(file.equals(await signCades(content, signer, { now }))).toBe(true)
    await expectGood(file, 'B-B')
  })

  it('of unknown length is BER with indefinite lengths, and says the same', async () => {
    const file = await collected(signCadesStream(pieces(), await demo.signer('RSA-2048'), { now }))
    expect(file.subarray(0, 2).toString('hex')).toBe('3080')
    expect(readSignedData(file).isDer).toBe(false)
    await expectGood(file, 'B-B')
  })

  it('is BER with ECDSA when it is read once, because its length is not known before, and DER when it is read twice', async () => {
    const signer = await demo.signer('P-256')
    const once = await collected(signCadesStream(pieces(), signer, { now, length: content.length }))
    const twice = await collected(signCadesStream(() => pieces(), signer, { now }))
    expect([readSignedData(once).isDer, readSignedData(twice).isDer]).toEqual([false, true])
    await expectGood(once, 'B-B')
    await expectGood(twice, 'B-B')
  })

  it.each(['B-T', 'B-LTA', 'AD-RC'] as const)('reaches level %s, read once', async (level) => {
    await expectGood(await collected(signCadesStream(pieces(), await demo.signer(), { level, ...helpers() })), level)
  })

  it.each(['B-LTA', 'AD-RA'] as const)('reaches level %s as DER, read twice', async (level) => {
    const file = await collected(signCadesStream(() => pieces(), await demo.signer(), { level, ...helpers() }))
    expect(readSignedData(file).isDer).toBe(true)
    await expectGood(file, level)
  })

  it('of level AD-RA cannot be read once: the archive timestamp is over the content too', async () => {
    const attempt = collected(signCadesStream(pieces(), await demo.signer(), { level: 'AD-RA', ...helpers() }))
    await expect(attempt).rejects.toThrow(codeOf('cades.stream-read-once'))
  })

  it('is detached when asked for, and its content is validated as a stream', async () => {
    for (const level of ['B-B', 'AD-RA'] as const) {
      const options = { level, packaging: 'detached' as const, ...helpers() }
      const file = await collected(signCadesStream(() => pieces(), await demo.signer(), options))
      const report = await validateCades(file, { judge: demo.judge, now: new Date(), content: pieces() })
      expect(report.signatures[0]).toMatchObject({ level, indication: 'valid' })
    }
  })

  it('is PEM when asked for', async () => {
    const file = await collected(signCadesStream(pieces(), await demo.signer(), { now, encoding: 'PEM' }))
    const lines = file.toString('latin1').split('\n')
    expect(lines[0]).toBe('-----BEGIN PKCS7-----')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(64)
    expect((await validateCades(file, { judge: demo.judge, now })).indication).toBe('valid')
  })

  it('of another length than announced ends in an error', async () => {
    const signer = await demo.signer()
    const attempt = (length: number) => collected(signCadesStream(pieces(), signer, { now, length }))
    await expect(attempt(content.length + 1)).rejects.toThrow(codeOf('cades.stream-ended'))
    await expect(attempt(content.length - 1)).rejects.toThrow(codeOf('cades.stream-too-long'))
  })

  it('in two phases keeps the digest in its state; other content is refused when it is attached', async () => {
    const signer = await demo.signer()
    const { toSign, digest, algorithm, state } = await prepareCadesStream(pieces(), signer.certificate, {
      now,
      chain: signer.chain,
    })
    const secret = Buffer.alloc(32, 9)
    const opened = openState(sealState(state, secret), secret)
    const basic = completeCades(opened, await signer.sign({ toSign, digest, algorithm }))
    const detached = await extendCades(basic, { level: 'B-T', ...helpers() })
    await expectGood(await collected(attachCadesContent(detached, pieces(), content.length)), 'B-T')
    const other = Buffer.from(content)
    other[500]! ^= 1
    const attempt = collected(attachCadesContent(detached, pieces(other), content.length))
    await expect(attempt).rejects.toThrow(codeOf('cades.content-changed'))
  })
})

describe('validating a stream', () => {
  it('notices a changed byte of the content, in DER and in BER', async () => {
    const signer = await demo.signer()
    const der = await collected(signCadesStream(() => pieces(), signer, { now }))
    const ber = await collected(signCadesStream(pieces(), signer, { now }))
    for (const file of [der, ber]) {
      const changed = Buffer.from(file)
      changed[changed.indexOf('extrato', 50_000)]! ^= 0x20
      const report = await validateCadesStream(inPieces(changed, 1_000), { judge: demo.judge, now: new Date() })
      expect(report.signatures[0]).toMatchObject({ indication: 'invalid', integrity: { content: { state: 'failed' } } })
    }
  })

  it('ends in a refusal wherever the file is cut, whatever the pieces', async () => {
    const small = await signCades(Buffer.from('short'), await demo.signer('P-256'), { now })
    for (let length = 0; length < small.length; length += 11) {
      const attempt = validateCadesStream(inPieces(small.subarray(0, length), 13), { judge: demo.judge, now })
      await expect(attempt).rejects.toBeInstanceOf(EngineError)
    }
    const whole = await validateCadesStream(inPieces(small, 1), { judge: demo.judge, now })
    expect(whole.indication).toBe('valid')
  })

  it('is judged with strange bytes behind it as in memory, which are told; none are carried along', async () => {
    const der = await signCades(content, await demo.signer('P-256'), { now })
    const ber = await collected(signCadesStream(pieces(), await demo.signer('P-256'), { now }))
    for (const [file, strange] of [
      [der, Buffer.of(0)],
      [ber, Buffer.alloc(100_000, 'strange')],
    ] as const) {
      const trailing = Buffer.concat([file, strange])
      const { findings, indication } = await validateCadesStream(inPieces(trailing, 100), { judge: demo.judge, now })
      expect({ findings, indication }).toEqual({
        findings: [finding('trailing-bytes', { bytes: strange.length })],
        indication: 'valid',
      })
      expect((await validateCades(trailing, { judge: demo.judge, now })).findings).toEqual(findings)
      await expect(detachCadesContent(inPieces(trailing, 100))).rejects.toThrow(codeOf('cms.malformed'))
    }
  })

  it('ends in a report or a refusal whichever byte is changed', async () => {
    const file = await collected(signCadesStream(pieces(Buffer.from('short')), await demo.signer('P-256'), { now }))
    const judge = createJudge({ anchors: TrustAnchors.of([demo.root]) })
    await fc.assert(
      fc.asyncProperty(
        fc.nat(file.length - 1),
        fc.nat(255),
        fc.integer({ min: 1, max: 99 }),
        async (at, byte, size) => {
          const changed = Buffer.from(file)
          changed[at] = byte
          try {
            await validateCadesStream(inPieces(changed, size), { judge, now })
          } catch (error) {
            if (!(error instanceof EngineError)) throw error
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('holds the content neither when signing nor when validating', async () => {
    const MEGABYTE = 1_048_576
    const block = createHash('sha512').update('block').digest().toString('hex').repeat(8_192)
    const source = async function* () {
      for (let count = 0; count < 128; count++) yield Buffer.from(block)
    }
    let most = 0
    const watched = async function* (parts: AsyncIterable<Uint8Array>) {
      for await (const part of parts) {
        most = Math.max(most, process.memoryUsage().arrayBuffers)
        yield part
      }
    }
    const before = process.memoryUsage().arrayBuffers
    const file = watched(signCadesStream(source(), await demo.signer(), { now }))
    const report = await validateCadesStream(file, { judge: demo.judge, now: new Date() })
    expect(report.indication).toBe('valid')
    expect(most - before).toBeLessThan(64 * MEGABYTE)
  })
})
