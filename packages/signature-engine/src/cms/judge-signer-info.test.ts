import { beforeAll, expect, it } from 'vitest'
import { digest } from '../crypto/digest.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { type CmsSigner, completeCms, prepareCms } from './cms-template.ts'
import { judgeSignerInfo } from './judge-signer-info.ts'
import { withSignatureTimestamp } from './rewrite-signed-data.ts'
import { readSignedData } from './signed-data.ts'
import type { DemoSigners } from './test-support/demo-signers.ts'
import { demoSignersOfToday } from './test-support/demo-signers-of-today.ts'

let demo: DemoSigners
let signer: DigestSigner
beforeAll(async () => {
  demo = await demoSignersOfToday()
  signer = await demo.signer('P-256')
})

const content = Buffer.from('the bytes of a PDF around its signature')

async function signed(options: Partial<CmsSigner> = {}, inside?: Buffer): Promise<Buffer> {
  const { certificate, chain } = signer
  const prepared = prepareCms({ certificate, chain, ...options, contentDigest: digest('sha256', content) })
  const { toSign, algorithm } = prepared
  const signature = await signer.sign({ toSign, algorithm, digest: digest('sha256', toSign) })
  return completeCms(prepared, signature, inside)
}

function judged(cms: Buffer, latestProof?: Date) {
  const signedData = readSignedData(cms)
  return judgeSignerInfo(signedData, signedData.signers[0]!, {
    judge: demo.judge,
    now: new Date(),
    format: 'PAdES',
    contentDigest: (name) => digest(name, content),
    latestProof,
  })
}

it('a CMS for a PDF has no signing time, and is B-B', async () => {
  expect(await judged(await signed())).toMatchObject({
    format: 'PAdES',
    level: 'B-B',
    indication: 'valid',
    claimedTime: null,
    findings: [],
  })
})

it('with a signing time it is a valid signature of no baseline level', async () => {
  expect(await judged(await signed({ signingTime: new Date() }))).toMatchObject({ level: 'none', indication: 'valid' })
})

it('with a timestamp it is B-T, and the timestamp is the proven time', async () => {
  const cms = await signed()
  const { token, time } = await demo.timestamps.stamp(readSignedData(cms).signers[0]!.signature)
  expect(await judged(withSignatureTimestamp(cms, token))).toMatchObject({
    level: 'B-T',
    indication: 'valid',
    provenTime: { by: 'timestamp', time },
  })
})

it('a proof from outside, such as a document timestamp, is the proven time too', async () => {
  const proof = new Date(Date.now() - 3_600_000)
  expect((await judged(await signed(), proof)).provenTime).toEqual({ by: 'timestamp', time: proof })
})

it('content inside a CMS for a PDF is refused', async () => {
  const report = await judged(await signed({}, content))
  expect(report.indication).toBe('invalid')
  expect(report.findings.map(({ code }) => code)).toEqual(['structure-malformed'])
})

it('BER instead of DER is told', async () => {
  const cms = await signed()
  const [outer] = [readSignedData(cms)]
  expect(outer.isDer).toBe(true)
  // The same value with an indefinite outer length.
  const header = cms[1]! === 0x82 ? 4 : 3
  const ber = Buffer.concat([Buffer.of(0x30, 0x80), cms.subarray(header), Buffer.alloc(2)])
  expect((await judged(ber)).findings.map(({ code }) => code)).toEqual(['not-der'])
})
