// What the session server of the demo has: the holders' certificates in its vault, and an administrator for its console.
import { readFile } from 'node:fs/promises'
import type { RunningService, StatefulContext } from '@chancela/service-kernel/service'
import { administratorOperator, vaultOperator } from '@chancela/session-server/operator'
import type { HolderView } from './home/contract.ts'

const administrator = {
  name: 'Helena Prado',
  email: 'helena@hospital.example',
  password: 'senha-da-helena',
} as const

/** What `data/demo.json` tells of the console. */
export const consoleAccess = { userEmail: administrator.email, userPassword: administrator.password }

/** Brings what is missing, as an operator would at the machine. */
export async function fillDemoVault({ context }: RunningService, holders: readonly HolderView[]): Promise<void> {
  const ground = context as StatefulContext
  const administrators = administratorOperator(ground)
  if ((await administrators.list()).length === 0) await administrators.create(administrator)
  const vault = vaultOperator(ground)
  for (const { cpf, pin, pkcs12 } of holders)
    if ((await vault.list(cpf)).length === 0) await vault.import({ file: await readFile(pkcs12), pin })
}
