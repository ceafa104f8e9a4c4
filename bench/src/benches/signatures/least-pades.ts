import { hash, sign, verify } from 'node:crypto'
import type { MakeWork } from './contestants.ts'
import type { Sample } from './sample-documents.ts'

/** Of the signed attributes. */
const TO_SIGN_BYTES = 200

/** Of what a signature appends: dictionary, CMS with two certificates, cross-reference. */
const APPENDED_BYTES = 12_000

interface Asked {
  readonly by?: 'rsa' | 'ec'
  readonly output?: 'whole' | 'appended'
}

/**
 * The least that a verified PAdES signature can cost: the document is digested once, the attributes are signed, the
 * signature is verified, and the output is copied. Nothing of the PDF is read, and nothing of a CMS written.
 */
export const leastPades =
  (sample: Sample, { by = 'rsa', output = 'whole' }: Asked = {}): MakeWork =>
  ({ [by]: { certificate, privateKey } }) => {
    const pdf = sample()
    const appended = Buffer.alloc(APPENDED_BYTES)
    const toSign = Buffer.alloc(TO_SIGN_BYTES, 7)
    return {
      once: () => {
        toSign.set(hash('sha256', pdf, 'buffer'))
        const signature = sign('sha256', toSign, privateKey)
        if (!verify('sha256', toSign, certificate.publicKey, signature)) throw new Error('The signature is wrong.')
        return Buffer.concat(output === 'whole' ? [pdf, appended] : [appended])
      },
      check: async (made) => {
        const expected = output === 'whole' ? pdf.length + APPENDED_BYTES : APPENDED_BYTES
        if (made.length !== expected) throw new Error('The output is not as long as it has to be.')
      },
    }
  }
