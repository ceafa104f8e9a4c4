import { requireArguments } from '../errors/arguments.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { CertificateReason, CertificateReasonCode } from './verdict.ts'

/** What each reason says of `{whose}` certificate. */
const english: Readonly<Record<CertificateReasonCode, string>> = {
  'chain.no-path': 'No trusted root is reached from {whose}.',
  'chain.untrusted-root': 'The chain ends at {whose}, which this host does not trust.',
  'chain.untrusted-then': 'The chain ends at {whose}, which was not trusted at that time.',
  'chain.wrong-signature': 'The issuer that {whose} names did not sign it.',
  'chain.not-an-authority': 'It was issued under {whose}, which is not that of an authority.',
  'chain.path-too-long': 'There are more authorities than {whose} allows.',
  'chain.name-not-permitted': 'An authority may not certify the names in {whose}.',
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

const portuguese: Readonly<Record<CertificateReasonCode, string>> = {
  'chain.no-path': 'Nenhuma raiz de confiança é alcançada a partir d{whose}.',
  'chain.untrusted-root': 'A cadeia termina n{whose}, em que este servidor não confia.',
  'chain.untrusted-then': 'A cadeia termina n{whose}, em que não se confiava naquele momento.',
  'chain.wrong-signature': 'A emissora citada pel{whose} não o assinou.',
  'chain.not-an-authority': 'A emissão foi feita sob {whose}, que não é de uma autoridade.',
  'chain.path-too-long': 'Há mais autoridades do que {whose} permite.',
  'chain.name-not-permitted': 'Uma autoridade não pode certificar os nomes d{whose}.',
  'chain.unknown-critical-extension': 'Uma extensão d{whose} não é conhecida aqui.',
  'validity.expired': 'A validade d{whose} terminou.',
  'validity.not-yet-valid': 'A validade d{whose} ainda não começou.',
  'revocation.revoked': 'A autoridade revogou {whose}.',
  'revocation.on-hold': 'A autoridade suspendeu {whose}.',
  'revocation.unknown': 'Ninguém respondeu se {whose} está revogado.',
  'revocation.stale': 'O que se sabe da revogação d{whose} está desatualizado.',
  'policy.unacceptable': 'A política de certificado d{whose} não é aceita.',
  'keyUsage.unfit': 'Assinar não é uma finalidade d{whose}.',
  'algorithm.weak': 'O algoritmo ou a chave d{whose} é fraco demais.',
  'algorithm.unknown': 'O algoritmo d{whose} não é conhecido aqui.',
}

const languages = {
  'en-US': { sentences: english, own: 'the certificate', of: 'of', another: 'an issuer' },
  'pt-BR': { sentences: portuguese, own: 'o certificado', of: 'de', another: 'uma emissora' },
} as const

/** A reason in one sentence, without the subject, which often contains a CPF: histories are read by many. */
export function reasonText(
  reason: CertificateReason,
  holder: Certificate,
  language: keyof typeof languages = 'en-US',
): string {
  requireArguments('reasonText', { code: [reason?.code, 'text'], holder: [holder, 'object'] })
  const { code, certificate } = reason
  const { sentences, own, of, another } = languages[language]
  const whose = certificate === holder ? own : `${own} ${of} ${certificate.subject.commonName ?? another}`
  return sentences[code].replace('{whose}', whose)
}
