import type { DigestSigner } from '../../../keys/digest-signer.ts'
import { signPades } from '../../../pades/sign-pades.ts'
import { type EncryptionMethod, encryptedPdf, encryptionMethods } from '../../../pdf/test-support/encrypted-pdfs.ts'
import { containerKinds } from '../../../pdf/test-support/sample-pdfs.ts'
import { type Seed, seed } from '../seed.ts'
import type { CorpusWorld } from './world.ts'

/** Every kind of container, signed; and one signed twice, certified, and brought to the archive level. */
export async function pdfSeeds({ ec, rsa, now, timestamps, judge }: CorpusWorld): Promise<Seed[]> {
  const kinds = Object.entries(containerKinds)
  const signed = kinds.map(async ([name, pdf]) => signedSeed(name, await signPades(pdf(), ec, { now })))
  const plain = containerKinds['classic table']!()
  const once = await signPades(plain, rsa, { now })
  const archive = { now, timestamps, judge, level: 'B-LTA' } as const
  return [
    ...(await Promise.all(signed)),
    signedSeed('signed twice', await signPades(once, ec, { now })),
    signedSeed('certified', await signPades(plain, ec, { now, certify: 'form-filling' })),
    signedSeed('archived', await signPades(plain, ec, archive)),
    seed('not signed', plain),
    ...(await Promise.all(encryptionMethods.map((method) => encryptedSeed(method, plain, ec, now)))),
  ]
}

/** Signed under every revision of the standard handler; nobody needs a password to read it. */
async function encryptedSeed(method: EncryptionMethod, plain: Buffer, signer: DigestSigner, now: Date): Promise<Seed> {
  const streams = ['--object-streams=generate']
  return signedSeed(
    `encrypted by ${method}`,
    await signPades(encryptedPdf(plain, method, { file: streams }), signer, { now }),
  )
}

const signedSeed = (name: string, pdf: Buffer): Seed => seed(name, pdf, { signedParts: byteRanges(pdf) })

/** Both sides of every hole. */
function byteRanges(pdf: Buffer): Buffer[] {
  const ranges = pdf.toString('latin1').matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)/g)
  return [...ranges].flatMap(([, ...numbers]) => {
    const [before = 0, beforeLength = 0, after = 0, afterLength = 0] = numbers.map(Number)
    return [pdf.subarray(before, before + beforeLength), pdf.subarray(after, after + afterLength)]
  })
}
