// Paths that no authority would make, judged by the engine and by openssl.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import type { Der } from '../../der/der-writer.ts'
import { toPem } from '../../der/pem.ts'
import { TrustAnchors } from '../../trust/trust-anchors.ts'
import type { Certificate } from '../../x509/certificate.ts'
import type { Crafted } from '../../x509/test-support/crafted-certificate.ts'
import { createJudge, type JudgedCertificateOptions } from '../judge-certificate.ts'
import type { CertificateVerdict } from '../verdict.ts'

/** When crafted certificates and lists are valid. */
export const at = new Date('2027-06-01T12:00:00Z')

export interface JudgedPath extends Partial<JudgedCertificateOptions> {
  /** What is at hand besides the certificate and the anchor. */
  readonly others?: readonly Crafted[]
  readonly lists?: readonly Der[]
}

/** The verdict on a crafted certificate, without any network. */
export const verdictOn = (
  holder: Crafted,
  anchor: Crafted,
  { others = [], lists = [], ...options }: JudgedPath = {},
): Promise<CertificateVerdict> =>
  createJudge({ anchors: TrustAnchors.of([anchor.certificate]) }).certificate(holder.certificate, {
    at,
    now: at,
    certificates: others.map(({ certificate }) => certificate),
    evidence: { crls: lists, ocsps: [] },
    ...options,
  })

/** The reasons by code; those of revocation only when lists were given. */
export async function reasonsOn(holder: Crafted, anchor: Crafted, path: JudgedPath = {}): Promise<string[]> {
  const { reasons } = await verdictOn(holder, anchor, path)
  return reasons.map(({ code }) => code).filter((code) => path.lists || !code.startsWith('revocation.'))
}

/** Whether openssl finds a valid path, with options of its own such as `-crl_check`. */
export async function opensslAccepts(
  holder: Crafted,
  anchor: Crafted,
  { others = [], lists = [] }: Pick<JudgedPath, 'others' | 'lists'> = {},
  ...options: readonly string[]
): Promise<boolean> {
  const folder = temporaryFolder()
  const file = (name: string, pems: readonly string[]) => {
    writeFileSync(join(folder, name), pems.join(''))
    return join(folder, name)
  }
  const pem = ({ certificate }: { certificate: Certificate }) => toPem('CERTIFICATE', certificate.der)
  const { ok } = await openssl([
    'verify',
    ...['-attime', String(at.getTime() / 1000), '-purpose', 'any'],
    ...['-CAfile', file('anchor.pem', [pem(anchor)])],
    ...(others.length > 0 ? ['-untrusted', file('others.pem', others.map(pem))] : []),
    ...(lists.length > 0
      ? [
          '-CRLfile',
          file(
            'lists.pem',
            lists.map((der) => toPem('X509 CRL', der)),
          ),
        ]
      : []),
    ...options,
    file('holder.pem', [pem(holder)]),
  ])
  return ok
}
