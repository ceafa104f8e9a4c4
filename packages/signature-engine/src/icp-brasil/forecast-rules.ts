// What decides how the official validator (VALIDAR, of ITI) answers, as far as it is known from outside: what its pages
// and ICP-Brasil's norms publish, what people were told by it, and what we conclude (signature-engine facts 3.1).

/** What the official validator says of a document; the words are its own. */
export type Outcome = 'aprovada' | 'indeterminada' | 'reprovada'

/** How a rule is known: published by ITI or in a norm, reported by those who were refused, or concluded by us. */
export type Basis = 'published' | 'reported' | 'inferred'

/** What to do about a broken rule; the sentences are in the texts. */
export type Remedy =
  | 'sign-again'
  | 'get-original'
  | 'give-content'
  | 'update-signer'
  | 'current-policy'
  | 'other-algorithm'
  | 'icp-brasil-certificate'
  | 'other-certificate'
  | 'renew-certificate'
  | 'send-chain'
  | 'check-revocation'
  | 'add-timestamp'
  | 'icp-brasil-timestamp'
  | 'extend-level'
  | 'update-lists'
  | 'none'

export interface Rule {
  /** `aprovada`: a remark, which does not change the answer. */
  readonly outcome: Outcome
  /** The part of the signature or file that it is about, as the norms name it. */
  readonly place: string
  readonly remedy: Remedy
  readonly basis: Basis
  /** The document, page or norm it is taken from. */
  readonly source: string
}

const rule = (outcome: Outcome, place: string, remedy: Remedy, basis: Basis, source: string): Rule => ({
  outcome,
  place,
  remedy,
  basis,
  source,
})

const ORIENTATIONS = 'VALIDAR, página “orientações”'
const THREADS = 'relatos públicos sobre o VALIDAR'
const ATTRIBUTES = 'DOC-ICP-15.03'
const POLICIES = 'artefatos das políticas de assinatura (DOC-ICP-15.03)'
const PROFILES = 'DOC-ICP-04'

/** Every rule, by its stable name. */
export const forecastRules = {
  // The document and its bytes
  'no-signature': rule('reprovada', '—', 'sign-again', 'inferred', ORIENTATIONS),
  'content-changed': rule(
    'reprovada',
    'messageDigest, ds:DigestValue',
    'get-original',
    'published',
    'RFC 5652 §5.6; XMLDSig §3.2.1',
  ),
  'signature-value': rule(
    'reprovada',
    'SignerInfo.signature, ds:SignatureValue',
    'get-original',
    'published',
    'RFC 5652 §5.6; XMLDSig §3.2.2',
  ),
  'content-absent': rule('indeterminada', 'eContent, ds:Reference', 'give-content', 'inferred', ORIENTATIONS),
  'structure-malformed': rule('reprovada', '—', 'get-original', 'inferred', 'RFC 5652; ISO 32000-1 §12.8'),
  'not-der': rule('indeterminada', '/Contents', 'update-signer', 'published', 'ISO 32000-2 §12.8.3.3'),
  'duplicate-attribute': rule('reprovada', 'signedAttrs', 'update-signer', 'published', 'RFC 5652 §11'),
  'content-type-attribute': rule(
    'reprovada',
    'signedAttrs: content-type',
    'update-signer',
    'published',
    `${ATTRIBUTES} 5.2.1.1`,
  ),
  'hash-parameters': rule(
    'aprovada',
    'digestAlgorithms',
    'update-signer',
    'published',
    `${ATTRIBUTES}, anexo 1, nota 3`,
  ),
  'certificate-left-out': rule(
    'indeterminada',
    'SignedData.certificates, ds:KeyInfo',
    'update-signer',
    'published',
    `${POLICIES}: signerOnly`,
  ),
  // The certificate that the signature names
  'signing-certificate-missing': rule(
    'reprovada',
    'signing-certificate-v2, xades:SigningCertificate',
    'update-signer',
    'published',
    `${ATTRIBUTES} 5.2.1.1.3`,
  ),
  'signing-certificate-mismatch': rule(
    'reprovada',
    'signing-certificate-v2, xades:SigningCertificate',
    'update-signer',
    'published',
    'RFC 5035 §4',
  ),
  'signing-certificate-old': rule(
    'indeterminada',
    'signing-certificate',
    'update-signer',
    'inferred',
    `${ATTRIBUTES} 5.2.1.1.3`,
  ),
  'signing-certificate-several': rule(
    'indeterminada',
    'signing-certificate-v2',
    'update-signer',
    'published',
    `${ATTRIBUTES} 5.2.1.1.3`,
  ),
  'issuer-serial-missing': rule(
    'indeterminada',
    'signing-certificate-v2: issuerSerial',
    'update-signer',
    'reported',
    THREADS,
  ),
  'issuer-serial-wrong': rule(
    'reprovada',
    'signing-certificate-v2: issuerSerial',
    'update-signer',
    'reported',
    THREADS,
  ),
  'default-hash-encoded': rule(
    'aprovada',
    'signing-certificate-v2: hashAlgorithm',
    'update-signer',
    'published',
    `${ATTRIBUTES}, anexo 1, nota 4`,
  ),
  // Algorithms
  'algorithm-weak': rule('reprovada', 'digestAlgorithm, signatureAlgorithm', 'other-algorithm', 'published', POLICIES),
  'algorithm-unknown': rule(
    'indeterminada',
    'digestAlgorithm, signatureAlgorithm',
    'other-algorithm',
    'inferred',
    POLICIES,
  ),
  'algorithm-outside-policy': rule(
    'reprovada',
    'digestAlgorithm, signatureAlgorithm',
    'other-algorithm',
    'published',
    POLICIES,
  ),
  'key-too-short': rule('reprovada', 'subjectPublicKeyInfo', 'other-certificate', 'published', POLICIES),
  // Time
  'signing-time-in-pdf': rule('indeterminada', 'signedAttrs: signing-time', 'update-signer', 'reported', THREADS),
  'signing-time-missing': rule(
    'aprovada',
    '/M, signing-time, xades:SigningTime',
    'update-signer',
    'published',
    'EN 319 122-1 §5.2.1; EN 319 142-1 §6.3',
  ),
  'signing-time-implausible': rule(
    'indeterminada',
    '/M, signing-time, xades:SigningTime',
    'sign-again',
    'inferred',
    'EN 319 102-1 §5.2.8',
  ),
  // Policies
  'policy-absent': rule('aprovada', 'sigPolicyId', 'none', 'inferred', ORIENTATIONS),
  'policy-unknown': rule('indeterminada', 'sigPolicyId', 'current-policy', 'inferred', `${ATTRIBUTES}, anexo 3`),
  'policy-hash-of-file': rule(
    'reprovada',
    'sigPolicyHash',
    'update-signer',
    'published',
    `${ATTRIBUTES}, anexo 1, nota 2`,
  ),
  'policy-hash': rule('reprovada', 'sigPolicyHash', 'update-signer', 'published', `${ATTRIBUTES}, anexo 1, nota 2`),
  'policy-not-in-force': rule('reprovada', 'sigPolicyId', 'current-policy', 'published', `${ATTRIBUTES}, anexo 3`),
  'policy-list-stale': rule('indeterminada', 'LPA', 'update-lists', 'reported', THREADS),
  'policy-defective': rule('indeterminada', 'sigPolicyId', 'current-policy', 'published', `${POLICIES}: 2.16.76.1.8.1`),
  'policy-of-other-format': rule('reprovada', 'sigPolicyId', 'current-policy', 'inferred', `${ATTRIBUTES}, anexo 1`),
  'policy-root': rule(
    'indeterminada',
    'sigPolicyId',
    'current-policy',
    'published',
    `${POLICIES}: signingCertTrustCondition`,
  ),
  'policy-address-missing': rule(
    'indeterminada',
    'sigPolicyQualifiers: SPuri',
    'update-signer',
    'inferred',
    `${ATTRIBUTES} 5.2.1.1`,
  ),
  'policy-requirement': rule('reprovada', 'sigPolicyId', 'extend-level', 'published', POLICIES),
  // The certificate and its authorities
  'chain-missing': rule('indeterminada', 'certificates', 'send-chain', 'inferred', 'DOC-ICP-04; RFC 5280 §6'),
  'root-not-icp-brasil': rule('indeterminada', 'certificates', 'icp-brasil-certificate', 'published', ORIENTATIONS),
  'chain-broken': rule('reprovada', 'certificates', 'other-certificate', 'published', 'RFC 5280 §6'),
  'certificate-expired': rule('indeterminada', 'validity', 'add-timestamp', 'inferred', 'EN 319 102-1 §5.2.6'),
  'certificate-not-yet-valid': rule('reprovada', 'validity', 'sign-again', 'inferred', 'RFC 5280 §4.1.2.5'),
  'certificate-revoked': rule('reprovada', 'CRL, OCSP', 'renew-certificate', 'published', 'RFC 5280 §5.3.1'),
  'certificate-on-hold': rule('indeterminada', 'CRL, OCSP', 'renew-certificate', 'inferred', 'RFC 5280 §5.3.1'),
  'revocation-unknown': rule('indeterminada', 'CRL, OCSP', 'check-revocation', 'published', `${POLICIES}: eitherCheck`),
  'revocation-stale': rule('indeterminada', 'CRL, OCSP', 'check-revocation', 'inferred', 'RFC 5280 §5.1.2.5'),
  'key-usage': rule('reprovada', 'keyUsage', 'other-certificate', 'published', `${PROFILES} 7.1.2.2`),
  'certificate-policy': rule('reprovada', 'certificatePolicies', 'other-certificate', 'published', POLICIES),
  'certificate-type-missing': rule(
    'indeterminada',
    'certificatePolicies',
    'icp-brasil-certificate',
    'inferred',
    `${PROFILES} 7.1.2.2`,
  ),
  'certificate-not-for-signing': rule(
    'reprovada',
    'certificatePolicies',
    'other-certificate',
    'inferred',
    'DOC-ICP-04 1.1; DOC-ICP-12',
  ),
  'company-certificate': rule(
    'aprovada',
    'certificatePolicies',
    'none',
    'reported',
    'Resolução CG ICP-Brasil 211, art. 4',
  ),
  'holder-unnamed': rule('aprovada', 'subjectAltName', 'icp-brasil-certificate', 'published', `${PROFILES} 7.1.2.3`),
  // Timestamps and what later levels keep
  'timestamp-invalid': rule('reprovada', 'signature-time-stamp', 'add-timestamp', 'published', 'RFC 3161 §2.4.2'),
  'timestamp-of-other-content': rule(
    'reprovada',
    'signature-time-stamp: messageImprint',
    'add-timestamp',
    'published',
    'RFC 3161 §2.4.2',
  ),
  'timestamp-authority': rule(
    'indeterminada',
    'signature-time-stamp: certificates',
    'icp-brasil-timestamp',
    'published',
    `${POLICIES}: timeStampTrustCondition`,
  ),
  'timestamp-attributes': rule(
    'indeterminada',
    'signature-time-stamp: unsignedAttrs',
    'icp-brasil-timestamp',
    'published',
    `${ATTRIBUTES}, tabelas A.18 a A.22`,
  ),
  'security-store-missing': rule(
    'reprovada',
    '/DSS /VRI',
    'extend-level',
    'published',
    `${ATTRIBUTES}, tabelas A.18 a A.22`,
  ),
  'policy-artifacts-missing': rule(
    'indeterminada',
    '/DSS /PBAD_PolicyArtifacts',
    'extend-level',
    'published',
    `${ATTRIBUTES}, tabela A.22`,
  ),
  'counter-signature-policy': rule(
    'reprovada',
    'counter-signature: sigPolicyId',
    'update-signer',
    'published',
    `${ATTRIBUTES}, tabela A.4`,
  ),
  // PDF
  'modification-rule-missing': rule('indeterminada', '/Reference', 'update-signer', 'published', ORIENTATIONS),
  'modification-rule-entries': rule(
    'indeterminada',
    '/Reference /TransformParams',
    'update-signer',
    'published',
    ORIENTATIONS,
  ),
  'modification-permission': rule(
    'indeterminada',
    '/Reference /TransformParams /P',
    'update-signer',
    'published',
    ORIENTATIONS,
  ),
  'modification-rule-later': rule('indeterminada', '/Reference', 'update-signer', 'published', 'ISO 32000-1 §12.8.2.2'),
  'permissions-in-catalog': rule('aprovada', '/Root /Perms /DocMDP', 'update-signer', 'published', ORIENTATIONS),
  'content-inside-pdf-signature': rule('indeterminada', '/Contents: eContent', 'update-signer', 'reported', THREADS),
  'several-signers-in-pdf': rule(
    'reprovada',
    '/Contents: signerInfos',
    'update-signer',
    'published',
    'EN 319 142-1 §6.3',
  ),
  'unsigned-attribute-in-pdf': rule(
    'indeterminada',
    '/Contents: unsignedAttrs',
    'update-signer',
    'published',
    `${ATTRIBUTES}, tabelas A.18 a A.22`,
  ),
  'filter-names-mixed': rule(
    'indeterminada',
    '/Filter /SubFilter',
    'update-signer',
    'published',
    `${POLICIES}: 2.16.76.1.8.1`,
  ),
  'sub-filter-unknown': rule('indeterminada', '/SubFilter', 'update-signer', 'inferred', `${POLICIES}: 2.16.76.1.8.1`),
  'sub-filter-without-policy': rule(
    'indeterminada',
    '/SubFilter',
    'update-signer',
    'published',
    `${POLICIES}: 2.16.76.1.8.1`,
  ),
  'byte-range': rule('reprovada', '/ByteRange', 'get-original', 'published', 'ISO 32000-1 §12.8.1'),
  'changed-after-signing': rule('reprovada', '—', 'get-original', 'published', 'ISO 32000-1 §12.8.2.2'),
  'signature-lost': rule('reprovada', '/AcroForm /Fields', 'get-original', 'inferred', 'ISO 32000-1 §12.8'),
  'reason-with-policy': rule('indeterminada', '/Reason', 'update-signer', 'published', 'EN 319 142-1 §6.3'),
  'entry-not-allowed': rule('aprovada', '/Cert', 'update-signer', 'published', 'EN 319 142-1 §6.3'),
  'name-of-another': rule('aprovada', '/Name', 'update-signer', 'inferred', 'ISO 32000-1, tabela 252'),
  // XML
  'xml-structure': rule('reprovada', 'ds:Reference', 'get-original', 'published', 'XMLDSig §3.2'),
  'xml-transform': rule('indeterminada', 'ds:Transform', 'update-signer', 'inferred', 'XMLDSig §6.6'),
  'xml-reference-type': rule('reprovada', 'ds:Reference Type', 'update-signer', 'published', 'EN 319 132-1 §4.4'),
  'structure-not-checked': rule('indeterminada', '—', 'none', 'inferred', ORIENTATIONS),
  'not-valid-here': rule('indeterminada', '—', 'none', 'inferred', 'EN 319 102-1'),
  'xml-mime-type': rule(
    'aprovada',
    'xades:DataObjectFormat',
    'update-signer',
    'published',
    `${ATTRIBUTES}, anexo 1, nota 6`,
  ),
} as const satisfies Record<string, Rule>

/** The stable name of a rule. */
export type RuleName = keyof typeof forecastRules
