export { hasInstanceSecret, type InstanceSecretRow, instanceSecret, sealedInstanceSecrets } from './instance-secrets.ts'
export { type KeyFile, type KeyFileChange, retireOldKeys, rotateMasterKey } from './key-file.ts'
export {
  dropUnusedKeys,
  forgetKeys,
  forgottenKeys,
  type MasterKeys,
  type MasterKeysOptions,
  masterKeyMigrations,
  openMasterKeys,
} from './master-keys.ts'
export { openSecrets, type Secrets, type SecretsOptions } from './open-secrets.ts'
export { hashPassword, isPassword, turnAwayPasswords } from './passwords.ts'
export { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'
export { keysInUse, type ResealReport, resealTable, type SealedTable, sealedTable } from './reseal-table.ts'
export { sameSecret } from './same-secret.ts'
export { SecretProblem, type SecretProblemCode } from './secret-problem.ts'
export { type PasswordWeakness, weaknessOf } from './weak-passwords.ts'
