import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoPki, IssuedCertificate } from '@chancela/testkit/demo-pki'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { toPem } from '../../der/pem.ts'
import { openPdf } from '../../pdf/pdf-file.ts'
import type { SignatureEntries } from '../signature-dictionary.ts'
import { fillHole } from '../signature-hole.ts'
import { writeSignatureRevision } from '../signature-revision.ts'
import { contractPdf } from './contract-pdf.ts'

export interface OpensslPdfSignature {
  readonly subFilter: string
  /** Of openssl, which reads `content` and finds `certificate.pem`, `chain.pem` and `key.pem`; it writes `signature`. */
  readonly command: readonly string[]
  /** Turns the covered bytes into what is signed. Default: they are. */
  readonly content?: (covered: Buffer) => Uint8Array
  /** Turns what openssl wrote into /Contents. Default: it is. */
  readonly wrap?: (signature: Buffer) => Uint8Array
  /** Further entries of the dictionary. */
  readonly entries?: (issued: IssuedCertificate) => SignatureEntries
}

/** The contract, signed by openssl in a dictionary of this sub-filter, and by whom. */
export async function opensslSigned(pki: DemoPki, options: OpensslPdfSignature): Promise<Buffer> {
  const pdf = contractPdf()
  const issued = await pki.issuePerson({ name: 'Rui Barbosa', cpf: '52998224725' }, { key: 'RSA-2048' })
  const { subFilter, command, content = (covered) => covered, wrap = (signature) => signature } = options
  const entries = { Filter: '/Adobe.PPKLite', SubFilter: `/${subFilter}`, ...options.entries?.(issued) }
  const revision = writeSignatureRevision(openPdf(pdf), { type: 'Sig', entries, room: 16_384 })
  const { appended, holeStart, holeEnd } = revision
  const folder = temporaryFolder()
  const issuers = pki.chainOf(issued).slice(1)
  writeFileSync(join(folder, 'chain.pem'), issuers.map(({ der }) => toPem('CERTIFICATE', der)).join(''))
  writeFileSync(join(folder, 'certificate.pem'), toPem('CERTIFICATE', issued.der))
  writeFileSync(join(folder, 'key.pem'), issued.key.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const covered = Buffer.concat([pdf, appended.subarray(0, holeStart), appended.subarray(holeEnd)])
  writeFileSync(join(folder, 'content'), content(covered))
  const { ok, text } = await openssl(command, { folder })
  if (!ok || text !== '') throw new Error(text)
  fillHole(appended, revision, wrap(readFileSync(join(folder, 'signature'))))
  return Buffer.concat([pdf, appended])
}

/** The command for a CMS. */
export const cmsBy = (...options: readonly string[]): readonly string[] => [
  ...['cms', '-sign', '-binary', '-in', 'content', '-signer', 'certificate.pem', '-inkey', 'key.pem'],
  ...['-certfile', 'chain.pem'],
  ...['-outform', 'DER', '-out', 'signature', ...options],
]
