// A public key infrastructure shaped like ICP-Brasil, for tests and the demo: real keys, certificates, revocation
// lists, OCSP and time stamps, over real HTTP.
//
//   const { pki, faults, baseUrl, stop } = await startDemoPki({ keys: cachedKeys() })
//   const maria = await pki.issuePerson({ name: 'Maria da Silva', cpf: '52998224725' })
//   pki.revoke(maria, { reason: 'keyCompromise' })
//   faults.set('ocsp', { kind: 'late', delayMs: 2_000, times: 1 })
//
// `declaration.ts` lists what exists from the start. `startDemoPki` has a port of its own; to serve the PKI inside
// another server, take `createDemoPki` or `openDemoPki` and mount `demoPkiHandler`.

export { isCnpj, isCpf, withCnpjCheckDigits, withCpfCheckDigits } from '@chancela/signature-engine/x509'
export { addresses } from './addresses.ts'
export type { IssuedCertificate } from './certificate.ts'
export { createDemoPki } from './create-demo-pki.ts'
export {
  authorities,
  type DemoHolder,
  demoHolders,
  holders,
  type RevocationReason,
  services,
  type Terms,
} from './declaration.ts'
export { DemoPki, type DemoPkiOptions } from './demo-pki.ts'
export { type Fault, type FaultArea, type FaultKind, Faults, faultKinds } from './faults.ts'
export { type DemoPkiHandler, type DemoPkiHandlerOptions, demoPkiHandler } from './http-handler.ts'
export type { Company, Equipment, Holder, OtherNameForm, Person, Profile } from './icp-names.ts'
export { cachedKeys, type DemoKey, freshKeys, type KeyKind, type KeySource } from './keys.ts'
export { openDemoPki } from './open-demo-pki.ts'
export { type Pkcs12Variant, type Pkcs12VariantName, pkcs12Variants } from './pkcs12-variants.ts'
export { loadDemoPki, saveDemoPki } from './save-and-load.ts'
export { type RunningDemoPki, type StartDemoPkiOptions, startDemoPki } from './start-demo-pki.ts'
export { answerTimeStamp } from './time-stamp-authority.ts'
export { type DemoHolderFile, writeDemoFiles } from './write-demo-files.ts'
