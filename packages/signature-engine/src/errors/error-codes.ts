import { asicErrors } from '../asic/errors.ts'
import { cadesErrors } from '../cades/errors.ts'
import { cmsErrors } from '../cms/errors.ts'
import { algorithmErrors } from '../crypto/algorithms.ts'
import { derErrors } from '../der/errors.ts'
import { pemErrors } from '../der/pem.ts'
import { envelopeErrors } from '../envelope/errors.ts'
import { httpErrors } from '../http/errors.ts'
import { inspectionErrors } from '../inspection/errors.ts'
import { jadesErrors } from '../jades/errors.ts'
import { judgementErrors } from '../judgement/errors.ts'
import { keyErrors } from '../keys/errors.ts'
import { pkcs11Errors } from '../keys/pkcs11/errors.ts'
import { pkcs12Errors } from '../keys/pkcs12/errors.ts'
import { padesErrors } from '../pades/errors.ts'
import { pdfErrors } from '../pdf/errors.ts'
import { policyErrors } from '../policies/errors.ts'
import { revocationErrors } from '../revocation/errors.ts'
import { signingErrors } from '../signing/errors.ts'
import { timestampErrors } from '../timestamps/errors.ts'
import { trustErrors } from '../trust/errors.ts'
import { trustedListErrors } from '../trusted-lists/errors.ts'
import { validationPolicyErrors } from '../validation-policy/errors.ts'
import { verifyErrors } from '../verify/errors.ts'
import { x509Errors } from '../x509/errors.ts'
import { xadesErrors } from '../xades/errors.ts'
import { xmlErrors } from '../xml/errors.ts'
import { zipErrors } from '../zip/errors.ts'
import { argumentErrors } from './arguments.ts'

/** Every code the engine can throw, by the area it comes from, with its sentence. */
export const engineErrorCodes = {
  'Wrong calls': argumentErrors,
  'Keys and tokens': { ...keyErrors, ...pkcs12Errors, ...pkcs11Errors },
  'Two-phase signing': signingErrors,
  CAdES: { ...cadesErrors, ...cmsErrors },
  ASiC: asicErrors,
  JAdES: jadesErrors,
  XAdES: { ...xadesErrors, ...xmlErrors },
  PAdES: { ...padesErrors, ...pdfErrors },
  Timestamps: timestampErrors,
  'Certificates and trust': {
    ...x509Errors,
    ...trustErrors,
    ...judgementErrors,
    ...revocationErrors,
    ...algorithmErrors,
  },
  'Trusted lists': trustedListErrors,
  'Signature policies': policyErrors,
  'Validation policies': validationPolicyErrors,
  Envelopes: envelopeErrors,
  'Files and network': {
    ...derErrors,
    ...pemErrors,
    ...httpErrors,
    ...inspectionErrors,
    ...verifyErrors,
    ...zipErrors,
  },
} as const

/** A code of `EngineError.code`. */
export type EngineErrorCode = {
  [Area in keyof typeof engineErrorCodes]: keyof (typeof engineErrorCodes)[Area]
}[keyof typeof engineErrorCodes]
