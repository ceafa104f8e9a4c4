// The service in a separate process, to be killed. Run by `placeOf`; the plan comes as a message.
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { createApplication, createKey } from '@chancela/service-kernel/http'
import { contextOf, type ServiceContext, startService } from '@chancela/service-kernel/service'
import { credentialPlatform } from '../../src/index.ts'
import type { Tables } from '../../src/store/tables.ts'
import type { ServerPlan } from './processes.ts'

process.once('message', async ({ name, settings: given, dataFolder, ahead, makesKey }: ServerPlan) => {
  const schemas = { [name]: credentialPlatform.settings }
  const { settings } = loadSettings({ schemas, environment: {}, defaults: { [name]: given } })
  const running = await startService({ ...credentialPlatform, name }, settings[name] as KernelSettings, {
    clock: () => new Date(Date.now() + ahead),
    version: '1.0.0-test',
    dataFolder,
    logFile: `${dataFolder}/${process.pid}.log`,
  })
  const systemKey = makesKey ? await operatorKey(contextOf<unknown, Tables>(running)) : undefined
  process.send!({ baseUrl: running.surfaces[0]!.baseUrl, systemKey })
})

async function operatorKey({
  store,
  clock,
}: Pick<ServiceContext<unknown, Tables>, 'store' | 'clock'>): Promise<string> {
  const { id } = await createApplication(store, 'administration', clock(), { byOperator: true })
  const asked = { applicationId: id, description: 'test', form: 'application|secret' } as const
  return (await createKey(store, asked, clock())).key
}

process.send!({ loaded: true })
