// Certificates as data, and whom they name.
//
//   const [certificate] = readCertificates(await readFile('holder.pem'))
//   certificate.subject.commonName
//   holderOf(certificate).cpf
export { Certificate } from './certificate.ts'
export { readCertificates } from './certificate-files.ts'
export { formattedCnpj, isCnpj, withCnpjCheckDigits } from './cnpj.ts'
export { formattedCpf, isCpf, withCpfCheckDigits } from './cpf.ts'
export { DistinguishedName, type NameAttribute } from './distinguished-name.ts'
export type { KeyUsage, OtherName, StandardExtensions } from './extensions.ts'
export { type Holder, type HolderKind, holderOf, type Responsible, type Voter } from './holder.ts'
export type { CertificateType } from './holder-certificate-type.ts'
export type { ProfessionalRegistration } from './holder-fields.ts'
export { signerReport } from './signer-report.ts'
