// What the session server of the demo has: the holders' certificates in its vault, and an administrator for its console.
import { readFile } from 'node:fs/promises'
import { administratorOperator } from '@chancela/admin-console'
import { contextOf, type RunningService } from '@chancela/service-kernel/service'
import { vaultOperator } from '@chancela/session-server/operator'
import type { DemoAdministrator } from './demo-administrator.ts'
import type { HolderView } from './home/contract.ts'

/** Creates what is missing, as an operator would on the machine. */
export async function fillDemoVault(
  sessions: RunningService,
  holders: readonly HolderView[],
  administrator: DemoAdministrator,
): Promise<void> {
  const context = contextOf(sessions)
  const administrators = administratorOperator(context)
  if ((await administrators.list()).length === 0) await administrators.create(administrator)
  const vault = vaultOperator(context)
  for (const { cpf, pin, pkcs12 } of holders)
    if ((await vault.list(cpf)).length === 0) await vault.import({ file: await readFile(pkcs12), pin })
}
