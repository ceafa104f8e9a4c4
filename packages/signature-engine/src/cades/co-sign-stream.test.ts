import { beforeAll, describe, expect, it } from 'vitest'
import { readSignedData } from '../cms/signed-data.ts'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { opensslVerifies } from '../cms/test-support/openssl-cms.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import {
  attachCadesContent,
  type CadesLevel,
  completeCades,
  coSignCadesStream,
  detachCadesContent,
  prepareCadesOverDigest,
  prepareCoSignature,
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
const content = Buffer.from('remessa de pagamentos\n'.repeat(7_000))
const codeOf = (code: string) => expect.objectContaining({ code })

async function* pieces(of: Buffer = content, size = 4_093) {
  for (let at = 0; at < of.length; at += size) yield of.subarray(at, at + size)
}

async function collected(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const part of parts) all.push(Buffer.from(part))
  return Buffer.concat(all)
}

const helpers = () => ({ now, timestamps: demo.timestamps, judge: demo.judge })

const changed = (): Buffer => {
  const other = Buffer.from(content)
  other[500]! ^= 1
  return other
}

/** Our verdict and OpenSSL's on a file of several signers; returns the level of each, by signer. */
async function levelsOf(file: Buffer): Promise<Readonly<Record<string, string>>> {
  const { signatures } = await validateCadesStream(pieces(file), { judge: demo.judge, now: new Date() })
  expect(signatures.map(({ indication }) => indication)).toEqual(signatures.map(() => 'valid'))
  const { ok, text, stdout } = await opensslVerifies(file, { roots: demo.pki.trustAnchors() })
  expect(ok, text).toBe(true)
  expect(stdout.equals(content)).toBe(true)
  return Object.fromEntries(signatures.map(({ signer, level }) => [signer!.certificate.fingerprint, level]))
}

const holders = ['ana-souza', 'davi-moreira', 'carla-nogueira'] as const

describe('a co-signature of a stream', () => {
  it.each(['B-B', 'B-T', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RA'] as const)(
    'has the level %s, and leaves the signatures of others as they were',
    async (level: CadesLevel) => {
      const [first, second] = [demo.holder('ana-souza'), demo.holder('davi-moreira')]
      const basic = level.startsWith('AD-') ? 'AD-RB' : 'B-B'
      const before = await collected(signCadesStream(() => pieces(), first, { now, level: basic }))
      const file = await collected(coSignCadesStream(pieces(before), () => pieces(), second, { level, ...helpers() }))
      expect(await levelsOf(file)).toEqual({
        [first.certificate.fingerprint]: basic,
        [second.certificate.fingerprint]: level,
      })
      const [former] = readSignedData(before).signers
      expect(readSignedData(file).signers.some(({ raw }) => raw.equals(former!.raw))).toBe(true)
      expect(readSignedData(file).isDer).toBe(true)
    },
  )

  it('goes with keys of other kinds, which hash the content by another digest', async () => {
    const kinds = ['RSA-2048', 'P-384', 'Ed25519'] as const
    const [first, ...others] = await Promise.all(kinds.map((kind) => demo.signer(kind)))
    let file = await signCades(content, first!, { now })
    for (const signer of others)
      file = await collected(coSignCadesStream(pieces(file), () => pieces(), signer, { now }))
    const report = await validateCades(file, { judge: demo.judge, now: new Date() })
    expect(report.signatures.map(({ indication }) => indication)).toEqual(['valid', 'valid', 'valid'])
  })

  it('of content that the others did not sign is refused, whatever digest they used', async () => {
    const rsa = await signCades(content, await demo.signer('RSA-2048'), { now })
    for (const kind of ['P-256', 'Ed25519'] as const) {
      const attempt = collected(
        coSignCadesStream(pieces(rsa), () => pieces(changed()), await demo.signer(kind), { now }),
      )
      await expect(attempt).rejects.toThrow(codeOf('cades.content-changed'))
    }
  })

  it('of a detached signature is refused: there is nothing to put the content in place of', async () => {
    const detached = await signCades(content, await demo.signer(), { now, packaging: 'detached' })
    await expect(detachCadesContent(pieces(detached))).rejects.toThrow(codeOf('cades.content-needed'))
  })
})

it('without its content can be validated with its archive timestamp, too', async () => {
  const signer = demo.holder('ana-souza')
  const file = await collected(signCadesStream(() => pieces(), signer, { level: 'AD-RA', ...helpers() }))
  const { detached, ...known } = await detachCadesContent(pieces(file))
  const { signatures } = await validateCades(detached, { judge: demo.judge, now: new Date(), ...known })
  expect(signatures).toMatchObject([{ level: 'AD-RA', indication: 'valid' }])
})

describe('several people who sign elsewhere, one after the other', () => {
  /** As a service does it: the key is asked between two steps that share nothing but what is here. */
  async function signedBy(signer: DigestSigner, before: Buffer | undefined): Promise<Buffer> {
    const options = { now, level: 'AD-RB', chain: signer.chain } as const
    const taken = before && (await detachCadesContent(pieces(before)))
    const prepare = async () => {
      const { contentDigests } = taken ?? (await detachCadesContent(pieces(await signCades(content, signer, { now }))))
      const contentDigest = contentDigests.sha256!
      return taken
        ? prepareCoSignature(taken.detached, signer.certificate, { ...options, contentDigest })
        : prepareCadesOverDigest(contentDigest, signer.certificate, { ...options, packaging: 'detached' })
    }
    const { toSign, digest, algorithm } = await prepare()
    const value = await signer.sign({ toSign, digest, algorithm })
    const { state } = await prepare()
    return collected(attachCadesContent(completeCades(state, value), pieces(), content.length))
  }

  it('make one attached signature of all of them, which others accept after every step', async () => {
    let file: Buffer | undefined
    for (const [at, label] of holders.entries()) {
      file = await signedBy(demo.holder(label), file)
      const expected = holders.slice(0, at + 1).map((one) => [demo.holder(one).certificate.fingerprint, 'AD-RB'])
      expect(await levelsOf(file)).toEqual(Object.fromEntries(expected))
    }
  })

  it('can be validated without the content, by its digests', async () => {
    const file = await signedBy(demo.holder('ana-souza'), undefined)
    const { detached, ...known } = await detachCadesContent(pieces(file))
    expect(detached.length).toBeLessThan(file.length - content.length + 64)
    const report = await validateCades(detached, { judge: demo.judge, now: new Date(), ...known })
    expect(report.indication).toBe('valid')
    const { detached: _, ...tampered } = await detachCadesContent(pieces(withOtherContent(file)))
    const other = await validateCades(detached, { judge: demo.judge, now: new Date(), ...tampered })
    expect(other.indication).toBe('invalid')
  })
})

/** The file with one byte of its content changed. */
function withOtherContent(file: Buffer): Buffer {
  const other = Buffer.from(file)
  other[other.indexOf('pagamentos', 20_000)]! ^= 0x20
  return other
}
