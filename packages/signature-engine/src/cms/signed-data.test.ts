import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { signCades } from '../cades/sign-cades.ts'
import { octetString, sequence } from '../der/der-writer.ts'
import { EngineError } from '../errors/engine-error.ts'
import { signatureValueOf, withSignatureTimestamp } from './rewrite-signed-data.ts'
import { readSignedData } from './signed-data.ts'
import type { DemoSigners } from './test-support/demo-signers.ts'
import { demoSignersOfToday } from './test-support/demo-signers-of-today.ts'

let demo: DemoSigners
let cms: Buffer
beforeAll(async () => {
  demo = await demoSignersOfToday()
  cms = await signCades(Buffer.from('small'), await demo.signer('P-256'), { now: new Date() })
})

describe('reading a SignedData', () => {
  it('takes the BER that openssl streams, with the bytes that were signed unchanged', async () => {
    const folder = temporaryFolder()
    const ana = demo.pki.certificate('ana-souza')
    writeFileSync(join(folder, 'signer.pem'), ana.x509.toString())
    writeFileSync(join(folder, 'key.pem'), ana.key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const args = ['cms', '-sign', '-stream', '-nodetach', '-binary', '-outform', 'DER', '-md', 'sha256']
    const { stdout, ok } = await openssl([...args, '-signer', 'signer.pem', '-inkey', 'key.pem'], {
      input: 'streamed content',
      folder,
    })
    expect(ok).toBe(true)
    expect(stdout.subarray(0, 2).toString('hex')).toBe('3080')
    const signedData = readSignedData(stdout)
    expect(signedData.isDer).toBe(false)
    expect(signedData.content?.toString()).toBe('streamed content')
    expect(signedData.signers).toHaveLength(1)
  })

  it('of another content type is refused by name', () => {
    expect(() => readSignedData(sequence(Buffer.from('06092a864886f70d010703', 'hex')))).toThrow(
      expect.objectContaining({ code: 'cms.not-signed-data' }),
    )
  })

  it('ends in a value or a refusal for every truncation and any changed byte', () => {
    const outcome = (bytes: Uint8Array) => {
      try {
        readSignedData(bytes)
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
      }
    }
    for (let length = 0; length < cms.length; length += 7) outcome(cms.subarray(0, length))
    fc.assert(
      fc.property(fc.nat(cms.length - 1), fc.nat(255), (at, value) => {
        const changed = Buffer.from(cms)
        changed[at] = value
        outcome(changed)
      }),
      { numRuns: 2_000 },
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => outcome(bytes)))
  })
})

describe('adding a signature timestamp', () => {
  it('leaves everything that was signed as it is', () => {
    const token = sequence(octetString(Buffer.from('any token')))
    const before = readSignedData(cms)
    const after = readSignedData(withSignatureTimestamp(cms, token))
    expect(after.signers[0]!.signedPart.equals(before.signers[0]!.signedPart)).toBe(true)
    expect(after.signers[0]!.unsignedAttributes[0]!.values[0]!.raw.equals(token)).toBe(true)
    expect(after.encapsulated.equals(before.encapsulated)).toBe(true)
    expect(signatureValueOf(cms).equals(after.signers[0]!.signature)).toBe(true)
  })

  it('to a signer that is not there is refused', () => {
    expect(() => withSignatureTimestamp(cms, sequence(), 3)).toThrow(
      expect.objectContaining({ code: 'cms.no-such-signer' }),
    )
  })
})
