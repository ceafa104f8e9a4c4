import { readFile } from 'node:fs/promises'
import { EngineError } from '@chancela/signature-engine'
import { pkcs12Signer } from '@chancela/signature-engine/keys'

try {
  await pkcs12Signer(await readFile('maria.p12'), 'not the password')
} catch (error) {
  if (!(error instanceof EngineError)) throw error // a bug, not your input
  console.log(error.code) // stable, for programs: 'pkcs12.wrong-password'
  console.log(error.message) // one English sentence, for logs
}
