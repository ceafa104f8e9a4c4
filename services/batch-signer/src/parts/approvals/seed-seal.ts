import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { openSecrets, type Secrets } from '@chancela/service-kernel/secrets'

const derive = promisify(pbkdf2)

// The secret is the operator's and may be a sentence; the rounds are paid once per process, not per code.
const ROUNDS = 600_000

// Not random: every process must derive the same key, and the secret has 32 characters or more.
const SALT = 'chancela/batch-signer/approver-second-factor/v1'

/** Seals the seeds of authenticator apps with AES-256-GCM under a key from ApproverSecondFactor:SeedSecret. */
export async function openSeedSeal(seedSecret: string): Promise<Secrets> {
  const key = await derive(seedSecret, SALT, ROUNDS, 32, 'sha256')
  return openSecrets({ service: 'batch-signer', masterKeyFile: '', masterKey: key.toString('base64') })
}
