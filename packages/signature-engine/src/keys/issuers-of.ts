import type { Certificate } from '../x509/certificate.ts'

/** The path upwards as far as the candidates contain it, nearest first; unrelated certificates are left out. */
export function issuersOf(holder: Certificate, candidates: readonly Certificate[]): Certificate[] {
  const path: Certificate[] = [holder]
  for (let last = holder; !last.selfIssued; last = path.at(-1)!) {
    const issuer = candidates.find(
      (candidate) => !path.includes(candidate) && candidate.subject.equals(last.issuer) && candidate.issued(last),
    )
    if (!issuer) break
    path.push(issuer)
  }
  return path.slice(1)
}
