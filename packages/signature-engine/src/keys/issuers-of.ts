import type { Certificate } from '../x509/certificate.ts'

/** The path upwards as far as the candidates have it, nearest first; certificates of others are no part of it. */
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
