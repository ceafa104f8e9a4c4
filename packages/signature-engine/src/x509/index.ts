// Certificates as data.
//
//   const [certificate] = readCertificates(await readFile('holder.pem'))
//   certificate.subject.commonName
export { Certificate } from './certificate.ts'
export { readCertificates } from './certificate-files.ts'
export { DistinguishedName, type NameAttribute } from './distinguished-name.ts'
export type { KeyUsage, OtherName, StandardExtensions } from './extensions.ts'
