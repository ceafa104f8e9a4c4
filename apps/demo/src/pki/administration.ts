import { X509Certificate } from 'node:crypto'
import type { EventLog } from '@chancela/service-kernel/events'
import type { ApiKeyTables } from '@chancela/service-kernel/http'
import { route, serve } from '@chancela/service-kernel/http'
import type { Store } from '@chancela/service-kernel/store'
import {
  type DemoPki,
  type Fault,
  type FaultArea,
  type Faults,
  faultKinds,
  type IssuedCertificate,
  isCnpj,
  isCpf,
  saveDemoPki,
} from '@chancela/testkit/demo-pki'
import { type Static, Type } from 'typebox'
import { refuse } from '../problems.ts'
import type { PkiApp } from './pki-service.ts'

/** What the administration of the demo PKI works on. */
export interface Administration {
  readonly pki: DemoPki
  readonly faults: Faults
  readonly events: EventLog
  readonly store: Store<ApiKeyTables>
  /** Where the PKI is kept between starts. */
  readonly folder: string
}

const Certificate = Type.Object(
  {
    label: Type.String({ description: 'Name within the demo PKI.' }),
    issuer: Type.String(),
    subject: Type.String(),
    serialNumber: Type.String({ description: 'Hexadecimal.' }),
    notBefore: Type.String(),
    notAfter: Type.String(),
    revokedAt: Type.Union([Type.String(), Type.Null()]),
    pem: Type.String(),
  },
  { $id: 'DemoCertificate' },
)

const NewPerson = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  cpf: Type.String({ pattern: '^[0-9]{11}$' }),
  email: Type.Optional(Type.String({ maxLength: 128 })),
  password: Type.String({ minLength: 1, description: 'Opens the PKCS#12 file.' }),
})

const NewCompany = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  cnpj: Type.String({ pattern: '^[0-9A-Z]{12}[0-9]{2}$' }),
  responsible: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 64 }),
    cpf: Type.String({ pattern: '^[0-9]{11}$' }),
  }),
  email: Type.Optional(Type.String({ maxLength: 128 })),
  password: Type.String({ minLength: 1, description: 'Opens the PKCS#12 file.' }),
})

const reasons = ['unspecified', 'keyCompromise', 'affiliationChanged', 'superseded', 'cessationOfOperation'] as const
const tags = ['Administration']
const label = Type.Object({ label: Type.String() })

const Issued = Type.Object({
  certificate: Certificate,
  pkcs12: Type.String({ description: 'PKCS#12 file, base64.' }),
})

const listCertificates = route({
  method: 'GET',
  path: '/api/certificates',
  tags,
  summary: 'Every certificate the demo PKI has issued.',
  answer: Type.Array(Certificate),
})

const issuePerson = route({
  method: 'POST',
  path: '/api/people',
  tags,
  summary: 'Issues an e-CPF certificate and hands it out with its key.',
  body: NewPerson,
  status: 201,
  answer: Issued,
  refusals: ['person.cpf-invalid'],
})

const issueCompany = route({
  method: 'POST',
  path: '/api/companies',
  tags,
  summary: 'Issues an e-CNPJ certificate and hands it out with its key.',
  body: NewCompany,
  status: 201,
  answer: Issued,
  refusals: ['person.cpf-invalid', 'company.cnpj-invalid'],
})

const revokeCertificate = route({
  method: 'POST',
  path: '/api/certificates/{label}/revocation',
  tags,
  summary: 'Revokes a certificate; lists and OCSP answers know it at once.',
  params: label,
  body: Type.Object({ reason: Type.Optional(Type.Union(reasons.map((reason) => Type.Literal(reason)))) }),
  answer: Certificate,
  refusals: ['certificate.not-found', 'certificate.already-revoked'],
})

const areas = Object.keys(faultKinds) as FaultArea[]
const Area = Type.Object({ area: Type.Union(areas.map((area) => Type.Literal(area))) })
const FaultBody = Type.Object(
  {
    kind: Type.String({
      description: `Per area: ${areas.map((area) => `${area} (${faultKinds[area].join(', ')})`).join('; ')}.`,
    }),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000, description: 'How late a late answer is.' })),
    times: Type.Optional(
      Type.Integer({ minimum: 1, description: 'For how many requests; until cleared when absent.' }),
    ),
  },
  { $id: 'DemoFault' },
)
const FaultList = Type.Record(Type.String(), FaultBody)

const listFaults = route({
  method: 'GET',
  path: '/api/faults',
  tags,
  summary: 'The faults in force.',
  answer: FaultList,
})

const setFault = route({
  method: 'PUT',
  path: '/api/faults/{area}',
  tags,
  summary: 'Makes a part of the PKI go wrong.',
  params: Area,
  body: FaultBody,
  answer: FaultList,
  refusals: ['fault.kind-unknown'],
})

const clearFault = route({
  method: 'DELETE',
  path: '/api/faults/{area}',
  tags,
  summary: 'Makes it well again.',
  params: Area,
  answer: FaultList,
})

/** Adds the administration routes to the app; all of them take the demo key. */
export function serveAdministration(app: PkiApp, administration: Administration): void {
  const { pki, faults } = administration
  serve(app, listCertificates, () => pki.certificates().map((certificate) => certificateView(pki, certificate)))
  serve(app, issuePerson, ({ body, caller }) => issueToPerson(administration, body, caller.application))
  serve(app, issueCompany, ({ body, caller }) => issueToCompany(administration, body, caller.application))
  serve(app, revokeCertificate, ({ params, body, caller }) =>
    revoke(administration, params.label, body.reason, caller.application),
  )
  serve(app, listFaults, () => faults.list())
  serve(app, setFault, ({ params, body }) => {
    if (!(faultKinds[params.area] as readonly string[]).includes(body.kind))
      throw refuse('fault.kind-unknown', { accepted: faultKinds[params.area] })
    faults.set(params.area, body as Fault)
    return faults.list()
  })
  serve(app, clearFault, ({ params }) => {
    faults.clear(params.area)
    return faults.list()
  })
}

async function issueToPerson(
  administration: Administration,
  { password, ...person }: Static<typeof NewPerson>,
  actor: string,
) {
  if (!isCpf(person.cpf)) throw refuse('person.cpf-invalid')
  return handOut(administration, await administration.pki.issuePerson(person), password, actor)
}

async function issueToCompany(
  administration: Administration,
  { password, responsible, ...company }: Static<typeof NewCompany>,
  actor: string,
) {
  if (!isCnpj(company.cnpj)) throw refuse('company.cnpj-invalid')
  if (!isCpf(responsible.cpf)) throw refuse('person.cpf-invalid')
  const holder = { ...company, responsible: { kind: 'person', ...responsible } } as const
  return handOut(administration, await administration.pki.issueCompany(holder), password, actor)
}

async function handOut(administration: Administration, issued: IssuedCertificate, password: string, actor: string) {
  const { pki } = administration
  await keep(administration, { type: 'CertificateIssued', actor, issued })
  return { certificate: certificateView(pki, issued), pkcs12: pki.pkcs12(issued, { password }).toString('base64') }
}

async function revoke(
  administration: Administration,
  name: string,
  reason: (typeof reasons)[number] | undefined,
  actor: string,
) {
  const { pki } = administration
  if (!pki.has(name)) throw refuse('certificate.not-found', { label: name })
  const certificate = pki.certificate(name)
  if (pki.revocationOf(certificate)) throw refuse('certificate.already-revoked', { label: name })
  pki.revoke(certificate, reason === undefined ? {} : { reason })
  await keep(administration, { type: 'CertificateRevoked', actor, issued: certificate })
  return certificateView(pki, certificate)
}

/** What was answered must survive a kill: the PKI is saved before the response is sent. */
async function keep(
  { pki, folder, events, store }: Administration,
  what: { type: string; actor: string; issued: IssuedCertificate },
): Promise<void> {
  await saveDemoPki(pki, folder)
  const { type, actor, issued } = what
  await events.record(store.db, {
    type,
    actor,
    subject: { kind: 'certificate', id: issued.label },
    text: `${type} ${issued.label}`,
  })
}

function certificateView(pki: DemoPki, certificate: IssuedCertificate) {
  const x509 = new X509Certificate(certificate.der)
  return {
    label: certificate.label,
    issuer: certificate.issuer,
    subject: x509.subject.split('\n').join(', '),
    serialNumber: x509.serialNumber,
    notBefore: new Date(x509.validFrom).toISOString(),
    notAfter: new Date(x509.validTo).toISOString(),
    revokedAt: pki.revocationOf(certificate)?.at.toISOString() ?? null,
    pem: x509.toString(),
  }
}
