import { createHash } from 'node:crypto'
import { coSignCades, signCades } from '@chancela/signature-engine/cades'
import { type DigestSigner, keySigner } from '@chancela/signature-engine/keys'
import { Certificate } from '@chancela/signature-engine/x509'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { beforeAll, describe, expect, test } from 'vitest'
import { signerSetProblems } from './index.ts'

const now = new Date()
const content = Buffer.from('what all of them sign\n'.repeat(50))
const contentSha256 = createHash('sha256').update(content).digest('hex')

let [ana, davi]: DigestSigner[] = []
let both: Buffer
beforeAll(async () => {
  const { pki } = await pkiOfToday()
  ;[ana, davi] = ['ana-souza', 'davi-moreira'].map((label) => {
    const issued = pki.certificate(label)
    const [certificate, ...chain] = pki.chainOf(issued).map(({ der }) => Certificate.read(der))
    return keySigner({ certificate: certificate!, chain, privateKey: issued.key.privateKey })
  })
  const first = await signCades(content, ana!, { now, level: 'AD-RB' })
  both = await coSignCades(first, davi!, { now })
})

async function* pieces(file: Uint8Array) {
  for (let at = 0; at < file.length; at += 100) yield file.subarray(at, at + 100)
}

const thumbprint = (signer: DigestSigner | undefined) => signer!.certificate.fingerprint

const judged = (file: Uint8Array, more: Partial<Parameters<typeof signerSetProblems>[1]> = {}) =>
  signerSetProblems(pieces(file), { contentSha256, thumbprints: [thumbprint(ana), thumbprint(davi)], now, ...more })

const sentences = async (...given: Parameters<typeof judged>) =>
  (await judged(...given)).problems.map((problem) => problem['en-US'])

describe('a file that several people sign', () => {
  test('is right when exactly they did, at the levels that were asked for', async () => {
    const levels = { [thumbprint(ana)]: 'AD-RB', [thumbprint(davi)]: 'B-B' } as const
    expect(await judged(both, { levels })).toEqual({ missing: [], problems: [] })
  })

  test('names those who did not sign, each as often as they should have', async () => {
    const stranger = 'a'.repeat(64)
    const thumbprints = [thumbprint(ana), thumbprint(ana), thumbprint(davi), stranger]
    expect(await judged(both, { thumbprints })).toEqual({ missing: [thumbprint(ana), stranger], problems: [] })
  })

  test('is wrong with a signature of somebody else', async () => {
    expect(await sentences(both, { thumbprints: [thumbprint(ana)] })).toEqual([
      'It carries a signature of somebody who is not to sign.',
    ])
  })

  test('is wrong with a signature of another level', async () => {
    expect(await sentences(both, { levels: { [thumbprint(davi)]: 'B-T' } })).toEqual([
      'The signature has the level B-B and not B-T.',
    ])
  })

  test('is wrong with another content, or one that not all signed', async () => {
    expect(await sentences(both, { contentSha256: 'b'.repeat(64) })).toEqual([
      'The content inside the signature is another one.',
    ])
    const changed = Buffer.from(both)
    changed[changed.indexOf('all of them', 500)]! ^= 1
    const problems = await sentences(changed)
    expect(problems.filter((problem) => problem === 'The signature is not intact.')).toHaveLength(2)
  })

  test('is nobody’s when it is no attached signature at all', async () => {
    const detached = await signCades(content, ana!, { now, packaging: 'detached' })
    for (const file of [Buffer.from('no signature'), detached]) {
      const { missing, problems } = await judged(file)
      expect(missing).toHaveLength(2)
      expect(problems).toHaveLength(1)
    }
  })
})
