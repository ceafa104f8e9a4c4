import { EngineError } from '@chancela/signature-engine'
import { Certificate, signerReport } from '@chancela/signature-engine/x509'
import type { CertificateRow } from '../store/tables.ts'
import { ofHolder } from './certificate-verdict.ts'

/** The columns of a row that come from the certificate. */
export type CertificateRecord = Pick<
  CertificateRow,
  | 'fingerprint'
  | 'der'
  | 'chain'
  | 'subject_name'
  | 'subject_key'
  | 'subject_cpf'
  | 'email'
  | 'issuer'
  | 'serial_number'
  | 'not_before'
  | 'not_after'
>

/** Reads a certificate into the columns of its row. For a company, the CPF is that of the responsible person. */
export function certificateRecord(certificate: Certificate, chain: readonly Certificate[]): CertificateRecord {
  const { name, cpf, email, issuer, serialNumber } = signerReport(certificate)
  return {
    fingerprint: certificate.fingerprint,
    der: base64Of(certificate),
    chain: chainText(chain),
    subject_name: name,
    subject_key: searchKey(name),
    subject_cpf: cpf,
    email,
    issuer,
    serial_number: serialNumber,
    not_before: certificate.notBefore.toISOString(),
    not_after: certificate.notAfter.toISOString(),
  }
}

/** Columns of a certificate not validated yet. */
export const unjudged = {
  status: 'STALE',
  status_reason: 'It was not judged yet.',
  status_finding: JSON.stringify(ofHolder('not-judged-yet')),
  checked_at: null,
  good_at: null,
} as const satisfies Partial<CertificateRow>

/** The name as searches compare it: in lower case, without accents. */
export const searchKey = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()

const base64Of = ({ der }: Certificate): string => der.toString('base64')

/** Issuers in the form of the column `chain`. */
export const chainText = (chain: readonly Certificate[]): string => JSON.stringify(chain.map(base64Of))

export interface StoredCertificate {
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
}

/** The certificate of a row; undefined where its data is lost or damaged. The engine caches parsed ones. */
export function storedCertificate({
  der,
  chain,
  fingerprint,
}: Pick<CertificateRow, 'der' | 'chain' | 'fingerprint'>): StoredCertificate | undefined {
  const certificate = der === null ? undefined : readable(der)
  if (certificate?.fingerprint !== fingerprint) return undefined
  // An unreadable issuer is treated as missing.
  return { certificate, chain: issuersIn(chain).flatMap((text) => readable(text) ?? []) }
}

function readable(base64: string): Certificate | undefined {
  try {
    return Certificate.read(Buffer.from(base64, 'base64'))
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}

const issuersIn = (chain: string): readonly string[] => JSON.parse(chain) as string[]
