import { type ErrorVocabulary, refuser } from '../errors/engine-error.ts'

export const inspectionErrors = {
  'inspection.unknown':
    'The bytes are nothing this engine knows: no PDF, XML, certificate, CMS, JWS, ASiC container, PKCS#12, CRL or OCSP.',
} as const satisfies ErrorVocabulary

export const refuseInspection = refuser(inspectionErrors)
