/** Why a step cannot be signed, a degree not be put together, an archive not be renewed; one English sentence each. */
export const signingRefusals = {
  'kind-unknown': 'The root element {root} is not that of an academic document.',
  'too-many-signatures': 'The document has {count} signatures, more than any legitimate one.',
  'not-utf8': 'The document is not in UTF-8, which academic documents have to be in.',
  'node-missing': 'The document has no {node}, which has to be signed.',
  'node-without-id': 'The {node} has no id of its own, so that no signature can refer to it.',
  'institution-missing': 'The document does not name the CNPJ of the institution that signs.',
  'step-unknown': 'A document of kind {kind} has no step {step}; it has {steps}.',
  'out-of-order': 'The step {step} has to wait for {waitsFor}.',
  'already-signed': 'The step {step} is signed already.',
  carried: 'The step {step} is signed in the academic documentation and carried over from there.',
  closed: 'The document is closed by its archiving signature; nothing may be signed after it.',
  unfinished: 'A signature of the step {step} has not reached its level yet; it has to be finished first.',
  'wrong-certificate-kind': 'The step {step} is signed with an {expected}, not with {found}.',
  'wrong-cnpj': 'The certificate is of CNPJ {found}; the document names the institution {expected}.',
  'not-a-signatory': 'The document lists who signs, and CPF {cpf} is not among them.',
  'signed-by-this-person': 'CPF {cpf} has signed this step already.',
  'certificate-expired': 'The certificate expired on {notAfter}.',
  'certificate-not-yet-valid': 'The certificate is valid from {notBefore} on.',
  'certificate-type': 'The certificate is of type {found}; this step is signed with {expected} or better.',
  'not-closed': 'The academic documentation is not closed yet; its step {step} is open.',
  'registration-malformed': 'The registration data is not exactly one element that a degree can have: {reason}.',
  'registration-mismatch': 'The registration data belongs to another degree: {field} is {found} instead of {expected}.',
  'signature-broken': 'The signature {signature} does not hold where it would stand.',
  'not-archived': 'The document has no closing signature with an archive timestamp.',
  'restamp-useless': 'The new timestamp ends on {found}, and the old one on {known}: nothing would be gained.',
  'restamp-unverified': 'The renewed archive does not verify: {reasons}.',
} as const

export type SigningRefusalCode = keyof typeof signingRefusals

/** The one error of this folder; the engine's own errors pass through. */
export class SigningRefusal extends Error {
  override readonly name = 'SigningRefusal'
  readonly code: SigningRefusalCode
  readonly details: Readonly<Record<string, string>>

  constructor(code: SigningRefusalCode, details: Readonly<Record<string, string>> = {}) {
    super(signingRefusals[code].replace(/\{(\w+)\}/g, (hole, name: string) => details[name] ?? hole))
    this.code = code
    this.details = details
  }
}
