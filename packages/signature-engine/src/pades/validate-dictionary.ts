import type { PdfView } from '../pdf/pdf-file.ts'
import { isString, nameOf, type PdfDict } from '../pdf/pdf-object.ts'
import { decodeText } from '../pdf/text-string.ts'
import { type Finding, finding } from '../report/report.ts'
import type { Certificate } from '../x509/certificate.ts'
import { holderOf } from '../x509/holder.ts'

/** How the bytes in /Contents are to be read. */
type Encoding = 'detached-cms' | 'cms-over-sha1' | 'no-cms' | 'timestamp'

interface SubFilter {
  readonly encoding: Encoding
  /** Whether PAdES levels exist for it. */
  readonly pades: boolean
  readonly finding?: Finding
}

/** Sub-filters of ISO 32000-2 table 255, and ICP-Brasil's own. */
const subFilters: Readonly<Record<string, SubFilter>> = {
  'ETSI.CAdES.detached': { encoding: 'detached-cms', pades: true },
  'PBAD.PAdES': { encoding: 'detached-cms', pades: true, finding: finding('pdf.sub-filter-icp-brasil') },
  'adbe.pkcs7.detached': { encoding: 'detached-cms', pades: false },
  'adbe.pkcs7.sha1': {
    encoding: 'cms-over-sha1',
    pades: false,
    finding: finding('algorithm-weak', { algorithm: 'sha1' }),
  },
  'adbe.x509.rsa_sha1': { encoding: 'no-cms', pades: false },
  'ETSI.RFC3161': { encoding: 'timestamp', pades: false },
}

/** What a signature dictionary says about itself. */
export interface SignatureClaims {
  readonly encoding: Encoding
  readonly pades: boolean
  /** /M: when the signer's machine says it was. */
  readonly time: Date | null
  readonly reason: string | undefined
  readonly name: string | undefined
  readonly location: string | undefined
  readonly findings: readonly Finding[]
}

/** Reads a signature dictionary. An unknown sub-filter is reported, and its bytes are still tried as a CMS. */
export function signatureClaims(view: Pick<PdfView, 'resolve'>, signature: PdfDict): SignatureClaims {
  const text = (key: string) => {
    const value = view.resolve(signature.get(key))
    return isString(value) ? decodeText(value) : undefined
  }
  const subFilterName = nameOf(view.resolve(signature.get('SubFilter'))) ?? ''
  const known = Object.hasOwn(subFilters, subFilterName) ? subFilters[subFilterName] : undefined
  const findings = known?.finding ? [known.finding] : []
  if (!known) findings.push(finding('pdf.sub-filter-unknown', { subFilter: subFilterName }))
  const time = dateOf(text('M'))
  // EN 319 142-1 §6.3: /M once, no certificate besides the one in the CMS.
  if (known?.pades && !time) findings.push(finding('signing-time-missing'))
  if (known?.pades && signature.has('Cert')) findings.push(finding('pdf.signature-entry', { entry: 'Cert' }))
  return {
    encoding: known?.encoding ?? 'detached-cms',
    pades: known?.pades ?? false,
    time,
    reason: text('Reason'),
    name: text('Name'),
    location: text('Location'),
    findings,
  }
}

/** `D:YYYYMMDDHHmmSSOHH'mm'`, everything after the year optional (ISO 32000-1 §7.9.4). */
const DATE = /^D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:(Z)|([+-])(\d{2})'?(\d{2})?)?/

function dateOf(text: string | undefined): Date | null {
  const parts = text === undefined ? null : DATE.exec(text)
  if (!parts) return null
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const offset = parts[8] ? (Number(parts[9]) * 60 + Number(parts[10] ?? 0)) * (parts[8] === '-' ? -1 : 1) : 0
  const date = new Date(Date.UTC(year!, month - 1, day, hour, minute - offset, second))
  return Number.isNaN(date.getTime()) ? null : date
}

/**
 * What is odd about /Name: viewers show it, and nothing proves it. Departments, log-ins and programs stand there as well as
 * shortened names, so that it decides nothing; it is worth telling where a word of it is none of the holder's.
 */
export function nameFindings(name: string | undefined, certificate: Certificate): Finding[] {
  const { name: holder, responsible } = holderOf(certificate)
  const known = [...certificate.subject.attributes.map(({ value }) => value), holder, responsible?.name ?? '']
  const words = new Set(known.flatMap(wordsOf))
  if (wordsOf(name ?? '').every((word) => words.has(word))) return []
  const common = certificate.subject.commonName ?? ''
  return [finding('pdf.signer-name-spoofed', { claimed: name!, certificate: common })]
}

/** Words in capitals without accents; identifiers that tools append are left out. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !/^[0-9A-F]{16,}$/.test(word))
