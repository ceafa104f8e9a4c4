// What all parts of the engine share: its error, and the state between the two phases of a signature. The parts have
// entry points of their own: `@chancela/signature-engine/pades`, `/cades`, `/xades`, `/keys`, `/judgement` …

export { EngineError, type ErrorVocabulary } from './errors/engine-error.ts'
export { type EngineErrorCode, engineErrorCodes } from './errors/error-codes.ts'
export {
  type CommitmentType,
  commitmentTypes,
  type ProductionPlace,
  type SignerClaims,
} from './signing/signer-claims.ts'
export {
  openState,
  type Prepared,
  type SealOptions,
  type SigningState,
  type StateData,
  type StateFormat,
  sealState,
} from './signing/signing-state.ts'
