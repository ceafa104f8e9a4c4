import type { Certificate } from '../x509/certificate.ts'
import type { CertificateReason, CertificateReasonCode } from './verdict.ts'

/** What each reason says of `{whose}` certificate. */
const sentences: Readonly<Record<CertificateReasonCode, string>> = {
  'chain.no-path': 'No trusted root is reached from {whose}.',
  'chain.untrusted-root': 'The chain ends at {whose}, which this host does not trust.',
  'chain.wrong-signature': 'The issuer that {whose} names did not sign it.',
  'chain.not-an-authority': 'It was issued under {whose}, which is not that of an authority.',
  'chain.path-too-long': 'There are more authorities than {whose} allows.',
  'chain.unknown-critical-extension': 'An extension of {whose} is not known here.',
  'validity.expired': 'The validity of {whose} has ended.',
  'validity.not-yet-valid': 'The validity of {whose} has not begun.',
  'revocation.revoked': 'The authority has revoked {whose}.',
  'revocation.on-hold': 'The authority has suspended {whose}.',
  'revocation.unknown': 'Nobody answered whether {whose} is revoked.',
  'revocation.stale': 'What is known of the revocation of {whose} is out of date.',
  'policy.unacceptable': 'The certificate policy of {whose} is not accepted.',
  'keyUsage.unfit': 'Signing is not a purpose of {whose}.',
  'algorithm.weak': 'The algorithm or the key of {whose} is too weak.',
  'algorithm.unknown': 'The algorithm of {whose} is not known here.',
}

/** A reason in one sentence, without the subject, which often contains a CPF: histories are read by many. */
export const reasonText = ({ code, certificate }: CertificateReason, holder: Certificate): string =>
  sentences[code].replace(
    '{whose}',
    certificate === holder ? 'the certificate' : `the certificate of ${certificate.subject.commonName ?? 'an issuer'}`,
  )
