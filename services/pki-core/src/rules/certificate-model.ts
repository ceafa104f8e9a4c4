// A certificate as clients read it (pki-core facts 2.9).
import { createHash } from 'node:crypto'
import { type Certificate, type DistinguishedName, type Holder, holderOf } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import type { CertificateView, NameField, NameModel, PkiBrazilCertificateModel } from '../contract/models.ts'

const nameOids: Readonly<Record<NameField, string>> = {
  country: '2.5.4.6',
  organization: '2.5.4.10',
  organizationUnit: '2.5.4.11',
  dnQualifier: '2.5.4.46',
  stateName: '2.5.4.8',
  commonName: '2.5.4.3',
  serialNumber: '2.5.4.5',
  locality: '2.5.4.7',
  title: '2.5.4.12',
  surname: '2.5.4.4',
  givenName: '2.5.4.42',
  initials: '2.5.4.43',
  pseudonym: '2.5.4.65',
  generationQualifier: '2.5.4.44',
  emailAddress: '1.2.840.113549.1.9.1',
}

const fieldOfOid = new Map(Object.entries(nameOids).map(([field, oid]) => [oid, field]))

function nameModel(name: DistinguishedName): Static<typeof NameModel> {
  const fields = Object.fromEntries(
    Object.entries(nameOids).map(([field, oid]) => [field, name.attribute(oid) ?? null]),
  ) as Record<NameField, string | null>
  const allValues = Object.fromEntries(
    [...new Set(name.attributes.map(({ oid }) => oid))].map((oid) => [
      fieldOfOid.get(oid) ?? oid,
      name.attributes.filter((attribute) => attribute.oid === oid).map(({ value }) => value),
    ]),
  )
  return { ...fields, allValues, dnString: name.toString() }
}

/** A certificate and its issuers, as far as a path to a root is known. */
export const certificateModel = (certificate: Certificate, issuers: readonly Certificate[] = []): CertificateView => ({
  ...knownModel(certificate),
  issuer: issuerModel(issuers),
})

type OwnModel = Omit<CertificateView, 'issuer'>

/** As long as somebody keeps the certificate: a judge those of authorities, the service those of people who come again. */
const models = new WeakMap<Certificate, OwnModel>()

function knownModel(certificate: Certificate): OwnModel {
  const model = models.get(certificate) ?? modelOf(certificate)
  models.set(certificate, model)
  return model
}

function issuerModel([issuer, ...above]: readonly Certificate[]): CertificateView | null {
  return issuer ? certificateModel(issuer, above) : null
}

function modelOf(certificate: Certificate): OwnModel {
  const holder = holderOf(certificate)
  const sha256 = createHash('sha256').update(certificate.der).digest()
  return {
    subjectName: nameModel(certificate.subject),
    issuerName: nameModel(certificate.issuer),
    issuerDisplayName: certificate.issuer.commonName ?? certificate.issuer.organization ?? null,
    serialNumber: certificate.serialNumberDecimal,
    validityStart: certificate.notBefore.toISOString(),
    validityEnd: certificate.notAfter.toISOString(),
    pkiBrazil: pkiBrazil(holder),
    pkiItaly: null,
    binaryThumbprintSHA256: sha256.toString('base64'),
    thumbprint: createHash('sha1').update(certificate.der).digest('hex').toUpperCase(),
    thumbprintSHA256: sha256.toString('hex').toUpperCase(),
    subjectCommonName: certificate.subject.commonName ?? null,
    subjectDisplayName: holder.name,
    subjectIdentifier: holder.cpf ?? holder.responsible?.cpf ?? null,
    emailAddress: holder.email,
    organization: holder.organization,
    organizationIdentifier: holder.cnpj,
  }
}

type PkiBrazil = Static<typeof PkiBrazilCertificateModel>

const knownTypes = new Set<string>(['A1', 'A2', 'A3', 'A4', 'S1', 'S2', 'S3', 'S4', 'T3', 'T4'])

/** Null for a certificate without data of ICP-Brasil. Numbers come without leading zeros, as clients expect them. */
function pkiBrazil(holder: Holder): PkiBrazil | null {
  const { certificateType, cpf, cnpj, responsible, birthDate, organization, registrations, rg } = holder
  if (certificateType === null && cpf === null && cnpj === null) return null
  const oab = /^0*(\d+)\s*([A-Z]{2})?/.exec(registrations.find(({ council }) => council === 'OAB')?.value ?? '')
  const [, rgEmissor = null, rgEmissorUF = null] = /^(.*?)\s*([A-Z]{2})?$/.exec(rg?.issuer ?? '') ?? []
  return {
    certificateType: (certificateType !== null && knownTypes.has(certificateType)
      ? certificateType
      : 'Unknown') as PkiBrazil['certificateType'],
    cpf: cpf ?? responsible?.cpf ?? null,
    cnpj,
    responsavel: responsible?.name ?? (cnpj === null ? holder.name : null),
    dateOfBirth: birthDate ?? responsible?.birthDate ?? null,
    companyName: cnpj === null ? null : organization,
    oabUF: oab?.[2] ?? null,
    oabNumero: oab?.[1] ?? null,
    rgEmissor: rgEmissor || null,
    rgEmissorUF: rgEmissorUF || null,
    rgNumero: rg?.number ?? null,
  }
}
