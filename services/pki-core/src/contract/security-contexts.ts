// Whom a subscription trusts (pki-core facts 3.4).
import Type from 'typebox'
import { Bytes, bytesOf, maybe, orNull, subscriptionHeader, Text, Time } from './common.ts'
import { always, Name } from './management.ts'

const tags = ['Security contexts']

/** What becomes of a certificate whose revocation status nobody tells. */
const Revocation = Type.Enum(['Required', 'IgnoreUnknown'], {
  description: 'IgnoreUnknown: a revocation status that cannot be determined is a warning.',
})

const Oids = Type.Array(Type.String({ maxLength: 100, pattern: '^[0-2](\\.(0|[1-9]\\d*))+$' }), {
  maxItems: 100,
  description: 'Certificate policies: a certificate has one at or under one of these. Empty: any.',
})

const TrustedCertificate = Type.Object(
  {
    subjectDisplayName: Text,
    issuerDisplayName: Text,
    validityStart: Time,
    validityEnd: Time,
    thumbprintSHA256: Text,
    content: Bytes,
  },
  { $id: 'TrustedCertificateModel' },
)

export const SecurityContextModel = Type.Object(
  {
    id: Text,
    name: Text,
    builtIn: Type.Boolean({ description: 'Of the instance: nobody changes it.' }),
    isDefault: Type.Boolean({ description: 'Whether requests that name none get it.' }),
    trustedRoots: Type.Array(TrustedCertificate),
    intermediates: Type.Array(TrustedCertificate),
    revocation: Revocation,
    acceptedPolicies: Type.Array(Text),
    dateCreated: orNull(Time),
    dateChanged: orNull(Time),
  },
  { $id: 'SecurityContextModel' },
)

const Certificates = (description: string, least: number) =>
  Type.Array(bytesOf(16 * 1024, 'DER.'), { minItems: least, maxItems: 100, description })

const SecurityContextData = Type.Object(
  {
    name: Name,
    trustedRoots: Certificates('Authorities that are trusted without further proof.', 1),
    intermediates: maybe(Certificates('Authorities that are known, but not trusted by themselves.', 0)),
    revocation: maybe(Revocation),
    acceptedPolicies: maybe(Oids),
  },
  { $id: 'SecurityContextData' },
)

export const listSecurityContexts = {
  method: 'GET',
  path: '/api/security-contexts',
  operationId: 'listSecurityContexts',
  summary: 'The contexts of the subscription, after those of the instance.',
  tags,
  headers: subscriptionHeader,
  answer: Type.Object({ items: Type.Array(SecurityContextModel), totalCount: Type.Integer() }),
  access: 'security-contexts.read',
  refusals: always,
} as const

export const readSecurityContext = {
  method: 'GET',
  path: '/api/security-contexts/{id}',
  operationId: 'readSecurityContext',
  summary: 'One of them.',
  tags,
  headers: subscriptionHeader,
  answer: SecurityContextModel,
  access: 'security-contexts.read',
  refusals: [...always, 'SecurityContextNotFound'],
} as const

export const createSecurityContext = {
  method: 'POST',
  path: '/api/security-contexts',
  operationId: 'createSecurityContext',
  summary: 'Makes a context of the subscription.',
  tags,
  headers: subscriptionHeader,
  body: SecurityContextData,
  answer: SecurityContextModel,
  access: 'security-contexts.manage',
  refusals: [...always, 'EntityAlreadyExists', 'PKCertificateMalformed', 'EndUserCertificate'],
} as const

export const changeSecurityContext = {
  method: 'PUT',
  path: '/api/security-contexts/{id}',
  operationId: 'changeSecurityContext',
  summary: 'Replaces everything of a context but its id.',
  tags,
  headers: subscriptionHeader,
  body: SecurityContextData,
  answer: SecurityContextModel,
  access: 'security-contexts.manage',
  refusals: [
    ...always,
    'SecurityContextNotFound',
    'EntityIsReadOnly',
    'EntityAlreadyExists',
    'PKCertificateMalformed',
    'EndUserCertificate',
  ],
} as const

export const deleteSecurityContext = {
  method: 'DELETE',
  path: '/api/security-contexts/{id}',
  operationId: 'deleteSecurityContext',
  summary: 'Deletes a context that is not the default.',
  tags,
  headers: subscriptionHeader,
  status: 200,
  access: 'security-contexts.manage',
  refusals: [...always, 'SecurityContextNotFound', 'EntityIsReadOnly', 'EntityUnusable'],
} as const

export const changeDefaultSecurityContext = {
  method: 'PUT',
  path: '/api/security-contexts/default',
  operationId: 'changeDefaultSecurityContext',
  summary: 'Chooses the context of requests that name none.',
  tags,
  headers: subscriptionHeader,
  body: Type.Object({ id: orNull(Type.String({ maxLength: 64, description: 'Null: ICP-Brasil.' })) }),
  answer: SecurityContextModel,
  access: 'security-contexts.manage',
  refusals: [...always, 'SecurityContextNotFound'],
} as const
