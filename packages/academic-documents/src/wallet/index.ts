// Degrees and transcripts as wallets hold them: W3C credentials in the form of Open Badges 3.0, signed by a key of the institution.
//
//   const credential = degreeCredential({ data, publicUrl, code, pageUrl, xml, status, salt })
//   const token = await signCredential(credential, publicUrl, signer)
//   const { isValid, findings } = verifyCredential(token, { now, issuers, statusLists })
export { type CredentialInput, hashedIdentity } from './badge.ts'
export { degreeCredential } from './degree-credential.ts'
export {
  type DidDocument,
  didDocument,
  didDocumentUrl,
  didOf,
  type IssuerKey,
  keyIdOf,
  type PublicJwk,
  type TokenAlgorithm,
} from './did-web.ts'
export { type WalletCode, WalletProblem } from './errors.ts'
export {
  encodeStatusList,
  SHORTEST_LIST,
  type StatusListInput,
  type StatusPurpose,
  statusAt,
  statusListCredential,
} from './status-list.ts'
export { type Credential, completeToken, type PreparedToken, prepareToken, signCredential } from './token.ts'
export { transcriptCredential } from './transcript-credential.ts'
export {
  type CredentialFinding,
  type CredentialVerdict,
  type VerifierKnowledge,
  verifyCredential,
} from './verify-credential.ts'
