import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const verifyErrors = {
  'verify.empty': 'The file is empty.',
  'verify.no-pdf': 'The file is no PDF, although its name ends in .pdf: it {found}.',
  'verify.not-signed-format': 'The file is {what}, which is not verified here{advice}.',
  'verify.unknown-format':
    'The file is nothing that is verified here: no PDF, XML, CMS, ASiC container, JWS or timestamp.',
  'verify.trust-missing': 'Nobody is trusted: pass a judge, or the roots as anchors.',
  'verify.digest-unusable': 'A content digest named {algorithm} with {found} bytes is none the engine knows.',
} as const satisfies ErrorVocabulary

export const refuseVerify = refuser(verifyErrors)
